// What a node looks like, in the terms of a recorded fingerprint.
(element) => {
  const LANDMARKS = new Set(["banner", "complementary", "contentinfo", "form", "main", "navigation", "region", "search"]);
  const ITEM = "tr, li, [role=row], [role=listitem], article, [role=article], fieldset, [role=group], dd, dt, [role=option]";
  // Innermost first: what was right in the main part may stand in a section of it now.
  const landmarks = [];
  for (let at = aria.parentOf(element); at; at = aria.parentOf(at)) {
    const role = aria.roleOf(at);
    if (LANDMARKS.has(role)) landmarks.push(role);
  }
  const item = aria.closest(element, ITEM);
  const attributes = {};
  for (const { name, value } of element.attributes) attributes[name] = value;
  return {
    tag: element.tagName.toLowerCase(), role: aria.roleOf(element), name: aria.nameOf(element),
    attributes, landmarks, near: item ? aria.wordsOf(item) : "",
  };
}
