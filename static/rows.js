// Rows of samples: one more, or one less.
"use strict";

function add(table) {
  const body = table.tBodies[0];
  const row = body.rows[body.rows.length - 1].cloneNode(true);
  for (const input of row.querySelectorAll("input")) input.value = "";
  body.append(row);
  row.querySelector("input").focus();
}

document.addEventListener("click", (event) => {
  const adder = event.target.closest("[data-add-row]");
  if (adder) add(document.getElementById(adder.dataset.addRow));
  const taker = event.target.closest("[data-take-out]");
  if (!taker) return;
  const row = taker.closest("tr");
  const near = (row.nextElementSibling || row.previousElementSibling)?.querySelector("input");
  row.remove();
  near?.focus();
});
