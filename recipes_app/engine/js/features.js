// What a node looks like, in the terms of a recorded fingerprint.
(element) => {
  const LANDMARKS = new Set(["banner", "complementary", "contentinfo", "form", "main", "navigation", "region", "search"]);
  const ITEM = "tr, li, [role=row], [role=listitem], article, [role=article], fieldset, [role=group], dd, dt, [role=option]";
  let landmark = "", landmarkName = "";
  for (let at = aria.parentOf(element); at; at = aria.parentOf(at)) {
    if (LANDMARKS.has(aria.roleOf(at))) {
      landmark = aria.roleOf(at);
      landmarkName = aria.nameOf(at);
      break;
    }
  }
  const item = aria.closest(element, ITEM);
  const attributes = {};
  for (const { name, value } of element.attributes) attributes[name] = value;
  return {
    tag: element.tagName.toLowerCase(), role: aria.roleOf(element), name: aria.nameOf(element),
    attributes, landmark, landmarkName, near: item ? aria.wordsOf(item) : "",
  };
}
