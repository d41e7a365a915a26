// Forms, and groups of fields that behave like one without a <form> around them.
const CONTROLS = "input:not([type=hidden]),select,textarea,[contenteditable=''],[contenteditable=true],[role=combobox],[role=textbox],[role=searchbox],[role=spinbutton],[role=switch],[role=checkbox],[role=slider]";
const BUTTONS = "button:not([role=switch],[role=checkbox]),input[type=submit],input[type=image],input[type=button],[role=button]";
const isButton = (el) => el.matches(BUTTONS) || el.matches("input[type=reset]");
// Styled checkboxes, radios and file inputs are often invisible themselves under a visible label.
const usable = (el) => visible(el) || (el.matches("input[type=file]") && !el.disabled) ||
  (el.matches("input[type=checkbox],input[type=radio]") && Array.from(el.labels || []).some(visible));

function optionsOf(el) {
  if (el.matches("select")) {
    return Array.from(el.options).slice(0, 300).map((o) => ({ value: o.value, label: fold(o.label || o.text), selected: o.selected, disabled: o.disabled }));
  }
  if (el.list) return Array.from(el.list.options).slice(0, 100).map((o) => ({ value: o.value, label: fold(o.label || o.value), selected: false, disabled: o.disabled }));
  const list = ariaList(el);
  return list ? Array.from(list.querySelectorAll("[role=option]")).slice(0, 100).map((o) => ({ value: cut(o.textContent, 120), label: cut(o.textContent, 120), selected: flag(o, "aria-selected") || fold(o.textContent) === fold(el.innerText), disabled: flag(o, "aria-disabled") })) : [];
}
// The options of a box that is no <select>: in itself, or in the list that it says it controls.
function ariaList(el) {
  if (el.matches("input,textarea,select")) return null;
  if (el.querySelector("[role=option]")) return el;
  const ids = `${attribute(el, "aria-controls")} ${attribute(el, "aria-owns")}`.split(/\s+/).filter(Boolean);
  return ids.map((id) => el.getRootNode().getElementById(id)).find((n) => n && n.matches("[role=listbox],:has([role=option])")) || null;
}
function groupLabel(el) {
  const group = closest(el, "fieldset,[role=group],[role=radiogroup]");
  if (!group || group.contains(closest(el, "form"))) return "";
  return labelOf(group) || fold(group.matches("fieldset") && group.querySelector("legend") ? group.querySelector("legend").textContent : "");
}
// Where a table places a form, the cell before a field says what it is for.
function besideOf(el) {
  const cell = closest(el, "td");
  if (!cell || Array.from(cell.querySelectorAll(CONTROLS)).filter(usable).length !== 1) return "";
  const before = cell.previousElementSibling;
  return before && before.matches("th,td") && !before.querySelector(`${CONTROLS},${BUTTONS}`) ? cut(labelText(before), 60) : "";
}
const attribute = (el, name) => el.getAttribute(name) || "";
const flag = (el, name) => el.getAttribute(name) === "true";
function defaultOf(el) {
  if (el.matches("select")) return Array.from(el.selectedOptions).map((o) => o.value).join("\n");
  if (el.matches("input[type=password],input[type=file]")) return "";
  return cut(el.value === undefined ? el.textContent : el.value, 300);
}
function fieldFacts(el) {
  const type = el.matches("input") ? el.type : el.matches("select") ? "select" : el.matches("textarea") ? "textarea" : roleOf(el);
  return {
    type, tag: el.localName, role: roleOf(el), name: nameOf(el), label: cut(labelOf(el), 120), beside: besideOf(el), group: cut(groupLabel(el), 80),
    attribute_name: attribute(el, "name"), element_id: el.id, test_id: testIdOf(el), placeholder: attribute(el, "placeholder"), title: attribute(el, "title"),
    autocomplete: attribute(el, "autocomplete").toLowerCase(), required: Boolean(el.required) || flag(el, "aria-required"),
    disabled: Boolean(el.disabled) || flag(el, "aria-disabled"), read_only: Boolean(el.readOnly) || flag(el, "aria-readonly"),
    checked: Boolean(el.checked) || flag(el, "aria-checked"), multiple: Boolean(el.multiple), accept: attribute(el, "accept"),
    minimum: attribute(el, "min"), maximum: attribute(el, "max"), step: attribute(el, "step"), pattern: attribute(el, "pattern"),
    min_length: el.minLength > 0 ? el.minLength : null, max_length: el.maxLength > 0 ? el.maxLength : null,
    options: optionsOf(el), default: defaultOf(el), value: el.matches("input[type=radio],input[type=checkbox]") ? el.value : "",
    help: cut(byIds(el, "aria-describedby"), 160), popup: el.matches("[aria-autocomplete=list],[aria-autocomplete=both],[aria-haspopup=listbox]") || (roleOf(el) === "combobox" && !el.matches("select,[list]")),
    box: boxOf(el), ...waysTo(el),
  };
}
function buttonFacts(el) {
  const form = el.form;
  return {
    name: nameOf(el), role: roleOf(el) || "button", tag: el.localName, type: el.matches("button,input") ? el.type : "button", attribute_name: attribute(el, "name"),
    test_id: testIdOf(el), disabled: Boolean(el.disabled), action: form && el.hasAttribute("formaction") ? el.formAction : "",
    method: form && el.hasAttribute("formmethod") ? el.formMethod : "", confirm: /confirm\s*\(/.test(attribute(el, "onclick")),
    css_class: attribute(el, "class"), turns_page: turnsPage(el), opens: opensSomething(el), expands: attribute(el, "aria-expanded") === "false", box: boxOf(el), ...waysTo(el),
  };
}
// Buttons of a pager, and those that show something more of the page, send nothing.
const PAGE_WORDS = /^(first|previous|prev|next|last)( page)?$|^\d+$|^[<>«»‹›]+$/i;
const turnsPage = (el) => PAGE_WORDS.test(nameOf(el)) && !el.matches("[type=submit]") && !sendsFields(el);
const sendsFields = (el) => el.matches("button:not([type])") && Boolean(el.form) && Array.from(el.form.elements).some((n) => n.matches(CONTROLS) && usable(n));
const opensSomething = (el) => (el.matches("[aria-haspopup]:not([aria-haspopup=false]),[aria-expanded],[data-toggle=modal],[data-bs-toggle]") || (el.matches("[aria-controls]") && !el.form)) && !el.matches("[type=submit][name]");
function formFacts(el, fields, buttons) {
  const isForm = el.matches("form");
  return {
    method: isForm ? attribute(el, "method").toLowerCase() : "", action: isForm ? absolute(el.getAttribute("action") || location.href) : "",
    is_form: isForm, role: attribute(el, "role"), element_id: el.id, css_class: attribute(el, "class"), encoding: isForm ? el.enctype : "",
    confirm: /confirm\s*\(/.test(attribute(el, "onsubmit")) || el.hasAttribute("data-confirm"), in_row: Boolean(closest(el, "tr,[role=row]")),
    text: textOf(el, 300), fields: fields.slice(0, 60).map(fieldFacts), fields_total: fields.length, hidden: hiddenNames(el),
    buttons: buttons.slice(0, 12).map(buttonFacts), chrome: isChrome(el), sibling_forms: siblingForms(el), box: boxOf(el), context: contextOf(el), ...waysTo(el),
  };
}
const hiddenNames = (el) => el.matches("form") ? Array.from(el.elements).filter((n) => n.type === "hidden").map((n) => n.name).slice(0, 20) : [];
// How many forms of the page have the same make: one "Add to basket" per card is a row action, not a tool each.
const makeOf = (form) => Array.from(form.elements).filter((n) => n.name).map((n) => `${n.localName}:${n.type}:${n.name}`).join() + Array.from(form.querySelectorAll(BUTTONS)).map(nameOf).join();
const makes = new Map();
for (const form of queryAll("form").slice(0, 500)) makes.set(makeOf(form), (makes.get(makeOf(form)) || 0) + 1);
const siblingForms = (el) => el.matches("form") ? makes.get(makeOf(el)) || 1 : 1;

// An image button is not among form.elements; a button may belong to a form by its form attribute only.
const membersOf = (form) => Array.from(new Set([...form.elements, ...form.querySelectorAll(`${CONTROLS},${BUTTONS}`)]));
// A card or dialog may hold its form and, beside it, the button that sends it.
function buttonsBeside(form) {
  for (let at = parentOf(form), levels = 0; at && levels < 3 && !at.matches("body,main,[role=main]"); at = parentOf(at), levels += 1) {
    if (at.querySelectorAll("form").length > 1) break;
    const found = Array.from(at.querySelectorAll(BUTTONS)).filter((b) => !b.form && visible(b));
    if (found.length) return found;
  }
  return [];
}
function realForms() {
  return queryAll("form").slice(0, 120).map((form) => {
    const members = membersOf(form);
    const fields = members.filter((el) => el.matches(CONTROLS) && !isButton(el) && usable(el));
    const own = members.filter((el) => el.matches(BUTTONS) && visible(el));
    return formFacts(form, fields, own.length || !fields.length ? own : buttonsBeside(form));
  }).filter((facts) => facts.fields.length || facts.buttons.length);
}
// Fields outside any form: grouped under the nearest ancestor that also holds a button, or alone (autocomplete boxes).
// Markup of components is deep: where a card holds a few fields only, its button may be far from them.
const FEW_FIELDS = 6;
const limitOf = (el) => (el.querySelectorAll(CONTROLS).length <= FEW_FIELDS ? 10 : 5);
function looseGroups() {
  const groups = new Map();
  const loose = (el) => Array.from(el.querySelectorAll(BUTTONS)).filter((b) => !b.form && visible(b));
  const stop = (el) => el.matches("body,main,tr,li,table") || Boolean(el.querySelector("form"));
  for (const el of queryAll(CONTROLS).slice(0, 400)) {
    if (isButton(el) || el.form || closest(el, "form") || !usable(el)) continue;
    let at = parentOf(el);
    let levels = 0;
    while (at && levels < limitOf(at) && !stop(at) && !loose(at).length) { at = parentOf(at); levels += 1; }
    const home = at && levels < limitOf(at) && !stop(at) ? at : el;
    groups.set(home, [...(groups.get(home) || []), el]);
  }
  return Array.from(groups).slice(0, 40).map(([home, fields]) => {
    const buttons = home === fields[0] ? [] : loose(home);
    return formFacts(home, fields, buttons);
  });
}
const allForms = () => [...realForms(), ...looseGroups()];
