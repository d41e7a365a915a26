// What a person can use in this document, open shadow roots included, as a JSON text. The elements themselves stay
// behind in the page, by number, until the next walk.
({ limit, text_limit }) => {
  const LANDMARKS = new Set(["banner", "complementary", "contentinfo", "dialog", "alertdialog", "form", "main", "navigation", "region", "search"]);
  const CONTROLS = new Set(["button", "checkbox", "combobox", "link", "listbox", "menuitem", "menuitemcheckbox", "menuitemradio", "option", "radio", "searchbox", "slider", "spinbutton", "switch", "tab", "textbox", "treeitem", "scrollbar"]);
  const CHECKS = new Set(["checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"]);
  const VALUES = new Set(["textbox", "searchbox", "combobox", "spinbutton", "slider"]);
  const TEST_IDS = ["data-testid", "data-test-id", "data-test", "data-qa", "data-cy"];
  const KEPT = { id: "id", name: "name", placeholder: "placeholder", title: "title", alt: "alt", "aria-label": "aria_label", autocomplete: "autocomplete", pattern: "pattern", min: "min", max: "max", maxlength: "maxlength", accept: "accept" };
  const watch = window[Symbol.for("agentify.watch")];
  const found = [];
  const frames = [];
  const kinds = {};

  const clickable = (e) => {
    if (!(e.onclick || e.hasAttribute("onclick") || aria.hasTabIndex(e) || watch?.listening.has(e))) return false;
    const parent = aria.parentOf(e);
    return getComputedStyle(e).cursor === "pointer" && !(parent && getComputedStyle(parent).cursor === "pointer" && !aria.hasTabIndex(e));
  };
  const editable = (e) => {
    const said = e.getAttribute("contenteditable");
    return said !== null && said.toLowerCase() !== "false" && !aria.parentOf(e)?.isContentEditable;
  };
  // [role as a person sees it, whether the accessibility tree says so too]
  const kindOf = (e) => {
    const role = aria.roleOf(e);
    const tag = e.tagName;
    if (CONTROLS.has(role)) return tag === "OPTION" && e.closest("select") ? null : [role, true];
    if (tag === "SUMMARY") return [role || "button", Boolean(role)];
    if (e.hasAttribute("contenteditable") && editable(e)) return ["textbox", false];
    return clickable(e) ? [role || "generic", Boolean(role)] : null;
  };
  const valueOf = (e, role) => {
    if (e.type === "password") return e.value ? "•".repeat(8) : "";
    if (e.tagName === "SELECT") return [...e.selectedOptions].map((o) => o.label).join(", ");
    if (CHECKS.has(role) || ["BUTTON", "OPTION"].includes(e.tagName)) return null;
    if (e.tagName === "INPUT" && ["button", "submit", "reset", "image"].includes(e.type)) return null;
    if ("value" in e && typeof e.value === "string") return e.value;
    if (role === "slider" || role === "spinbutton") return e.getAttribute("aria-valuetext") ?? e.getAttribute("aria-valuenow");
    return VALUES.has(role) ? (e.innerText || "").trim() : null;
  };
  const isTrue = (e, name) => (e.getAttribute(name) || "").toLowerCase() === "true";
  const checked = (e) => {
    if (e.tagName === "INPUT" && "checked" in e) return e.indeterminate ? "mixed" : e.checked ? "checked" : null;
    const said = (e.getAttribute("aria-checked") || "").toLowerCase();
    return said === "true" ? "checked" : said === "mixed" ? "mixed" : null;
  };
  const statesOf = (e, role, unseen) => {
    const states = [];
    if (aria.disabled(e)) states.push("disabled");
    const check = CHECKS.has(role) || role === "option" ? checked(e) : null;
    if (check) states.push(check);
    if (isTrue(e, "aria-selected")) states.push("selected");
    if (isTrue(e, "aria-pressed")) states.push("pressed");
    if (e.hasAttribute("aria-expanded")) states.push(isTrue(e, "aria-expanded") ? "expanded" : "collapsed");
    if (e.tagName === "SUMMARY") states.push(e.parentElement?.open ? "expanded" : "collapsed");
    if (e.required || isTrue(e, "aria-required")) states.push("required");
    if (e.readOnly || isTrue(e, "aria-readonly")) states.push("readonly");
    if (isTrue(e, "aria-invalid")) states.push("invalid");
    if (unseen) states.push(unseen);
    return states;
  };
  const attributesOf = (e) => {
    const kept = {};
    for (const { name, value } of e.attributes) {
      if (value && KEPT[name]) kept[KEPT[name]] = value;
      if (value && TEST_IDS.includes(name)) kept.test_id = value;
    }
    if (e.tagName === "SELECT") kept.options = [...e.options].slice(0, 100).map((o) => o.label.trim());
    return kept;
  };
  const quoted = (text) => JSON.stringify(text);
  const cssOf = (e, kept) => {
    const tag = e.localName;
    if (kept.id && e.getRootNode().getElementById?.(kept.id) === e) return `${tag}#${CSS.escape(kept.id)}`;
    const test = kept.test_id && TEST_IDS.find((attribute) => e.getAttribute(attribute));
    if (test) return `[${test}=${quoted(e.getAttribute(test))}]`;
    return kept.name ? `${tag}[name=${quoted(kept.name)}]` : "";
  };
  const note = (e, [role, known], landmark, unseen) => {
    const box = e.getBoundingClientRect();
    const name = known && !unseen ? aria.nameOf(e) : aria.nameOf(e) || aria.wordsOf(e);
    if (!unseen && !(box.width > 0 && box.height > 0) && !name && e.tagName !== "INPUT") return;
    kinds[role] = (kinds[role] || 0) + 1;
    if (limit !== null && found.length >= limit) return;
    const kept = attributesOf(e);
    found.push(e);
    rows.push({
      role, name, known: known && !unseen, tag: e.localName, type: e.getAttribute("type") ? e.type || "" : e.tagName === "INPUT" ? "text" : "",
      value: valueOf(e, role), states: statesOf(e, role, unseen), href: e.tagName === "A" || e.tagName === "AREA" ? String(e.href?.baseVal ?? e.href ?? "") : "",
      box: [box.x + scrollX, box.y + scrollY, box.width, box.height], landmark, attributes: kept, css: cssOf(e, kept),
    });
  };
  const rows = [];
  const walk = (parent, landmark, concealed) => {
    for (let e = parent.firstElementChild; e; e = e.nextElementSibling) {
      const tag = e.tagName;
      if (tag === "SCRIPT" || tag === "STYLE" || tag === "TEMPLATE" || tag === "NOSCRIPT" || tag === "HEAD") continue;
      if (tag === "IFRAME" || tag === "FRAME") { frames.push(e); continue; }
      const isFile = tag === "INPUT" && e.type === "file";
      const drawn = e.checkVisibility();
      if (!drawn && !isFile && getComputedStyle(e).display === "none") continue;
      const away = concealed || (e.getAttribute("aria-hidden") || "").toLowerCase() === "true";
      const kind = kindOf(e);
      if (kind) {
        const unseen = !drawn ? "hidden" : away ? "aria-hidden" : !aria.hidden(e) ? "" : isFile ? "hidden" : null;
        if (unseen !== null) note(e, kind, landmark, unseen);
      }
      const role = e.childElementCount || e.shadowRoot ? aria.roleOf(e) : "";
      const inside = LANDMARKS.has(role) ? role : landmark;
      if (e.shadowRoot) walk(e.shadowRoot, inside, away);
      if (e.childElementCount && tag !== "SELECT" && tag !== "SVG") walk(e, inside, away);
    }
  };
  walk(document, "", false);

  const shadowText = (root) => {
    let text = "";
    for (const e of root.querySelectorAll("*")) {
      if (!e.shadowRoot) continue;
      for (const child of e.shadowRoot.children) if (child.innerText && child.localName !== "style") text += `\n${child.innerText}`;
      text += shadowText(e.shadowRoot);
    }
    return text;
  };
  const text = ((document.body?.innerText || "") + shadowText(document)).slice(0, text_limit);
  if (watch) watch.elements = found;
  return JSON.stringify({ rows, kinds, text, scroll: [scrollX, scrollY] });
}
