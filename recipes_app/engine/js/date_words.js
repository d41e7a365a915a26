// What a date control says: its value or text, and the values of the fields in it, hidden ones too; one a line.
(element) => {
  const own = "value" in element && element.tagName !== "BUTTON" ? [element.value] : [element.innerText];
  const fields = [...element.querySelectorAll("input, output")].map((e) => e.value || e.innerText || "");
  return [...own, ...fields, element.getAttribute("aria-label") || ""].filter(Boolean).join("\n");
}
