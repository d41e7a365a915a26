// Where files for this element go: the element itself, or how to find the input that belongs to it.
(element) => {
  const isFiles = (e) => e && e.matches("input[type=file]");
  const button = element.matches("button, a, label, [role=button], [role=link], input");
  const all = [...document.querySelectorAll("input[type=file]")];
  if (isFiles(element)) return { own: true, index: -1, button };
  if (element.tagName === "LABEL" && isFiles(element.control)) return { own: false, index: all.indexOf(element.control), button };
  for (let at = element; at && at !== document.body; at = at.parentElement) {
    const inside = [...at.querySelectorAll("input[type=file]")];
    if (inside.length === 1) return { own: false, index: all.indexOf(inside[0]), button };
    if (inside.length > 1) return { own: false, index: -1, button };
    if (at.tagName === "FORM") break;
  }
  return { own: false, index: -1, button };
}
