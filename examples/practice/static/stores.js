"use strict";

const input = document.querySelector("[data-suggest]");
const list = document.querySelector("[role=listbox]");
let timer = 0;
let active = -1;

const options = () => [...list.querySelectorAll("[role=option]")];

function close() {
  list.hidden = true;
  active = -1;
  input.setAttribute("aria-expanded", "false");
  input.removeAttribute("aria-activedescendant");
}

function choose(option) {
  input.value = option.textContent;
  close();
}

function show(cities) {
  list.replaceChildren(...cities.map((city, index) => {
    const option = document.createElement("li");
    option.id = `${list.id}-${index}`;
    option.setAttribute("role", "option");
    option.setAttribute("aria-selected", "false");
    option.textContent = city;
    return option;
  }));
  active = -1;
  list.hidden = cities.length === 0;
  input.setAttribute("aria-expanded", String(cities.length > 0));
}

async function suggest() {
  const wanted = input.value;
  const answer = await fetch(`/api/cities?q=${encodeURIComponent(wanted)}`);
  const cities = await answer.json();
  if (input.value === wanted) {
    show(wanted ? cities : []);
  }
}

function move(step) {
  const all = options();
  if (list.hidden || all.length === 0) return;
  active = (active + step + all.length) % all.length;
  all.forEach((option, index) => option.setAttribute("aria-selected", String(index === active)));
  input.setAttribute("aria-activedescendant", all[active].id);
}

input.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(suggest, 150);
});

input.addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    move(event.key === "ArrowDown" ? 1 : -1);
  } else if (event.key === "Enter" && !list.hidden && active >= 0) {
    event.preventDefault();
    choose(options()[active]);
  } else if (event.key === "Escape") {
    close();
  }
});

// mousedown comes before the field loses focus, so the list is still open.
list.addEventListener("mousedown", (event) => {
  const option = event.target.closest("[role=option]");
  if (option) {
    event.preventDefault();
    choose(option);
  }
});

input.addEventListener("blur", () => setTimeout(close, 100));
