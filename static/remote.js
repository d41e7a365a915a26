// The remote browser in the page: asks for pictures as long as there is something to see, sends input in order.
"use strict";

const stage = document.getElementById("stage");
const screenBox = document.getElementById("screen");
const picture = document.getElementById("picture");
const said = document.getElementById("said");
const one = (id) => document.getElementById(id);
const csrf = stage.querySelector("input[name=csrfmiddlewaretoken]").value;
const mayDrive = stage.dataset.may === "1";
const QUICK_MS = 40, SLOW_MS = 350, QUICK_FOR_MS = 2500, MOVE_MS = 80, WHEEL_MS = 60, MOST = 50;
let number = 0, lively = 0, drives = false, url = "", shown = "", offered = "";

// --- pictures in
async function look() {
  try {
    const answer = await fetch(`${stage.dataset.picture}?after=${number}`, { cache: "no-store" });
    const told = answer.headers.get("X-State");
    if (answer.status === 404 || answer.redirected) { location.reload(); return; }
    const state = told ? JSON.parse(told) : {};
    if (answer.status === 200) {
      const data = await answer.blob();
      number = state.number;
      lively = Date.now();
      await paint(data);
    }
    if (answer.status === 200 || answer.status === 204) follow(state);
    else say(state.said || "The server does not answer; trying again.");
  } catch { say("The server does not answer; trying again."); }
  setTimeout(look, document.hidden ? 3000 : Date.now() - lively < QUICK_FOR_MS ? QUICK_MS : SLOW_MS);
}

async function paint(data) {
  const before = picture.src;
  picture.src = URL.createObjectURL(data);
  picture.hidden = false;
  picture.dataset.number = number;
  try { await picture.decode(); } catch { /* a newer one is on its way */ }
  if (before) URL.revokeObjectURL(before);
}

let sayUntil = 0;
function say(text) { if (Date.now() > sayUntil && said.textContent !== text) said.textContent = text; }
// What went wrong, or what to do next, is not overtaken by who drives.
function tell(text) { sayUntil = 0; say(text); sayUntil = Date.now() + 4000; }

function follow(state) {
  if (state.next) { location.assign(state.next); return; }
  if (state.status === "queued") { say("Waiting for a worker. The browser opens as soon as one is free."); return; }
  if (state.number === undefined) { say("The browser is being opened, or its worker does not answer."); return; }
  drives = state.mine || (mayDrive && !state.driver);
  const who = !state.driver ? "Nobody drives it." : state.mine ? "You drive it." : `${state.driver} drives it; you watch.`;
  say(state.said || who);
  wheel(state);
  for (const part of stage.querySelectorAll("button, #url, #words")) if (part.id !== "take" && part.id !== "zoom") part.disabled = !drives;
  if (document.activeElement !== one("url") && url !== state.url) one("url").value = url = state.url;
  tabs(state);
  dialog(state.dialog);
  offer(state.offer);
}

function wheel(state) {
  if (!one("wheel")) return;
  one("wheel").hidden = state.mine;
  one("take").hidden = state.mine;
}

function tabs(state) {
  const mark = JSON.stringify([state.pages, state.page]);
  one("tabs").hidden = state.pages.length < 2;
  if (shown === mark) return;
  shown = mark;
  one("tabs").replaceChildren(...state.pages.map(([number, address]) => {
    const item = document.createElement("li"), button = document.createElement("button");
    button.type = "button";
    button.className = "button small";
    button.textContent = address.replace(/^https?:\/\//, "").slice(0, 40);
    if (number === state.page) button.setAttribute("aria-current", "true");
    button.addEventListener("click", () => send({ kind: "page", number }));
    item.append(button);
    return item;
  }));
}

function dialog(asked) {
  const box = one("dialog"), was = box.hidden;
  box.hidden = !asked;
  if (!asked || !was) return;
  one("dialog-text").textContent = `The page says: ${asked.message}`;
  one("dialog-field").hidden = asked.type !== "prompt";
  one("dialog-answer").value = asked.text || "";
  one("dialog-dismiss").hidden = asked.type === "alert";
  if (drives) (asked.type === "prompt" ? one("dialog-answer") : box.querySelector("button")).focus();
}

function offer(made) {
  const box = one("offer"), mark = JSON.stringify(made || null);
  if (mark === offered) return;
  offered = mark;
  box.hidden = !made;
  if (!made) return;
  one("offer-label").textContent = made.label || "Choose";
  one("offer-list").hidden = !made.options;
  one("offer-input").hidden = Boolean(made.options);
  if (made.options) {
    one("offer-list").replaceChildren(...made.options.map((choice, index) => {
      const option = new Option(choice.label, index, false, choice.chosen);
      option.disabled = choice.off;
      return option;
    }));
  } else {
    one("offer-input").type = made.input;
    one("offer-input").value = made.value;
  }
  if (drives) (made.options ? one("offer-list") : one("offer-input")).focus();
}

// --- input out, in order: the next lot waits for the one before
const queue = [];
let sending = false;
function send(event) {
  if (!drives) return;
  const last = queue[queue.length - 1];
  if (event.type === "move" && last?.type === "move") queue.pop();
  queue.push(event);
  lively = Date.now();
  if (!sending) void pass();
}

async function pass() {
  sending = true;
  while (queue.length) {
    const events = queue.splice(0, MOST);
    try {
      const answer = await post(stage.dataset.input, JSON.stringify({ events }));
      if (!answer.ok) { tell((await answer.json()).error || "That was not taken."); queue.length = 0; }
    } catch { tell("The server does not answer; what you did last has not reached the page."); queue.length = 0; }
  }
  sending = false;
}

function post(address, body) {
  return fetch(address, { method: "POST", body, headers: { "X-CSRFToken": csrf, "Content-Type": "application/json" } });
}

function place(event) {
  const box = picture.getBoundingClientRect();
  return { x: Math.round((event.clientX - box.left) * picture.naturalWidth / box.width), y: Math.round((event.clientY - box.top) * picture.naturalHeight / box.height) };
}

let moved = 0, wheeled = 0, pressed = false;
const mouse = (type, event, more) => send({ kind: "mouse", type, ...place(event), ...more });
screenBox.addEventListener("pointerdown", (event) => {
  if (picture.hidden || event.button > 2) return;
  event.preventDefault();
  screenBox.focus({ preventScroll: true });
  if (event.pointerType === "mouse" || !zoomed()) {
    pressed = true;
    screenBox.setPointerCapture(event.pointerId);
    mouse("down", event, { button: event.button, clicks: clicksOf(event) });
  }
});
screenBox.addEventListener("pointerup", (event) => {
  if (pressed) mouse("up", event, { button: event.button, clicks: count });
  else if (event.pointerType !== "mouse" && zoomed()) {
    mouse("down", event, { button: 0, clicks: 1 });
    mouse("up", event, { button: 0, clicks: 1 });
  }
  pressed = false;
});
screenBox.addEventListener("pointermove", (event) => {
  if (picture.hidden || Date.now() - moved < MOVE_MS) return;
  moved = Date.now();
  mouse("move", event);
});
screenBox.addEventListener("wheel", (event) => {
  if (zoomed()) return;
  event.preventDefault();
  if (Date.now() - wheeled < WHEEL_MS) return;
  wheeled = Date.now();
  mouse("wheel", event, { dx: event.deltaX, dy: event.deltaY });
}, { passive: false });
screenBox.addEventListener("contextmenu", (event) => event.preventDefault());

// Pointer events do not count clicks.
let count = 0, lastDown = { at: 0, x: 0, y: 0 };
function clicksOf(event) {
  const near = Math.hypot(event.clientX - lastDown.x, event.clientY - lastDown.y) < 6 && Date.now() - lastDown.at < 400;
  count = near ? Math.min(3, count + 1) : 1;
  lastDown = { at: Date.now(), x: event.clientX, y: event.clientY };
  return count;
}

const ALONE = new Set(["Control", "Shift", "Alt", "Meta", "CapsLock", "Dead", "Process", "Unidentified", "AltGraph"]);
screenBox.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && event.shiftKey) { event.preventDefault(); one("url").disabled ? screenBox.blur() : one("url").focus(); return; }
  if (ALONE.has(event.key) || event.isComposing || (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "v") return;
  event.preventDefault();
  const writes = event.getModifierState("AltGraph");
  const modifiers = [["Control", event.ctrlKey && !writes], ["Shift", event.shiftKey], ["Alt", event.altKey && !writes], ["Meta", event.metaKey]].filter(([, held]) => held).map(([name]) => name);
  send({ kind: "key", key: event.key, modifiers });
});
screenBox.addEventListener("paste", (event) => {
  const text = event.clipboardData.getData("text");
  if (text) { event.preventDefault(); send({ kind: "text", text: text.slice(0, 10000) }); }
});

// --- what stands around the picture
one("address").addEventListener("submit", (event) => { event.preventDefault(); send({ kind: "goto", url: complete(one("url").value) }); screenBox.focus(); });
const complete = (text) => (/^[a-z]+:/i.test(text) ? text : text.startsWith("/") ? new URL(text, url).href : `https://${text}`);
function typeWords() { if (one("words").value) send({ kind: "text", text: one("words").value }); one("words").value = ""; }
one("type-words").addEventListener("click", typeWords);
one("words").addEventListener("keydown", (event) => { if (event.key === "Enter" && !event.isComposing) { event.preventDefault(); typeWords(); send({ kind: "key", key: "Enter", modifiers: [] }); } });
one("dialog").addEventListener("submit", (event) => {
  event.preventDefault();
  send({ kind: "dialog", answer: event.submitter?.value || "accept", text: one("dialog-answer").value });
  screenBox.focus();
});
one("offer").addEventListener("submit", (event) => {
  event.preventDefault();
  send({ kind: "choose", value: one("offer-list").hidden ? one("offer-input").value : one("offer-list").value });
  screenBox.focus();
});
one("offer-leave").addEventListener("click", () => { send({ kind: "choose", value: null }); screenBox.focus(); });
for (const button of stage.querySelectorAll("[data-send]")) button.addEventListener("click", () => send({ kind: button.dataset.send }));
for (const button of stage.querySelectorAll("[data-key]")) button.addEventListener("click", () => send({ kind: "key", key: button.dataset.key, modifiers: [] }));
for (const button of stage.querySelectorAll("[data-pick]")) {
  button.addEventListener("click", () => {
    send({ kind: "pick", what: button.dataset.pick });
    tell(`Now click the ${button.dataset.pick} in the picture.`);
    screenBox.focus();
  });
}
one("take")?.addEventListener("click", async () => {
  const answer = await post(stage.dataset.drive, "{}");
  if (!answer.ok) tell((await answer.json()).error);
  lively = Date.now();
});
const zoomed = () => screenBox.classList.contains("actual");
one("zoom").addEventListener("click", () => { one("zoom").setAttribute("aria-pressed", String(screenBox.classList.toggle("actual"))); });

void look();
