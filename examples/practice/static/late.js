"use strict";

window.addEventListener("load", () => {
  setTimeout(async () => {
    const answer = await fetch("/late/content");
    const place = document.querySelector("[data-late]");
    place.innerHTML = await answer.text();
    place.removeAttribute("aria-busy");
  }, 700);
});
