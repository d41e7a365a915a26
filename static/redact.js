// On the page of a redacted copy: places drawn on the picture become lines of the form, and lines are shown as places.
"use strict";

const lines = () => document.querySelector("#id_boxes");
const picture = () => document.querySelector("#viewer svg");
const SVG = "http://www.w3.org/2000/svg";
let from = null;

function boxesOf(text) {
  return text
    .split("\n")
    .map((line) => line.trim().split(/[\s,;]+/).map(Number))
    .filter((box) => box.length === 4 && box.every(Number.isFinite));
}

function chosenBoxes() {
  return [...document.querySelectorAll("[data-box]:checked")].map((each) => JSON.parse(each.dataset.box));
}

function rectOf([x, y, width, height], name) {
  const rect = document.createElementNS(SVG, "rect");
  Object.entries({ x, y, width, height, class: name }).forEach(([key, value]) => rect.setAttribute(key, value));
  return rect;
}

function show() {
  const svg = picture();
  for (const old of svg.querySelectorAll("rect")) old.remove();
  for (const box of [...boxesOf(lines().value), ...chosenBoxes()]) svg.append(rectOf(box, "covered"));
}

function pointOf(event) {
  const svg = picture();
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  const { width, height } = svg.viewBox.baseVal;
  return [Math.min(Math.max(0, at.x), width), Math.min(Math.max(0, at.y), height)];
}

function between(event) {
  const [x, y] = pointOf(event);
  const left = Math.min(from[0], x);
  const top = Math.min(from[1], y);
  return [left, top, Math.abs(x - from[0]), Math.abs(y - from[1])].map(Math.round);
}

function begin(event) {
  if (event.button !== 0) return;
  from = pointOf(event);
  picture().setPointerCapture(event.pointerId);
  event.preventDefault();
}

function draw(event) {
  if (!from) return;
  show();
  picture().append(rectOf(between(event), "covered"));
}

function end(event) {
  if (!from) return;
  const box = between(event);
  from = null;
  if (box[2] > 2 && box[3] > 2) {
    lines().value = `${lines().value.trimEnd()}\n${box.join(", ")}`.trimStart();
    document.getElementById("drawn").textContent = `A place of ${box[2]} by ${box[3]} pixels was added.`;
  }
  show();
}

document.addEventListener("DOMContentLoaded", () => {
  const svg = picture();
  svg.addEventListener("pointerdown", begin);
  svg.addEventListener("pointermove", draw);
  svg.addEventListener("pointerup", end);
  svg.addEventListener("pointercancel", () => {
    from = null;
    show();
  });
  lines().addEventListener("input", show);
  for (const each of document.querySelectorAll("[data-box]")) each.addEventListener("change", show);
  document.getElementById("undo-box").addEventListener("click", () => {
    lines().value = lines().value.trimEnd().split("\n").slice(0, -1).join("\n");
    show();
  });
  show();
});
