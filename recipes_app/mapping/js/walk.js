// What every part of the survey needs: the elements of a frame (open shadow roots too), names, places, selectors.
const MAX_ELEMENTS = opts.maxElements || 60000;
const fold = (text) => (text || "").replace(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, "").replace(/\s+/g, " ").trim();
const cut = (text, size) => { const t = fold(text); return t.length > size ? t.slice(0, size) : t; };

const absolute = (href) => { try { return new URL(href, document.baseURI).href; } catch { return href; } };

const roots = [];
const everything = [];
let elementsTotal = 0;
(function collect(root) {
  roots.push(root);
  for (const el of root.querySelectorAll("*")) {
    elementsTotal += 1;
    if (everything.length < MAX_ELEMENTS) everything.push(el);
    if (el.shadowRoot && roots.length < 200) collect(el.shadowRoot);
  }
})(document);
const queryAll = (selector) => roots.flatMap((root) => Array.from(root.querySelectorAll(selector)));
const parentOf = (el) => el.parentElement || (el.getRootNode() instanceof ShadowRoot ? el.getRootNode().host : null);
// Like Element.closest, and on through the hosts of shadow roots.
const closest = (el, selector) => {
  for (let at = el; at;) {
    const hit = at.closest(selector);
    if (hit) return hit;
    const root = at.getRootNode();
    at = root instanceof ShadowRoot ? root.host : null;
  }
  return null;
};

const seenVisible = new WeakMap();
function visible(el) {
  if (!seenVisible.has(el)) seenVisible.set(el, looksVisible(el));
  return seenVisible.get(el);
}
function looksVisible(el) {
  if (el.checkVisibility && !el.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: false })) return false;
  if (closest(el, "[aria-hidden=true]")) return false;
  const box = el.getBoundingClientRect();
  return (box.width > 1 && box.height > 1) || (getComputedStyle(el).display === "contents" && fold(el.textContent) !== "");
}
function boxOf(el) {
  const box = el.getBoundingClientRect();
  const round = (n) => Math.round(n * 10) / 10;
  return { x: round(box.left + scrollX), y: round(box.top + scrollY), width: round(box.width), height: round(box.height) };
}

// Rendered text: innerText knows hidden parts and <br>; elements that are not rendered fall back to their content.
const textOf = (el, size = 200) => cut(el.innerText || (el.closest("details:not([open])") || el.innerText === undefined ? el.textContent : ""), size);
function byIds(el, attribute) {
  const ids = (el.getAttribute(attribute) || "").split(/\s+/).filter(Boolean);
  return fold(ids.map((id) => el.getRootNode().getElementById(id)).filter(Boolean).map((n) => n.textContent).join(" "));
}
// A label's words without those of the control it wraps (a select's options, a textarea's content).
function labelText(label) {
  const copy = label.cloneNode(true);
  for (const inner of copy.querySelectorAll("select,textarea,input,button,datalist,script,style,[aria-hidden=true]")) inner.remove();
  for (const end of copy.querySelectorAll("br")) end.replaceWith(" ");
  return fold(copy.textContent);
}
function labelOf(el) {
  return byIds(el, "aria-labelledby") || fold(el.getAttribute("aria-label")) ||
    fold(Array.from(el.labels || []).map(labelText).filter(Boolean).join(" "));
}
function nameOf(el) {
  const given = labelOf(el);
  if (given) return cut(given, 120);
  if (el.matches("input[type=submit],input[type=button],input[type=reset]")) {
    return fold(el.value || { submit: "Submit", reset: "Reset" }[el.type] || "");
  }
  if (el.matches("img,input[type=image],area")) return fold(el.getAttribute("alt") || el.title);
  if (el.matches("input,select,textarea")) return fold(el.getAttribute("title") || el.getAttribute("placeholder"));
  return cut(textWithImages(el) || el.getAttribute("title"), 120);
}
function textWithImages(el) {
  const text = fold(el.innerText || "");
  if (text) return text;
  return fold(Array.from(el.querySelectorAll("img[alt],svg title")).map((n) => n.getAttribute("alt") || n.textContent).join(" "));
}
const INPUT_ROLES = { checkbox: "checkbox", radio: "radio", range: "slider", number: "spinbutton", search: "searchbox",
  submit: "button", button: "button", reset: "button", image: "button" };
const NO_ROLE = ["date", "time", "datetime-local", "month", "week", "color", "file", "password", "hidden"];
function roleOf(el) {
  const given = (el.getAttribute("role") || "").trim().split(/\s+/)[0];
  if (given) return given;
  if (el.matches("a[href],area[href]")) return "link";
  if (el.matches("button,summary")) return el.matches("button") ? "button" : "";
  if (el.matches("select")) return el.multiple || el.size > 1 ? "listbox" : "combobox";
  if (el.matches("textarea,[contenteditable=''],[contenteditable=true],[contenteditable=plaintext-only]")) return "textbox";
  if (!el.matches("input")) return "";
  if (NO_ROLE.includes(el.type)) return "";
  if (el.hasAttribute("list") && ["text", "search", "tel", "url", "email"].includes(el.type)) return "combobox";
  return INPUT_ROLES[el.type] || "textbox";
}

const LANDMARKS = [["main", "main,[role=main]"], ["navigation", "nav,[role=navigation]"], ["search", "search,[role=search]"],
  ["complementary", "aside,[role=complementary]"], ["dialog", "dialog,[role=dialog],[role=alertdialog]"],
  ["contentinfo", "[role=contentinfo]"], ["banner", "[role=banner]"]];
function landmarkOf(el) {
  for (let at = el; at; at = parentOf(at)) {
    for (const [name, selector] of LANDMARKS) if (at.matches(selector)) return name;
    if (at.matches("header,footer") && !closest(at, "article,section,main,[role=main]")) return at.matches("header") ? "banner" : "contentinfo";
  }
  return "";
}
// Chrome by its markup, or where the markup says nothing, by the whole words of an id or class.
const CHROME_WORDS = /^(nav|navbar|navigation|header|footer|sidebar|breadcrumbs?|pagination|pager|paginator|menu|submenu|toolbar|topbar|masthead|skip|cookies?|share|social|tabs?|tablist|languages?)$/;
function isChrome(el) {
  for (let at = el; at && at !== document.body; at = parentOf(at)) {
    if (at.matches("main,[role=main]")) return false;
    if (at.matches("nav,[role=navigation],[role=banner],[role=contentinfo],[role=menu],[role=menubar],[role=tablist],[role=toolbar]")) return true;
    if (at.matches("header,footer") && !closest(at, "article,section")) return true;
  }
  return false;
}
function chromeWords(el) {
  for (let at = el, level = 0; at && level < 3; at = parentOf(at), level += 1) {
    const words = `${at.id} ${at.getAttribute("class") || ""} ${at.getAttribute("aria-label") || ""}`.toLowerCase().split(/[^a-z]+/);
    if (words.some((word) => CHROME_WORDS.test(word))) return true;
  }
  return false;
}

const GENERATED = /\d{3,}|^input-\d+$|[:«»]|^(ember|react|mui|radix|headlessui|ext-gen|yui|select2|css-|sc-|jss|__next|svelte-|v-\d)|(^|[-_])[0-9a-f]{6,}($|[-_])|[a-z]\d[a-z]\d/i;
const stable = (word) => Boolean(word) && word.length < 60 && !GENERATED.test(word);
const STATES = /^(active|selected|current|open|closed|first|last|odd|even|hover|focus|disabled|visible|hidden|show|in|is-.*|has-.*|js-.*|ng-.*|col(-.*)?|row|d-.*|[mp][tblrxy]?-\d|w-\d+|h-\d+|text-.*|sm:.*|md:.*|lg:.*)$/;
const classesOf = (el) => Array.from(el.classList).filter((c) => stable(c) && !STATES.test(c) && /^[\w-]+$/.test(c));
const TEST_IDS = ["data-testid", "data-test-id", "data-test", "data-cy", "data-qa"];
const quoted = (value) => `"${String(value).replace(/["\\]/g, "\\$&")}"`;
function ownSelectors(el) {
  const tag = el.localName;
  const found = [];
  if (stable(el.id)) found.push(/^[A-Za-z][\w-]*$/.test(el.id) ? `#${el.id}` : `[id=${quoted(el.id)}]`);
  for (const attribute of TEST_IDS) if (stable(el.getAttribute(attribute))) found.push(`[${attribute}=${quoted(el.getAttribute(attribute))}]`);
  if (el.getAttribute("name") && !el.matches("form,a,meta")) found.push(`${tag}[name=${quoted(el.getAttribute("name"))}]`);
  return found;
}
const unique = (root, selector, el) => { const all = root.querySelectorAll(selector); return all.length === 1 && all[0] === el; };
function pathOf(el, root) {
  const parts = [];
  for (let at = el; at && at !== root; at = at.parentElement) {
    const same = at.parentElement ? Array.from(at.parentElement.children).filter((n) => n.localName === at.localName) : [at];
    parts.unshift(same.length > 1 ? `${at.localName}:nth-of-type(${same.indexOf(at) + 1})` : at.localName);
    const anchor = at === el ? null : ownSelectors(at).find((s) => unique(root, s, at));
    if (anchor) return [anchor, ...parts.slice(1)].join(" > ");
    if (at.matches("body")) break;
  }
  return parts.join(" > ");
}
// Both ways to one element: by what identifies it (may be empty), and by its place.
function waysTo(el) {
  const root = el.getRootNode();
  const host = root instanceof ShadowRoot ? `${waysTo(root.host).place} ` : "";
  const identity = ownSelectors(el).find((s) => unique(root, s, el));
  const form = !identity && el.form && ownSelectors(el.form).find((s) => unique(root, s, el.form));
  const inForm = form && ownSelectors(el).map((s) => `${form} ${s}`).find((s) => unique(root, s, el));
  const own = identity || inForm || "";
  return { identity: own && host + own, place: host + pathOf(el, root) };
}
const testIdOf = (el) => TEST_IDS.map((a) => el.getAttribute(a)).find(Boolean) || "";

// A selector for something that holds many: named by id, test id or a class of its own, else by place.
function groupSelector(el) {
  const root = el.getRootNode();
  const host = root instanceof ShadowRoot ? `${groupSelector(root.host)} ` : "";
  const own = ownSelectors(el).find((s) => unique(root, s, el));
  if (own) return host + own;
  const byClass = classesOf(el).map((c) => `${el.localName}.${c}`).find((s) => unique(root, s, el));
  if (byClass) return host + byClass;
  const label = el.getAttribute("aria-label");
  if (label && unique(root, `${el.localName}[aria-label=${quoted(label)}]`, el)) return `${host}${el.localName}[aria-label=${quoted(label)}]`;
  const parent = el.parentElement;
  if (!parent || el.matches("body,main")) return host + (unique(root, el.localName, el) ? el.localName : pathOf(el, root));
  const siblings = Array.from(parent.children).filter((n) => n.localName === el.localName);
  const sameClass = classesOf(el).find((c) => siblings.filter((n) => n.classList.contains(c)).length === 1);
  const step = siblings.length === 1 ? el.localName : sameClass ? `${el.localName}.${sameClass}` : `${el.localName}:nth-of-type(${siblings.indexOf(el) + 1})`;
  return `${groupSelector(parent)} > ${step}`.startsWith(host) || !host ? `${groupSelector(parent)} > ${step}` : `${host}${groupSelector(parent)} > ${step}`;
}

// The words that introduce a place: its own label, its legend or caption, the heading before it.
const HEADINGS = "h1,h2,h3,h4,h5,h6,[role=heading]";
const headings = queryAll(HEADINGS).filter(visible).slice(0, 400);
function headingBefore(el) {
  const inside = Array.from(el.querySelectorAll(`${HEADINGS},legend,caption`)).find(visible);
  if (inside && !el.matches("ul,ol,table,tbody,dl") && inside.getBoundingClientRect().top - el.getBoundingClientRect().top < 120) return textOf(inside, 80);
  let found = "";
  for (const heading of headings) {
    if (heading.getRootNode() !== el.getRootNode()) continue;
    if (!(heading.compareDocumentPosition(el) & Node.DOCUMENT_POSITION_FOLLOWING)) break;
    const item = heading.closest("li,article,tr,details,nav,aside");
    if (item && !item.contains(el)) continue;
    found = textOf(heading, 80);
  }
  return found;
}
function contextOf(el) {
  const label = byIds(el, "aria-labelledby") || fold(el.getAttribute("aria-label"));
  const caption = el.matches("table") && el.caption ? textOf(el.caption, 80) : "";
  return { label: cut(label, 80), caption, heading: headingBefore(el), landmark: landmarkOf(el) };
}
