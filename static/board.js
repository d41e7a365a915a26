// Keys of the proposal board: j k move, a r e decide about the one shown, x ticks it, m opens more, ? explains.
"use strict";

const cards = () => [...document.querySelectorAll("#cards > li")];
const picked = () => cards().findIndex((card) => card.classList.contains("picked"));

function pick(card) {
  for (const each of cards()) {
    each.classList.toggle("picked", each === card);
    const link = each.querySelector("a");
    if (each === card) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

function move(by) {
  const all = cards();
  const next = all[Math.min(all.length - 1, Math.max(0, picked() + by))];
  if (!next || next.classList.contains("picked")) return;
  const link = next.querySelector("a");
  link.focus();
  link.click();
}

function tick() {
  const box = cards()[picked()]?.querySelector("input[type=checkbox]");
  if (box) box.checked = !box.checked;
}

function openMore() {
  const more = document.getElementById("more");
  if (!more) return;
  more.open = true;
  more.querySelector("select, button, input")?.focus();
}

const keys = {
  j: () => move(1),
  k: () => move(-1),
  a: () => document.getElementById("approve")?.click(),
  r: () => document.getElementById("reject")?.click(),
  e: () => document.getElementById("edit")?.click(),
  m: () => openMore(),
  x: tick,
  "?": () => document.getElementById("keys").showModal(),
};

function isTyping(target) {
  return target.closest("textarea, select, dialog[open], input:not([type=checkbox])") !== null;
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat && "are".includes(event.key)) return;
  const act = keys[event.key];
  if (!act || isTyping(event.target)) return;
  event.preventDefault();
  act();
});

// Where the list stands above the detail, a tap on a proposal leads down to it.
document.addEventListener("htmx:afterSwap", (event) => {
  const detail = event.target.closest?.("#detail");
  if (detail && matchMedia("(max-width: 62rem)").matches) detail.scrollIntoView();
});

document.addEventListener("click", (event) => {
  const card = event.target.closest("#cards a")?.closest("li");
  if (card) pick(card);
});
