// What a field holds now, as text, once the page has had a frame and a task to change its mind.
async (element, given) => {
  if (given && given.settle) {
    await new Promise((done) => { requestAnimationFrame(() => setTimeout(done, 0)); setTimeout(done, 60); });
    // What the page will do in a moment may take the value back.
    const now = performance.now();
    const timers = [...(window[Symbol.for("agentify.watch")]?.timers.values() || [])].filter((due) => due > now && due < now + 250);
    if (timers.length) await new Promise((done) => { setTimeout(done, Math.max(...timers) - now + 5); });
  }
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
