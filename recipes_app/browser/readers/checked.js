// The state of a check box, radio button or switch: true, false, or null for what has none.
(element) => {
  if (element.matches("input[type=checkbox], input[type=radio]")) return element.checked;
  for (const name of ["aria-checked", "aria-pressed", "aria-selected"]) {
    const said = element.getAttribute(name);
    if (said !== null) return said === "true";
  }
  return null;
}
