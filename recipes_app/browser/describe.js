// What is lasting about one element, and about what it stands in. Uniqueness is judged by the caller.
({ element, prefer }) => {
  const ITEMS = new Set(["row", "listitem", "article", "option", "treeitem", "figure", "menuitem"]);
  const GROUPS = new Set(["alertdialog", "banner", "complementary", "contentinfo", "dialog", "feed", "form", "grid", "group", "list", "main", "menu", "navigation", "radiogroup", "region", "search", "table", "tablist", "tabpanel", "toolbar", "tree"]);
  const LANDMARKS = new Set(["banner", "complementary", "contentinfo", "form", "main", "navigation", "region", "search"]);
  const TEST_IDS = ["data-testid", "data-test-id", "data-test", "data-qa", "data-cy"];
  const STATE = /^(is|has|js|ng|v|fa)-|^(active|selected|open(ed)?|closed?|hover(ed)?|focus(ed)?|disabled|enabled|show(n|ing)?|hid(den|e)|visible|error|invalid|valid|loading|loaded|current|expanded|collapsed?|checked|dirty|pristine|touched|first|last|odd|even|new|row|col|flex|grid|container|wrapper|clearfix)$/i;
  const clip = (text, most) => (text.length > most ? text.slice(0, most).trim() : text);
  const quoted = (text) => JSON.stringify(text);

  // An id is made up by a program when it holds digits at its end, a colon, a hash, or a known maker's mark.
  const lasting = (id) => Boolean(id) && id.length <= 60 && !/^:|:$|[:«»]|\d{2,}|[-_]?\d+$|^(react-aria|radix|headlessui|mui|ember|ext-gen|yui|select2|cdk|mat-|__|uid|gen-)/i.test(id) && !made(id);
  const made = (word) => word.split(/[-_]/).some((part) => part.length >= 5 && /\d/.test(part) && /[a-z]/i.test(part)) || /^[0-9a-f]{6,}$/i.test(word);
  const classes = (e) => [...e.classList].filter((name) => /^[a-z][a-z_-]{2,30}$/i.test(name) && !STATE.test(name) && !/^(css|sc|jsx|svelte|_)-?/i.test(name) && !/[a-z][A-Z][a-z]?[A-Z]/.test(name) && !/__[A-Za-z]{5}$/.test(name));
  const testIdOf = (e) => {
    const attribute = TEST_IDS.find((name) => e.getAttribute(name));
    return attribute ? [attribute, e.getAttribute(attribute)] : null;
  };
  const up = (e) => {
    const chain = [];
    for (let at = aria.parentOf(e); at && at !== document.documentElement; at = aria.parentOf(at)) chain.push(at);
    return chain;
  };
  const words = (e) => aria.flat(e.textContent || "");
  const seen = (e) => aria.flat(e.innerText || "");

  // --- containers
  const numeric = (text) => !/\p{L}{2}/u.test(text);
  const weight = (e, text) => {
    if (prefer.some((value) => value.toLowerCase() === text.toLowerCase())) return -1;
    if (numeric(text)) return 3;
    if (e.closest("h1,h2,h3,h4,h5,h6,th,[role=heading],[role=rowheader],dt,strong,legend")) return 0;
    return e.closest("a, td:first-child") ? 1 : 2;
  };
  const piecesOf = (box, peers) => {
    const others = peers.map((peer) => words(peer).toLowerCase());
    const found = new Map();
    for (const e of [box, ...box.querySelectorAll("*")]) {
      if (e === element || element.contains(e) || ["SCRIPT", "STYLE", "OPTION"].includes(e.tagName)) continue;
      const own = [...e.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
      if (!own || !e.checkVisibility()) continue;
      const direct = aria.flat([...e.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data).join(" "));
      for (const text of [seen(e), direct]) {
        if (text && text.length <= 80 && (!e.contains(element) || text === direct) && !others.some((other) => other.includes(text.toLowerCase())) && !found.has(text)) {
          found.set(text, weight(e, text));
        }
      }
    }
    return [...found].sort((a, b) => a[1] - b[1] || a[0].length - b[0].length).map(([text]) => text).slice(0, 6);
  };
  const sameKind = (box, role) => {
    const table = role === "row" ? box.closest("table, [role=table], [role=grid], [role=treegrid]") : null;
    const around = table ? [...table.querySelectorAll("tr, [role=row]")] : [...(box.parentElement?.children || [])];
    return around.filter((e) => e !== box && !e.contains(box) && (role ? aria.roleOf(e) === role : e.localName === box.localName));
  };
  const sharedCss = (box, peers) => {
    const shared = classes(box).find((name) => peers.some((peer) => peer.classList.contains(name)));
    return shared ? `${box.localName}.${CSS.escape(shared)}` : box.localName.includes("-") ? box.localName : "";
  };
  const ownCss = (box) => {
    if (lasting(box.id)) return `${box.localName}#${CSS.escape(box.id)}`;
    const test = testIdOf(box);
    if (test && !/\d/.test(test[1])) return `[${test[0]}=${quoted(test[1])}]`;
    const name = box.localName === "form" && (box.getAttribute("name") || "");
    return name && !/\d/.test(name) ? `form[name=${quoted(name)}]` : "";
  };
  const containerOf = (box) => {
    const role = aria.roleOf(box);
    if (ITEMS.has(role)) return { item: true, by: { role }, pieces: piecesOf(box, sameKind(box, role)) };
    const peers = sameKind(box, "");
    const css = peers.length ? sharedCss(box, peers) : "";
    if (css) return { item: true, by: { css }, pieces: piecesOf(box, peers.filter((peer) => peer.matches(css))) };
    const name = GROUPS.has(role) ? aria.nameOf(box) : "";
    if (GROUPS.has(role) && name.length <= 80) return { item: false, by: name ? { role, name } : { role }, pieces: [] };
    const own = ownCss(box);
    if (own) return { item: false, by: { css: own }, pieces: [] };
    const heading = ["SECTION", "FORM", "FIELDSET"].includes(box.tagName) && box.querySelector("h1,h2,h3,h4,h5,h6,legend");
    return heading ? { item: true, by: { css: box.localName }, pieces: [clip(seen(heading), 80)] } : null;
  };

  // --- place: lasting words of a path, never a position
  const ownPart = () => {
    const tag = element.localName;
    const href = tag === "a" ? element.getAttribute("href") || "" : "";
    const parts = [];
    if (href && !/[\d?#]/.test(href) && !/^javascript:/i.test(href)) parts.push(`a[href=${quoted(href)}]`);
    if (element.getAttribute("type")) parts.push(`${tag}[type=${quoted(element.getAttribute("type"))}]`);
    if (element.getAttribute("autocomplete")) parts.push(`${tag}[autocomplete=${quoted(element.getAttribute("autocomplete"))}]`);
    for (const name of classes(element).slice(0, 2)) parts.push(`${tag}.${CSS.escape(name)}`);
    parts.push(tag);
    return parts;
  };
  const anchors = (chain) => chain.map((box) => {
    if (ownCss(box)) return ownCss(box);
    if (["main", "nav", "header", "footer", "aside", "form", "dialog", "search"].includes(box.localName)) return box.localName;
    const role = box.getAttribute("role");
    return role && LANDMARKS.has(role) ? `[role=${quoted(role)}]` : "";
  }).filter(Boolean);

  const chain = up(element);
  const role = aria.roleOf(element);
  const landmark = chain.map(aria.roleOf).find((name) => LANDMARKS.has(name)) || "";
  const labels = [...(element.labels || [])].map((label) => aria.flat(label.textContent || ""));
  const aria_label = element.getAttribute("aria-label") || "";
  const places = anchors(chain).slice(0, 3).flatMap((anchor) => ownPart().map((own) => `${anchor} ${own}`));
  const containers = chain.map(containerOf).filter(Boolean).slice(0, 12);
  // Of the item around it only what tells it from the other items: prices and stocks change.
  const item = aria.closest(element, "tr, li, [role=row], [role=listitem], article, [role=article], [role=option]");
  const around = item && item !== element ? containerOf(item) : null;
  const near = around?.pieces.find((piece) => aria.wordsOf(item).includes(piece)) || "";
  const attributes = {};
  for (const name of ["type", "name", "placeholder", "autocomplete", "alt", "title"]) {
    const value = element.getAttribute(name);
    if (value) attributes[name] = clip(value, 120);
  }
  if (lasting(element.id)) attributes.id = element.id;
  return {
    tag: element.localName, role, name: aria.nameOf(element), by_role: Boolean(role) && !aria.hidden(element),
    text: clip(aria.wordsOf(element), 200), test: testIdOf(element), id: lasting(element.id) ? element.id : "",
    field: element.getAttribute("name") || "", labels: [...labels, aria_label].filter(Boolean),
    placeholder: element.getAttribute("placeholder") || "", alt: element.getAttribute("alt") || "",
    title: element.getAttribute("title") || "", landmark, attributes, places: places.slice(0, 12),
    near, containers,
  };
}
