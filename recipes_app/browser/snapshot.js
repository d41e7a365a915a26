// What a person can use in this document, open shadow roots included, as columns of text: one line for each element.
// The elements themselves stay behind in the page, by number, until the next walk. Asked of each element is only what
// is cheap, until it turns out to be one to use; of those beyond the limit only their role.
({ limit, text_limit }) => {
  const LANDMARKS = new Set(["banner", "complementary", "contentinfo", "dialog", "alertdialog", "form", "main", "navigation", "region", "search"]);
  const MAYBE_LANDMARK = "aside, dialog, footer, form, header, main, nav, search, section, [role]";
  const CONTROLS = new Set(["button", "checkbox", "combobox", "link", "listbox", "menuitem", "menuitemcheckbox", "menuitemradio", "option", "radio", "searchbox", "slider", "spinbutton", "switch", "tab", "textbox", "treeitem", "scrollbar"]);
  const CHECKS = new Set(["checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"]);
  const VALUES = new Set(["textbox", "searchbox", "combobox", "spinbutton", "slider"]);
  const FIELDS = new Set(["INPUT", "SELECT", "TEXTAREA"]);
  const TEST_IDS = ["data-testid", "data-test-id", "data-test", "data-qa", "data-cy"];
  const KEPT = new Map(["id", "name", "placeholder", "title", "alt", "aria-label", "autocomplete", "pattern", "min", "max", "maxlength", "accept"].map((name) => [name, name.replace("-", "_")]));
  const WANTED = "a, area, button, input, select, textarea, option, summary, [role], [tabindex], [contenteditable], [onclick]";
  const MOST_OPTIONS = 100;
  const watch = window[Symbol.for("agentify.watch")];
  const found = [];
  const hosts = [];
  const kinds = {};
  const columns = { roles: [], names: [], tags: [], types: [], states: [], hrefs: [], boxes: [], landmarks: [], css: [], known: [] };
  const values = {};
  const attributes = {};

  const clickable = (e) => {
    if (!(watch?.listening.has(e) || e.onclick || e.hasAttribute("onclick") || aria.hasTabIndex(e))) return false;
    const parent = aria.parentOf(e);
    return getComputedStyle(e).cursor === "pointer" && !(parent && getComputedStyle(parent).cursor === "pointer" && !aria.hasTabIndex(e));
  };
  const editable = (e) => {
    const said = e.getAttribute("contenteditable");
    return said !== null && said.toLowerCase() !== "false" && !aria.parentOf(e)?.isContentEditable;
  };
  // [role as a person sees it, whether the accessibility tree says so too]
  const kindOf = (e, tag) => {
    const role = aria.roleOf(e);
    if (CONTROLS.has(role)) return tag === "OPTION" && e.closest("select") ? null : [role, true];
    if (tag === "SUMMARY") return [role || "button", Boolean(role)];
    if (editable(e)) return ["textbox", false];
    return clickable(e) ? [role || "generic", Boolean(role)] : null;
  };
  // "" for what is there for everybody; null for what nobody can use. A hidden file input is used by what stands for it.
  const unseenAs = (e, tag) => {
    if (aria.drawn(e)) return aria.cutOff(e) ? "aria-hidden" : "";
    if (!aria.hidden(e)) return "";
    if (tag !== "INPUT" || e.type !== "file") return null;
    const stands = aria.parentOf(e)?.checkVisibility() || [...(e.labels || [])].some((label) => label.checkVisibility());
    return stands ? "hidden" : null;
  };
  // Something without any text may be nothing at all: an anchor to jump to, a button that is only prepared.
  const isNothing = (e, tag, name) => {
    if (FIELDS.has(tag) || /\S/.test(e.textContent)) return false;
    const box = e.getBoundingClientRect();
    return !(box.width > 0 && box.height > 0) && !name();
  };

  const valueOf = (e, tag, role) => {
    if (e.type === "password") return e.value ? "•".repeat(8) : "";
    if (tag === "SELECT") return [...e.selectedOptions].map((o) => o.label).join(", ");
    if (CHECKS.has(role) || role === "link" || tag === "BUTTON" || tag === "OPTION") return null;
    if (tag === "INPUT" && ["button", "submit", "reset", "image"].includes(e.type)) return null;
    if ("value" in e && typeof e.value === "string") return e.value;
    if (role === "slider" || role === "spinbutton") return e.getAttribute("aria-valuetext") ?? e.getAttribute("aria-valuenow");
    return VALUES.has(role) ? (e.innerText || "").trim() : null;
  };
  const isTrue = (e, name) => (e.getAttribute(name) || "").toLowerCase() === "true";
  const checked = (e, tag) => {
    if (tag === "INPUT" && "checked" in e) return e.indeterminate ? "mixed" : e.checked ? "checked" : null;
    const said = (e.getAttribute("aria-checked") || "").toLowerCase();
    return said === "true" ? "checked" : said === "mixed" ? "mixed" : null;
  };
  const statesOf = (e, tag, role, unseen, hasAria) => {
    let states = aria.disabled(e) ? "disabled " : "";
    const check = CHECKS.has(role) || role === "option" ? checked(e, tag) : null;
    if (check) states += `${check} `;
    if (hasAria && isTrue(e, "aria-selected")) states += "selected ";
    if (hasAria && isTrue(e, "aria-pressed")) states += "pressed ";
    if (hasAria && e.hasAttribute("aria-expanded")) states += isTrue(e, "aria-expanded") ? "expanded " : "collapsed ";
    if (tag === "SUMMARY") states += e.parentElement?.open ? "expanded " : "collapsed ";
    if (e.required === true || (hasAria && isTrue(e, "aria-required"))) states += "required ";
    if (e.readOnly === true || (hasAria && isTrue(e, "aria-readonly"))) states += "readonly ";
    if (hasAria && isTrue(e, "aria-invalid")) states += "invalid ";
    return states + unseen;
  };
  // [what is kept of them, whether there is any about accessibility]
  const attributesOf = (e, tag) => {
    let kept = null;
    let hasAria = false;
    for (const name of e.getAttributeNames()) {
      if (name.startsWith("aria-")) hasAria = true;
      const as = KEPT.get(name) || (TEST_IDS.includes(name) ? "test_id" : "");
      const value = as && e.getAttribute(name);
      if (value) (kept ??= {})[as] = value;
    }
    // As one text: old libraries of pages make arrays write themselves in their own way.
    if (tag === "SELECT") (kept ??= {}).options = [...e.options].slice(0, MOST_OPTIONS).map((o) => line(o.label.trim())).join("\n");
    return [kept, hasAria];
  };
  const quoted = (text) => JSON.stringify(text);
  const cssOf = (e, kept) => {
    if (!kept) return "";
    const tag = e.localName;
    if (kept.id && e.getRootNode().getElementById?.(kept.id) === e) return `${tag}#${CSS.escape(kept.id)}`;
    const test = kept.test_id && TEST_IDS.find((attribute) => e.getAttribute(attribute));
    if (test) return `[${test}=${quoted(e.getAttribute(test))}]`;
    return kept.name ? `${tag}[name=${quoted(kept.name)}]` : "";
  };
  const around = new Map();
  const landmarkOf = (e) => {
    const parent = aria.parentOf(e);
    const box = parent && aria.closest(parent, MAYBE_LANDMARK);
    if (!box) return "";
    let landmark = around.get(box);
    if (landmark === undefined) {
      const role = aria.roleOf(box);
      around.set(box, (landmark = LANDMARKS.has(role) ? role : landmarkOf(box)));
    }
    return landmark;
  };
  const line = (text) => (typeof text !== "string" ? "" : text.includes("\n") ? text.replace(/\n/g, " ") : text);
  const origin = `${location.origin}/`;
  const addressOf = (e, tag) => {
    if (tag !== "A" && tag !== "AREA") return "";
    const href = line(String(e.href?.baseVal ?? e.href ?? ""));
    return href.startsWith(origin) ? href.slice(origin.length - 1) : href;
  };
  const typeOf = (e, tag) => (e.hasAttribute("type") && e.getAttribute("type") ? line(e.type) : tag === "INPUT" ? "text" : "");
  const [left, top] = [scrollX, scrollY];
  const boxOf = (e) => {
    const box = e.getBoundingClientRect();
    return `${Math.round(box.x + left)} ${Math.round(box.y + top)} ${Math.round(box.width)} ${Math.round(box.height)}`;
  };
  const note = (e, tag, role, known, unseen, name) => {
    const number = found.push(e) - 1;
    const [kept, hasAria] = attributesOf(e, tag);
    const value = valueOf(e, tag, role);
    if (value !== null) values[number] = value;
    if (kept) attributes[number] = kept;
    columns.roles.push(role);
    columns.names.push(name);
    columns.tags.push(e.localName);
    columns.types.push(typeOf(e, tag));
    columns.states.push(statesOf(e, tag, role, unseen, hasAria));
    columns.hrefs.push(addressOf(e, tag));
    columns.boxes.push(boxOf(e));
    columns.landmarks.push(landmarkOf(e));
    columns.css.push(line(cssOf(e, kept)));
    columns.known.push(known && !unseen ? "1" : "");
  };
  const consider = (e) => {
    const tag = aria.tagOf(e);
    const kind = kindOf(e, tag);
    const unseen = kind ? unseenAs(e, tag) : null;
    if (unseen === null) return;
    const [role, known] = kind;
    const name = () => (known && !unseen ? aria.nameOf(e) : aria.nameOf(e) || aria.wordsOf(e));
    if (!unseen && isNothing(e, tag, name)) return;
    kinds[role] = (kinds[role] || 0) + 1;
    if (limit === null || found.length < limit) note(e, tag, role, known, unseen, name());
  };
  const walk = (root) => {
    const wanted = new Set(root.querySelectorAll(WANTED));
    for (const e of root.querySelectorAll("*")) {
      if (wanted.has(e) || watch?.listening.has(e) || e.onclick) consider(e);
      if (e.shadowRoot) {
        hosts.push(e);
        walk(e.shadowRoot);
      }
    }
  };
  walk(document);

  let text = document.body?.innerText || "";
  for (const host of hosts) {
    for (const child of host.shadowRoot.children) if (child.innerText && child.localName !== "style") text += `\n${child.innerText}`;
  }
  if (watch) watch.elements = found;
  const lines = Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column.join("\n")]));
  return { ...lines, count: found.length, kinds, values: JSON.stringify(values), attributes: JSON.stringify(attributes), text: text.slice(0, text_limit), title: document.title, origin: location.origin };
}
