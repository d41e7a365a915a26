// The review room: each picture is fetched once, hashed here, and shown from the very bytes that were hashed; what
// stood at full size is told to the server; keys decide. Uses showPicture, showActual, shownScale and drawing of
// evidence.js.
"use strict";

const room = document.getElementById("exhibit");
const links = [...document.querySelectorAll("[data-show-picture]")];
const approve = document.getElementById("approve");
const token = document.querySelector("[name=csrfmiddlewaretoken]")?.value;
const canHash = Boolean(globalThis.crypto?.subtle);
let isBlocked = !document.getElementById("mismatch").hidden;
let field = -1;
let isHeld = "refused" in room.dataset; // after a refusal no key signs until something was typed or chosen
const WHOLE = 0.999; // pixels of the screen for one of the picture: smaller is not its full size

const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

function sayHashed(words, tone) {
  const said = document.getElementById("hashed-here");
  if (!said) return;
  said.innerHTML = "";
  const span = document.createElement("span");
  span.className = `grounded ${tone}`;
  span.textContent = words;
  said.append(span);
}

function block(words) {
  isBlocked = true;
  document.getElementById("mismatch").hidden = false;
  document.getElementById("mismatch-said").textContent = words;
  ready();
}

function tell(link, sha256) {
  const body = JSON.stringify({ artifact: Number(link.dataset.showPicture), sha256 });
  const headers = { "Content-Type": "application/json", "X-CSRFToken": token };
  return fetch(room.dataset.seenUrl, { method: "POST", headers, body, credentials: "same-origin" });
}

// The bytes as they came, what they hash to (empty where this browser does not hash here), and the decoded picture.
async function take(link) {
  const answer = await fetch(link.href, { credentials: "same-origin" });
  if (!answer.ok) throw new Error(`${link.dataset.label} could not be fetched (${answer.status})`);
  const bytes = await answer.arrayBuffer();
  const sha256 = canHash ? hex(await crypto.subtle.digest("SHA-256", bytes)) : "";
  if (sha256 && sha256 !== link.dataset.sha256) {
    await tell(link, sha256);
    block(`${link.dataset.label}: what came to your browser hashes to ${sha256.slice(0, 12)}…`);
    throw new Error("mismatch");
  }
  link.dataset.bytes = URL.createObjectURL(new Blob([bytes], { type: answer.headers.get("Content-Type") }));
  const picture = new Image();
  picture.src = link.dataset.bytes;
  await picture.decode();
  link.isWhole = picture.naturalWidth === Number(link.dataset.width) && picture.naturalHeight === Number(link.dataset.height);
  link.hashed = sha256;
}

const current = () => links.find((link) => link.dataset.showPicture === drawing()?.dataset.picture);

// The picture in view is one that was fetched whole: from when it stands there at its full size it counts as seen.
async function seen(link) {
  if (!link?.dataset.bytes || document.visibilityState !== "visible") return;
  const image = drawing().querySelector("image");
  if (image.getAttribute("href") !== link.dataset.bytes) image.setAttribute("href", link.dataset.bytes);
  if ("seen" in link.dataset || link.isTold || isBlocked || shownScale() < WHOLE) return;
  if (!link.isWhole) {
    sayApprove(`${link.dataset.label} did not load at its full size.`);
    return;
  }
  link.isTold = true;
  const answer = await tell(link, link.hashed);
  if (answer.ok) {
    link.dataset.seen = "";
    link.querySelector("[data-seen-said]").textContent = "seen";
  } else {
    const { error } = await answer.json().catch(() => ({ error: "The server did not take it." }));
    if (answer.status === 409) block(error);
    else sayApprove(error);
  }
  ready();
}

const unseen = () => links.filter((link) => !("seen" in link.dataset));

function sayApprove(words) {
  const said = document.getElementById("approve-said");
  if (said) said.textContent = words;
}

function ready() {
  if (!approve) return;
  const left = unseen().length;
  approve.disabled = isBlocked || left > 0 || links.some((link) => !link.dataset.bytes);
  room.dataset.ready = String(!approve.disabled);
  if (isBlocked) sayApprove("Nothing can be signed: a file is not what was captured.");
  else if (left) sayApprove(`${left} of ${links.length} picture${links.length === 1 ? "" : "s"} not seen at full size yet. A shows the next one so.`);
  else sayApprove(links.length ? "Every picture stood before you at its full size." : "");
}

async function fetchAll() {
  try {
    for (const link of links) {
      await take(link);
      if (link === current()) await seen(link);
    }
  } catch (error) {
    if (!isBlocked) sayApprove(String(error.message || error));
    sayHashed(isBlocked ? "does not match" : "not all of it", "bad");
    ready();
    return;
  }
  if (!canHash) sayHashed("not here: this page came without https, and not from this computer. The server hashed them.", "");
  else if (links.length) sayHashed(`✓ ${links.length} picture${links.length === 1 ? "" : "s"} match`, "ok");
  await seen(current());
  ready();
}

function nextPicture() {
  const link = links[(links.indexOf(current()) + 1) % links.length];
  if (!link) return;
  showPicture(link.dataset.showPicture);
  seen(link);
}

// The picture in view first, if it is one that was not seen.
function showUnseen() {
  const all = unseen();
  const link = all.includes(current()) ? current() : all[0];
  showPicture(link.dataset.showPicture);
  showActual();
  seen(link);
}

function nextField() {
  const all = [...document.querySelectorAll("button[data-box]")];
  if (!all.length) return;
  field = (field + 1) % all.length;
  all[field].focus();
  seen(current());
}

function open(name) {
  const dialog = document.getElementById(`${name}-dialog`);
  if (!dialog || dialog.open) return;
  dialog.showModal();
  sayMust(dialog);
}

// Another reason is none without words.
function sayMust(dialog) {
  const must = dialog.querySelector("[data-must]");
  if (!must) return;
  const isNeeded = dialog.querySelector("select").value === "other";
  must.textContent = isNeeded ? "(needed)" : "(optional)";
  dialog.querySelector("textarea").required = isNeeded;
}

const lacksWords = (box) => !box.value.trim();

function complain(box, problem) {
  document.getElementById(problem).hidden = false;
  isHeld = true;
  box.focus();
}

const chosen = () => document.querySelector("#verdict [name=answer]:checked")?.value ?? "";

// What would be refused is not sent, and what is signed in haste is asked about once: true where it may go.
function mayGo(form, submitter) {
  if (form.id !== "verdict") return true;
  const words = document.getElementById("answer-words");
  if (chosen() && chosen() !== "meets" && lacksWords(words)) {
    document.getElementById("approve-dialog")?.close();
    complain(words, "answer-problem");
    return false;
  }
  if (submitter?.value !== "approve") return true;
  const dialog = document.getElementById("approve-dialog");
  const why = document.getElementById("approve-words");
  const isUnconcluded = dialog.dataset.concluded === "no" && !chosen();
  if (submitter.id === "approve" && (why || isUnconcluded)) {
    document.getElementById("no-conclusion").hidden = !isUnconcluded;
    open("approve");
    (why || document.getElementById("approve-anyway")).focus();
    return false;
  }
  if (why && lacksWords(why)) {
    complain(why, "approve-problem");
    return false;
  }
  return true;
}

function sign() {
  if (isHeld) sayApprove("Nothing was signed. Say what is missing first, or use the button.");
  else if (approve?.disabled && unseen().length && !isBlocked) showUnseen();
  else press("approve");
}

const press = (name) => document.getElementById(name)?.click();

function answer(number) {
  const radio = document.querySelectorAll("#verdict [name=answer]")[number - 1];
  if (!radio) return;
  radio.checked = true;
  if (number > 1) document.getElementById("answer-words").focus();
}

const keys = {
  j: () => press("next"),
  k: () => press("previous"),
  a: sign,
  r: () => document.getElementById("reject") && open("reject"),
  c: () => document.getElementById("recapture") && open("recapture"),
  z: () => document.querySelector("[data-undo]")?.click(),
  f: nextField,
  p: nextPicture,
  "+": () => document.querySelector("[data-zoom=in]")?.click(),
  "-": () => document.querySelector("[data-zoom=out]")?.click(),
  0: () => document.querySelector("[data-zoom=fit]")?.click(),
  1: () => answer(1),
  2: () => answer(2),
  3: () => answer(3),
  "?": () => document.getElementById("keys").showModal(),
};

// A dialog that was just closed may still have the focus, and is typed into by nobody.
const FIELDS = "textarea, select, dialog[open], input:not([type=checkbox], [type=radio])";
const isTyping = (target) => target.closest(FIELDS) !== null && target.checkVisibility();

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.key === "Escape" && event.target.id === "answer-words") event.target.blur();
  const act = keys[event.key.toLowerCase()];
  if (!act || isTyping(event.target) || document.querySelector("dialog[open]")) return;
  event.preventDefault();
  act();
});

document.addEventListener("click", (event) => {
  const opener = event.target.closest("#reject, #recapture");
  if (opener) open(opener.id);
  if (event.target.closest("#show-keys")) keys["?"]();
  event.target.closest("[data-close]")?.closest("dialog").close();
  if (event.target.closest("[data-show-picture], button[data-box], [data-zoom]")) seen(current());
});

for (const kind of ["input", "change"]) {
  document.addEventListener(kind, (event) => {
    if (!event.target.closest("form")) return;
    isHeld = false;
    for (const each of document.querySelectorAll("#answer-problem, #approve-problem")) each.hidden = true;
    const dialog = event.target.closest("dialog");
    if (dialog) sayMust(dialog);
  });
}

for (const kind of ["mouseover", "focusin"]) {
  document.addEventListener(kind, (event) => {
    if (event.target.closest?.("button[data-box]")) seen(current());
  });
}

// Nothing is decided twice by one press.
document.addEventListener("submit", (event) => {
  if (event.target.dataset.sent || !mayGo(event.target, event.submitter)) event.preventDefault();
  else event.target.dataset.sent = "yes";
});

// Come back to by the browser's own button, the page is asked for anew: what it knew may be over.
window.addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});
document.addEventListener("visibilitychange", () => seen(current()));

// After a refusal what was chosen stands there again, and so does whoever types.
function comeBack() {
  history.replaceState(null, "", room.dataset.url);
  const { refused } = room.dataset;
  if (refused === "reject" || refused === "recapture") {
    open(refused);
    document.getElementById(`${refused}-words`)?.focus();
  } else document.getElementById("answer-words")?.focus();
}

if (isHeld) comeBack();
ready();
fetchAll();
