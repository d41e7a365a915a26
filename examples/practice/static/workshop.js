"use strict";

// A form in parts: the next part is shown once this one is filled in.
for (const button of document.querySelectorAll("[data-next]")) {
  button.addEventListener("click", () => {
    const part = button.closest("[data-part]");
    const fields = [...part.querySelectorAll("input, select")];
    if (!fields.every((field) => field.reportValidity())) return;
    part.hidden = true;
    part.parentElement.closest("form").querySelector(`[data-part="${Number(part.dataset.part) + 1}"]`).hidden = false;
  });
}

for (const field of document.querySelectorAll("[data-sends]")) {
  field.addEventListener("change", () => field.form.submit());
}

for (const button of document.querySelectorAll("[data-more]")) {
  button.addEventListener("click", async () => {
    const answer = await fetch(`/workshop/journal/entries?from=${button.dataset.more}`);
    const place = document.createElement("div");
    place.innerHTML = await answer.text();
    const entries = [...place.querySelectorAll("li")];
    document.querySelector("[data-journal]").append(...entries);
    button.dataset.more = String(Number(button.dataset.more) + entries.length);
    if (entries.length < 5) button.remove();
  });
}

const tabs = [...document.querySelectorAll("[role=tab]")];
for (const tab of tabs) {
  tab.addEventListener("click", () => {
    for (const other of tabs) {
      other.setAttribute("aria-selected", String(other === tab));
      document.getElementById(other.getAttribute("aria-controls")).hidden = other !== tab;
    }
  });
}

for (const button of document.querySelectorAll("[data-opens]")) {
  button.addEventListener("click", () => document.querySelector("dialog").showModal());
}

const box = document.querySelector("[data-choice]");
if (box) {
  const list = document.querySelector("[role=listbox]");
  const show = (open) => {
    list.hidden = !open;
    box.setAttribute("aria-expanded", String(open));
  };
  box.addEventListener("click", () => show(list.hidden));
  box.addEventListener("keydown", (event) => {
    if (event.key === "Escape") show(false);
    if (event.key === "Enter" || event.key === "ArrowDown") show(true);
  });
  for (const option of list.querySelectorAll("[role=option]")) {
    option.addEventListener("click", () => {
      for (const other of list.children) other.setAttribute("aria-selected", String(other === option));
      box.textContent = option.textContent;
      show(false);
    });
  }
  document.querySelector("[data-price]").addEventListener("click", () => {
    const width = Number(document.querySelector("input[type=number]").value);
    const price = width * { Ash: 1.2, Oak: 1.5, Pine: 0.8 }[box.textContent];
    const row = document.createElement("tr");
    for (const text of [`${box.textContent}, ${width} cm`, `€ ${price.toFixed(2)}`]) row.insertCell().textContent = text;
    document.querySelector("[data-answer]").replaceChildren(row);
  });
}
