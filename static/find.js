// The key / goes to the search box of the rail; Escape leaves it again.
"use strict";

document.addEventListener("keydown", (event) => {
  const box = document.getElementById("find");
  if (!box || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape" && event.target === box) box.blur();
  if (event.key !== "/" || event.target.closest("input:not([type=checkbox]), textarea, select, dialog[open]")) return;
  event.preventDefault();
  box.focus();
  box.select();
});
