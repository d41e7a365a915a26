// What the page says is wrong: beside a field it refuses, or in a notice of an error. "" if it says nothing.
() => {
  const MOST = 200;
  const WORDS = /(^|[-_\s])(error|errors|errorlist|danger|invalid|invalid-feedback|failure)([-_\s]|$)/i;
  const flat = (text) => (text || "").replace(/\s+/g, " ").trim();
  const shown = (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const refused = [...document.querySelectorAll("form :invalid:not(fieldset)")].find((e) => e === document.activeElement && shown(e));
  if (refused) return flat(refused.validationMessage).slice(0, MOST);
  const marked = [...document.querySelectorAll('[role=alert], [class*="err" i], [class*="danger" i], [class*="invalid" i], [class*="failure" i]')];
  for (const e of marked) {
    if (e.matches("input, select, textarea, button, a, form, main, body, h1")) continue;
    if (!e.matches("[role=alert]") && !WORDS.test(e.getAttribute("class"))) continue;
    const text = flat(e.innerText);
    if (text && text.length <= MOST && shown(e)) return text;
  }
  return "";
}
