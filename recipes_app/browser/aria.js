// Roles and accessible names, after WAI-ARIA 1.2, HTML-AAM and accname 1.2, with the choices the engines behind
// get_by_role make where the texts leave one. One object for one pass: its caches are not for later.
const aria = (() => {
  const set = (words) => new Set(words.split(" "));
  const VALID = set("alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid gridcell group heading img insertion link list listbox listitem log main mark marquee math meter menu menubar menuitem menuitemcheckbox menuitemradio navigation none note option paragraph presentation progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status strong subscript superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem");
  const UNNAMED = set("caption code definition deletion emphasis generic insertion mark paragraph presentation strong subscript suggestion superscript term time");
  const FROM_CONTENT = set("button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio row rowheader switch tab tooltip treeitem");
  const PASSED_THROUGH = new Set(["", ..."caption code contentinfo definition deletion emphasis insertion list listitem mark none paragraph presentation region row rowgroup section strong subscript superscript table term time".split(" ")]);
  const NO_LABEL = set("caption code deletion emphasis generic insertion paragraph presentation strong subscript superscript");
  const GLOBALS = "aria-atomic aria-busy aria-controls aria-current aria-describedby aria-details aria-dropeffect aria-flowto aria-grabbed aria-hidden aria-keyshortcuts aria-live aria-owns aria-relevant".split(" ");
  const NOT_CONTENT = set("STYLE SCRIPT NOSCRIPT TEMPLATE");
  const RANGES = set("progressbar scrollbar slider spinbutton meter");
  const IMPLICIT = {
    ARTICLE: "article", ASIDE: "complementary", BLOCKQUOTE: "blockquote", BUTTON: "button", CAPTION: "caption",
    CODE: "code", DATALIST: "listbox", DD: "definition", DEL: "deletion", DETAILS: "group", DFN: "term",
    DIALOG: "dialog", DT: "term", EM: "emphasis", FIELDSET: "group", FIGURE: "figure", H1: "heading", H2: "heading",
    H3: "heading", H4: "heading", H5: "heading", H6: "heading", HR: "separator", HTML: "document", INS: "insertion",
    LI: "listitem", MAIN: "main", MARK: "mark", MATH: "math", MENU: "list", METER: "meter", NAV: "navigation",
    OL: "list", OPTGROUP: "group", OPTION: "option", OUTPUT: "status", P: "paragraph", PROGRESS: "progressbar",
    SEARCH: "search", STRONG: "strong", SUB: "subscript", SUP: "superscript", SVG: "img", TABLE: "table",
    TBODY: "rowgroup", TEXTAREA: "textbox", TFOOT: "rowgroup", THEAD: "rowgroup", TIME: "time", TR: "row", UL: "list",
  };
  const INPUTS = {
    button: "button", checkbox: "checkbox", image: "button", number: "spinbutton", radio: "radio", range: "slider",
    reset: "button", submit: "button", file: "button", hidden: "",
  };
  const PARENTS = {
    DD: "DL DIV", DIV: "DL", DT: "DL DIV", LI: "OL UL", TBODY: "TABLE", TD: "TR", TFOOT: "TABLE", TH: "TR",
    THEAD: "TABLE", TR: "THEAD TBODY TFOOT TABLE",
  };
  const SECTIONING = "article:not([role]), aside:not([role]), main:not([role]), nav:not([role]), section:not([role]), [role=article], [role=complementary], [role=main], [role=navigation], [role=region]";

  const roles = new Map();
  const names = new Map();
  const cut = new Map();
  const shown = new Map();
  const unseen = new Map();
  const off = new Map();

  const tagOf = (e) => {
    const tag = e.tagName;
    if (typeof tag !== "string") return "FORM"; // a field of the form is called tagName
    return tag.toUpperCase();
  };
  const parentOf = (e) => e.parentElement || (e.getRootNode().host ?? null);
  const closest = (e, selector) => {
    for (let at = e; at; at = at.getRootNode().host) {
      const found = at.closest(selector);
      if (found) return found;
    }
    return null;
  };
  const referred = (e, ids) => {
    if (!ids) return [];
    const root = e.getRootNode();
    const found = ids.split(/\s+/).filter(Boolean).map((id) => root.querySelector(`#${CSS.escape(id)}`));
    return [...new Set(found.filter(Boolean))];
  };

  // --- roles
  const hasLabel = (e) => e.hasAttribute("aria-label") || e.hasAttribute("aria-labelledby");
  const hasGlobal = (e, role) =>
    GLOBALS.some((name) => e.hasAttribute(name)) || (!NO_LABEL.has(role || "") && hasLabel(e)) ||
    (role !== "generic" && e.hasAttribute("aria-roledescription"));
  const hasTabIndex = (e) => e.hasAttribute("tabindex") && !Number.isNaN(Number(e.getAttribute("tabindex")));
  const disabledNatively = (e) => e.matches(":disabled");
  const focusable = (e) => {
    if (disabledNatively(e)) return false;
    const tag = tagOf(e);
    if (tag === "A" || tag === "AREA") return e.hasAttribute("href") || hasTabIndex(e);
    return ["BUTTON", "DETAILS", "SELECT", "TEXTAREA"].includes(tag) || (tag === "INPUT" && !e.hidden) || hasTabIndex(e);
  };
  const explicit = (e) => {
    const given = e.getAttribute("role");
    return given ? given.toLowerCase().split(/\s+/).find((role) => VALID.has(role)) || "" : "";
  };
  const isNone = (role) => role === "none" || role === "presentation";
  const insists = (e, role) => hasGlobal(e, role) || focusable(e);

  const BY_ELEMENT = {
    A: (e) => (e.hasAttribute("href") ? "link" : ""),
    AREA: (e) => (e.hasAttribute("href") ? "link" : ""),
    FOOTER: (e) => (closest(e, SECTIONING) ? "" : "contentinfo"),
    HEADER: (e) => (closest(e, SECTIONING) ? "" : "banner"),
    FORM: (e) => (hasLabel(e) ? "form" : ""),
    SECTION: (e) => (hasLabel(e) ? "region" : ""),
    SELECT: (e) => (e.multiple || e.size > 1 ? "listbox" : "combobox"),
    IMG: (e) => (e.getAttribute("alt") === "" && !e.title && !hasGlobal(e) && !hasTabIndex(e) ? "presentation" : "img"),
    TD: (e) => (["grid", "treegrid"].includes(explicit(closest(e, "table") ?? e)) ? "gridcell" : "cell"),
    INPUT: (e) => {
      if (["email", "search", "tel", "text", "url"].includes(e.type)) {
        const list = referred(e, e.getAttribute("list"))[0];
        if (list && tagOf(list) === "DATALIST") return "combobox";
        return e.type === "search" ? "searchbox" : "textbox";
      }
      return INPUTS[e.type] ?? "textbox";
    },
    TH: (e) => {
      const scope = (e.getAttribute("scope") || "").toLowerCase();
      if (scope === "col" || scope === "colgroup") return "columnheader";
      if (scope === "row" || scope === "rowgroup") return "rowheader";
      const [before, after] = [e.previousElementSibling, e.nextElementSibling];
      if (!before && !after) return closest(e, "table")?.rows.length <= 1 ? "" : "columnheader";
      const isData = (cell) => cell && tagOf(cell) === "TD" && (cell.textContent.trim() || cell.children.length);
      return isData(before) || isData(after) ? "rowheader" : "columnheader";
    },
  };
  const implicit = (e) => {
    const tag = tagOf(e);
    const own = BY_ELEMENT[tag] ? BY_ELEMENT[tag](e) : IMPLICIT[tag] || "";
    // A table or list that says it is none takes its own rows and items with it.
    for (let at = e; own && PARENTS[tagOf(at)]; at = parentOf(at)) {
      const parent = parentOf(at);
      if (!parent || !PARENTS[tagOf(at)].split(" ").includes(tagOf(parent))) break;
      const said = explicit(parent);
      if (isNone(said) && !insists(parent, said)) return said;
    }
    return own;
  };
  const compute = (e) => {
    const said = explicit(e);
    if (!said) return implicit(e);
    if (!isNone(said)) return said;
    const own = implicit(e);
    return insists(e, own) ? own : said;
  };
  const roleOf = (e) => {
    let role = roles.get(e);
    if (role === undefined) roles.set(e, (role = compute(e)));
    return role;
  };

  // --- what the accessibility tree leaves out
  const textShown = (node) => {
    const range = document.createRange();
    range.selectNode(node);
    const box = range.getBoundingClientRect();
    return box.width > 0 && box.height > 0;
  };
  const contentsShown = (e) => [...e.childNodes].some((child) =>
    (child.nodeType === 1 && !hidden(child)) || (child.nodeType === 3 && textShown(child)));
  const VISIBLE = { visibilityProperty: true };
  const drawn = (e) => {
    let is = shown.get(e);
    if (is === undefined) shown.set(e, (is = e.checkVisibility(VISIBLE)));
    return is;
  };
  // Most pages have none of it, and then there is no need to look up from every element.
  const asked = new Map();
  const documentHas = (selector) => {
    if (!asked.has(selector)) asked.set(selector, document.querySelector(selector) !== null);
    return asked.get(selector);
  };
  const cutOff = (e) => {
    if (!documentHas("[aria-hidden]") && e.getRootNode() === document && !e.parentElement?.shadowRoot) return false;
    let gone = cut.get(e);
    if (gone === undefined) {
      const parent = parentOf(e);
      gone = (e.getAttribute("aria-hidden") || "").toLowerCase() === "true" ||
        (e.parentElement?.shadowRoot && !e.assignedSlot) || (parent ? cutOff(parent) : false);
      cut.set(e, Boolean(gone));
    }
    return gone;
  };
  const hidden = (e) => {
    let is = unseen.get(e);
    if (is === undefined) unseen.set(e, (is = isHidden(e)));
    return is;
  };
  const isHidden = (e) => {
    const tag = tagOf(e);
    if (NOT_CONTENT.has(tag)) return true;
    if (tag === "SLOT" || (tag === "OPTION" && e.closest("select"))) return cutOff(e);
    if (drawn(e)) return cutOff(e);
    return getComputedStyle(e).display !== "contents" || !contentsShown(e) || cutOff(e);
  };

  // --- names
  // Reading ::before and ::after is dear; only a page whose style sheets give some content needs it.
  const rulesHaveContent = (rules) => [...rules].some((rule) =>
    (rule.style?.content && /::?(before|after)/.test(rule.selectorText)) || (rule.cssRules && rulesHaveContent(rule.cssRules)));
  const sheets = () => [...document.styleSheets, ...(document.adoptedStyleSheets || [])];
  const pseudoCounts = (() => {
    try {
      return sheets().some((sheet) => rulesHaveContent(sheet.cssRules));
    } catch {
      return true; // a sheet of another origin cannot be read
    }
  })();
  const contentText = (value, e) => {
    const alternative = value.match(/\/\s*((?:"(?:[^"\\]|\\.)*"|attr\([^)]*\)|\s)+)$/);
    let text = "";
    const left = (alternative ? alternative[1] : value).replace(/"((?:[^"\\]|\\.)*)"|attr\(\s*([\w-]+)\s*\)/g, (_, plain, name) => {
      text += name ? e.getAttribute(name) || "" : plain.replace(/\\(.)/g, "$1");
      return "";
    });
    return left.trim() ? "" : text;
  };
  const pseudo = (e, which) => {
    if (!pseudoCounts && !e.getRootNode().host) return "";
    const style = getComputedStyle(e, which);
    if (!style.content || style.content === "none" || style.content === "normal") return "";
    if (style.display === "none" || style.visibility === "hidden") return "";
    const text = contentText(style.content, e);
    return style.display === "inline" ? text : ` ${text} `;
  };
  const hasText = (text) => Boolean(text && text.trim());
  const flat = (text) => text.replace(/[\u200b\u00ad]/g, "").replace(/\s+/g, " ").trim();

  // e.labels searches the whole document for each control; this does it once for all of them.
  const labels = new Map();
  const labelled = new Map();
  const labelsOf = (e) => {
    const root = e.getRootNode();
    if (!labels.has(root)) {
      labels.set(root, true);
      for (const label of root.querySelectorAll("label")) {
        const control = label.control;
        if (control) labelled.set(control, [...(labelled.get(control) || []), label]);
      }
    }
    return labelled.get(e) || [];
  };

  // how: { self, inside (a descendant of the one named), labelledby, label, native, ghost (reached through a hidden
  // reference), seen }
  const fromElements = (elements, how) => elements.map((e) => textOf(e, how)).filter(Boolean).join(" ");
  const fromLabels = (e, how) => fromElements(labelsOf(e), { seen: how.seen, label: true });
  const reference = (e, kind, seen) => ({ seen, [kind]: true, ghost: hidden(e) });

  const embeddedValue = (e, role, tag, how) => {
    if (role === "textbox" || role === "searchbox") return tag === "INPUT" || tag === "TEXTAREA" ? e.value : e.textContent;
    if (role === "combobox" || role === "listbox") return chosenText(e, role, tag, how);
    if (RANGES.has(role)) return e.getAttribute("aria-valuetext") ?? e.getAttribute("aria-valuenow") ?? e.getAttribute("value") ?? "";
    return role === "menu" ? "" : null;
  };
  const owned = (e, selector) => {
    const others = referred(e, e.getAttribute("aria-owns"));
    return [...e.querySelectorAll(selector), ...others.filter((o) => o.matches(selector)),
      ...others.flatMap((o) => [...o.querySelectorAll(selector)])];
  };
  const chosenText = (e, role, tag, how) => {
    let chosen = [];
    if (tag === "SELECT") {
      chosen = e.selectedOptions.length ? [...e.selectedOptions] : [...e.options].slice(0, 1);
    } else {
      const box = role === "combobox" ? owned(e, "*").find((o) => roleOf(o) === "listbox") : e;
      chosen = box ? owned(box, '[aria-selected="true" i]').filter((o) => roleOf(o) === "option") : [];
    }
    return !chosen.length && tag === "INPUT" ? e.value : fromElements(chosen, how);
  };

  const PLACEHOLDERS = set("text password number search tel email url");
  const titled = (e) => e.getAttribute("title") || "";
  const inputText = (e, how) => {
    if (["button", "submit", "reset"].includes(e.type)) {
      if (hasText(e.value)) return e.value;
      return { submit: "Submit", reset: "Reset" }[e.type] || titled(e);
    }
    if (e.type === "file" || e.type === "image") {
      if (labelsOf(e).length && !how.labelledby) return fromLabels(e, how);
      if (e.type === "file") return "Choose File";
      return [e.getAttribute("alt"), titled(e)].find(hasText) || "Submit";
    }
    return null;
  };
  const firstChild = (e, tag) => [...e.children].find((child) => tagOf(child) === tag);
  const captioned = (tag) => (e, how, children) => {
    const caption = firstChild(e, tag);
    return caption ? textOf(caption, { ...children, native: true, ghost: hidden(caption) }) : titled(e);
  };
  const fieldText = (e, how) => {
    if (labelsOf(e).length) return fromLabels(e, how);
    const holds = (tagOf(e) === "INPUT" && PLACEHOLDERS.has(e.type)) || tagOf(e) === "TEXTAREA";
    return holds && !titled(e) ? e.getAttribute("placeholder") || "" : titled(e);
  };
  const altText = (e) => (hasText(e.getAttribute("alt")) ? e.getAttribute("alt") : titled(e));
  const NATIVE = {
    BUTTON: (e, how) => (labelsOf(e).length ? fromLabels(e, how) : null),
    OUTPUT: (e, how) => (labelsOf(e).length ? fromLabels(e, how) : titled(e)),
    TEXTAREA: fieldText, SELECT: fieldText, METER: fieldText, PROGRESS: fieldText, INPUT: fieldText,
    FIELDSET: captioned("LEGEND"), FIGURE: captioned("FIGCAPTION"),
  };
  const ALWAYS_NATIVE = {
    INPUT: inputText, IMG: altText, AREA: altText,
    TABLE: (e, how, children) => {
      const caption = firstChild(e, "CAPTION");
      if (caption) return textOf(caption, { ...children, native: true, ghost: hidden(caption) });
      return e.getAttribute("summary") || null;
    },
  };
  const svgText = (e, tag) => {
    const title = [...e.children].find((child) => tagOf(child) === "TITLE" && child.ownerSVGElement);
    if (title) return textOf(title, { seen: new Set(), labelledby: true, ghost: hidden(title) });
    return e.ownerSVGElement && tag === "A" ? e.getAttribute("xlink:title") || null : null;
  };
  const NONE = [];
  const referralsOf = (e) =>
    !e.hasAttribute("aria-labelledby") ? NONE : e.ariaLabelledByElements?.length ? [...e.ariaLabelledByElements] : referred(e, e.getAttribute("aria-labelledby"));
  const nativeText = (e, tag, isReferring, how, children) => {
    const always = ALWAYS_NATIVE[tag]?.(e, how, children) ?? null;
    if (always !== null) return always;
    if (!isReferring && NATIVE[tag]) return NATIVE[tag](e, how, children);
    return tag === "SVG" || e.ownerSVGElement ? svgText(e, tag) : null;
  };

  const textOf = (e, how) => {
    if (how.seen.has(e)) return "";
    if (NOT_CONTENT.has(tagOf(e)) || (!how.ghost && hidden(e))) return "";
    const referrals = referralsOf(e);
    if (referrals.length && !how.labelledby) {
      const text = referrals.map((l) => textOf(l, reference(l, "labelledby", how.seen))).join(" ");
      if (text.trim()) return text;
    }
    const role = roleOf(e);
    const tag = tagOf(e);
    const children = how.self ? { ...how, self: false, inside: true } : how;
    if ((how.label || how.labelledby || how.inside) && !referrals.includes(e)) {
      const value = embeddedValue(e, role, tag, children);
      if (value !== null) return value;
    }
    const label = e.getAttribute("aria-label");
    if (hasText(label)) return label;
    how.seen.add(e);
    if (!isNone(role)) {
      const text = nativeText(e, tag, referrals.length > 0, how, children);
      if (text !== null) return text;
    }
    const naming = how.labelledby || how.label || how.native || (tag === "SUMMARY" && !isNone(role));
    if (naming || FROM_CONTENT.has(role) || (how.inside && PASSED_THROUGH.has(role))) {
      const text = contentOf(e, children);
      if (how.self ? text.trim() : text) return text;
    }
    return !isNone(role) || tag === "IFRAME" ? titled(e) : "";
  };
  const contentOf = (e, how) => {
    let text = pseudo(e, "::before");
    const visit = (node, slotted) => {
      if (!slotted && node.parentNode?.shadowRoot && node.assignedSlot) return;
      if (node.nodeType === 1) {
        const inner = textOf(node, how);
        const inline = tagOf(node) !== "BR" && getComputedStyle(node).display === "inline";
        text += inline ? inner : ` ${inner} `;
      } else if (node.nodeType === 3) {
        const parent = node.parentElement;
        const unseen = parent && ((parent.shadowRoot && !node.assignedSlot) || (tagOf(parent) === "DETAILS" && !parent.open));
        if (how.ghost || !unseen) text += node.data;
      }
    };
    const assigned = tagOf(e) === "SLOT" ? e.assignedNodes() : [];
    if (assigned.length) {
      for (const node of assigned) visit(node, true);
    } else {
      for (let node = e.firstChild; node; node = node.nextSibling) visit(node, false);
      if (e.shadowRoot) for (const node of e.shadowRoot.childNodes) visit(node, false);
      for (const other of referred(e, e.getAttribute("aria-owns"))) visit(other, false);
    }
    return text + pseudo(e, "::after");
  };
  const nameOf = (e) => {
    let name = names.get(e);
    if (name === undefined) {
      name = UNNAMED.has(roleOf(e)) ? "" : flat(textOf(e, { seen: new Set(), self: true }));
      names.set(e, name);
    }
    return name;
  };
  // The text an element shows, for what has no name of its own.
  const wordsOf = (e) => flat(textOf(e, { seen: new Set(), labelledby: true }));
  const saidOff = (e) => {
    if (!documentHas("[aria-disabled]") && e.getRootNode() === document) return false;
    let is = off.get(e);
    if (is === undefined) {
      const said = e.getAttribute("aria-disabled");
      const parent = said ? null : parentOf(e);
      off.set(e, (is = said ? said.toLowerCase() === "true" : parent ? saidOff(parent) : false));
    }
    return is;
  };
  const disabled = (e) => disabledNatively(e) || saidOff(e);
  return { roleOf, drawn, cutOff, nameOf, wordsOf, hidden, disabled, flat, tagOf, parentOf, closest, hasTabIndex };
})();
