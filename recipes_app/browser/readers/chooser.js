// What kind of chooser an element is, and which element holds its choices.
(element) => {
  const role = aria.roleOf(element);
  const inner = element.querySelector("select, [role=combobox], [role=radiogroup], [role=listbox]");
  const radios = element.querySelectorAll("input[type=radio], [role=radio]").length;
  const controls = element.getAttribute("aria-controls") || element.getAttribute("aria-owns") || "";
  const kind = () => {
    if (element.tagName === "SELECT") return "native";
    if (element.list) return "suggested";
    if (element.matches("input[type=radio]")) return "radio";
    if (role === "radio") return "radio";
    if (role === "radiogroup" || radios > 1) return "group";
    if (role === "listbox" || role === "menu" || role === "tablist") return "open";
    return inner && !element.matches("input, button") ? "inside" : "opener";
  };
  const listed = element.list ? [...element.list.options].map((o) => ({ value: o.value, label: o.label || o.text })) : [];
  return { kind: kind(), role, listed, controls: controls.split(/\s+/)[0], name: element.name || "", typed: element.matches("input, textarea") };
}
