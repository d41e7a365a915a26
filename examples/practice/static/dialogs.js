"use strict";

const outcome = document.querySelector("[data-outcome]");
const actions = {
  alert() {
    window.alert("Your basket is saved.");
    return "Alert closed";
  },
  confirm() {
    return window.confirm("Empty the basket?") ? "Confirmed" : "Cancelled";
  },
  prompt() {
    const name = window.prompt("What is your name?", "");
    return name === null ? "Prompt cancelled" : `Hello, ${name}`;
  },
};

document.querySelectorAll("[data-dialog]").forEach((button) => {
  button.addEventListener("click", () => {
    outcome.textContent = actions[button.dataset.dialog]();
  });
});
