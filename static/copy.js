// Buttons that copy: <button data-copy="text"> or, beside a <pre>, <button data-copy>.
"use strict";

async function copyFrom(button) {
  const text = button.dataset.copy || button.parentElement.querySelector("pre").textContent;
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Not allowed here";
  }
  setTimeout(() => { button.textContent = before; }, 1500);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-copy]");
  if (button) copyFrom(button);
});
