"use strict";

const banner = document.querySelector("[data-cookie-banner]");
if (banner) {
  if (document.cookie.includes("consent=")) {
    banner.remove();
  }
  banner.querySelectorAll("[data-consent]").forEach((button) => {
    button.addEventListener("click", () => {
      document.cookie = `consent=${button.dataset.consent}; path=/; max-age=31536000; samesite=lax`;
      banner.remove();
    });
  });
}

document.addEventListener("submit", (event) => {
  const question = event.target.dataset.confirm;
  if (question && !window.confirm(question)) {
    event.preventDefault();
  }
});

document.addEventListener("click", (event) => {
  const heart = event.target.closest("[data-heart]");
  if (heart) {
    heart.textContent = heart.textContent === "♡" ? "♥" : "♡";
  }
});
