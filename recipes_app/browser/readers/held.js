// What a field holds now, as text.
(element) => {
  const role = element.getAttribute("role");
  if (element.tagName === "SELECT") return [...element.selectedOptions].map((o) => o.label).join(", ");
  if (element.tagName === "INPUT" && ["checkbox", "radio"].includes(element.type)) return String(element.checked);
  if ("value" in element && element.tagName !== "LI" && element.tagName !== "BUTTON") return String(element.value);
  if (element.isContentEditable) {
    const text = element.innerText.replace(/\r\n?/g, "\n");
    // An editor shows paragraphs as blocks, and innerText puts an empty line between them.
    return text.replace(/\u00a0/g, " ").replace(/\n+$/, "");
  }
  if (role === "slider" || role === "spinbutton") return element.getAttribute("aria-valuenow") ?? "";
  if (element.hasAttribute("aria-checked")) return element.getAttribute("aria-checked");
  return (element.innerText ?? element.textContent ?? "").trim();
}
