// On a sample's page: a field shows its box on the picture; the picture is chosen, and made larger or smaller.
"use strict";

const NOTHING = ["x", "y", "width", "height"];
const LINE = 3; // pixels of the screen between what stands in a box and the middle of its line
let boxed = [0, 0, 0, 0];
let zoom = 0; // 0: as wide as there is room; else pixels of the screen for one of the picture

const drawing = () => document.querySelector("#viewer svg");

function pictureLink(key) {
  return document.querySelector(`[data-show-picture="${key}"]`);
}

function size() {
  const svg = drawing();
  if (!svg) return;
  const wide = svg.viewBox.baseVal.width;
  svg.parentElement.classList.toggle("actual", zoom > 0);
  if (zoom > 0) svg.setAttribute("width", Math.round(wide * zoom));
  else svg.removeAttribute("width");
  for (const button of document.querySelectorAll("[data-zoom][aria-pressed]")) {
    button.setAttribute("aria-pressed", String(button.dataset.zoom === (zoom === 0 ? "fit" : zoom === 1 ? "actual" : "")));
  }
  outline(boxed);
}

function showPicture(key) {
  const link = pictureLink(key);
  const svg = drawing();
  if (!link || !svg) return;
  if (svg.dataset.picture !== key) {
    const { width, height, label } = link.dataset;
    svg.dataset.picture = key;
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.setAttribute("aria-label", label);
    const image = svg.querySelector("image");
    image.setAttribute("href", link.dataset.bytes || link.href);
    image.setAttribute("width", width);
    image.setAttribute("height", height);
    document.getElementById("open-picture").href = link.href;
    for (const each of document.querySelectorAll("[data-show-picture]")) {
      if (each === link) each.setAttribute("aria-current", "true");
      else each.removeAttribute("aria-current");
    }
    size();
  }
  document.getElementById("picture-said").textContent = link.dataset.label;
  outline([0, 0, 0, 0]);
}

// The line lies around the box, not over what stands in it, at any size.
function outline(box) {
  const rect = drawing().querySelector("rect");
  boxed = box;
  const room = box[2] > 0 ? LINE / shownScale() : 0;
  const around = [box[0] - room, box[1] - room, box[2] + 2 * room, box[3] + 2 * room];
  NOTHING.forEach((name, at) => rect.setAttribute(name, around[at]));
}

// Brings the box into sight inside the picture's own frame; the page itself stays where it is.
function bringIntoSight(box) {
  const svg = drawing();
  const frame = svg.parentElement;
  const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
  frame.scrollTo({
    top: Math.max(0, (box[1] + box[3] / 2) * scale - frame.clientHeight / 2),
    left: Math.max(0, (box[0] + box[2] / 2) * scale - frame.clientWidth / 2),
  });
}

function showField(button) {
  showPicture(button.dataset.picture);
  const box = button.dataset.box.split(",").map(Number);
  outline(box);
  bringIntoSight(box);
  document.getElementById("picture-said").textContent = `${button.dataset.path} stands in the box`;
  for (const each of document.querySelectorAll(".seen-fields > li")) each.classList.toggle("shown", each.contains(button));
}

function showActual() {
  zoom = 1;
  size();
}

const zooms = {
  fit: () => 0,
  actual: () => 1,
  in: () => Math.min(4, (zoom || shownScale()) * 1.25),
  out: () => Math.max(0.1, (zoom || shownScale()) / 1.25),
};

function shownScale() {
  const svg = drawing();
  return svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
}

for (const kind of ["mouseover", "focusin", "click"]) {
  document.addEventListener(kind, (event) => {
    const button = event.target.closest?.("button[data-box]");
    if (button && drawing()) showField(button);
  });
}

document.addEventListener("click", (event) => {
  const zoomer = event.target.closest("[data-zoom]");
  if (zoomer && drawing()) {
    zoom = zooms[zoomer.dataset.zoom]();
    size();
  }
  const link = event.target.closest("[data-show-picture]");
  if (link && drawing() && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    showPicture(link.dataset.showPicture);
  }
});
