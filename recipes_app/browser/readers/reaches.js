// Whether a click that meets `hit` would reach the element.
(element, hit) => {
  const INTERACTIVE = "a, button, label, summary, option, [role=button], [role=link], [role=option], [role=menuitem]";
  const contains = (outer, inner) => {
    for (let at = inner; at; at = at.parentNode || at.host) if (at === outer) return true;
    return false;
  };
  if (contains(element, hit)) return true;
  const label = hit.closest("label");
  if (label && label.control === element) return true;
  const control = contains(hit, element) && hit.closest(INTERACTIVE);
  return Boolean(control && contains(control, element));
}
