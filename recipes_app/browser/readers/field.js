// What kind of field this is, and how it can be typed into.
(element) => {
  const TEXT = ["text", "search", "email", "url", "tel", "password", "number", ""];
  const DATES = ["date", "datetime-local", "time", "month", "week"];
  const role = element.getAttribute("role") || "";
  const tag = element.tagName;
  const type = tag === "INPUT" ? element.type : "";
  const kind = () => {
    if (tag === "TEXTAREA" || (tag === "INPUT" && TEXT.includes(type))) return "text";
    if (tag === "INPUT" && DATES.includes(type)) return "date";
    if (tag === "INPUT" && ["range", "color"].includes(type)) return "set";
    if (tag === "INPUT" || tag === "SELECT") return tag === "SELECT" ? "select" : type;
    if (element.isContentEditable) return "editor";
    if (role === "slider" || role === "spinbutton") return "steps";
    return "none";
  };
  const autocomplete = element.getAttribute("aria-autocomplete") || "none";
  const suggests = tag === "INPUT" && type !== "password" && (role === "combobox" || autocomplete !== "none");
  const label = tag === "LABEL" && element.control ? element.innerText : "";
  return { kind: kind(), type, suggests, label, readonly: Boolean(element.readOnly), maxlength: element.maxLength ?? -1 };
}
