// Runs first in every document of a session in which a person acts: tells what they do, before the page learns of it.
// What would take an element away before it could be described (a press that nobody foresaw) is held, and let go later.
([name, remote]) => {
  const KEY = Symbol.for("agentify.heard");
  const call = window[name];
  if (window[KEY] || typeof call !== "function") return;
  delete window[name];
  const DOC = Math.random().toString(36).slice(2, 10);
  const LATE_MS = 300;
  const ENTER_MS = 300;
  const FAR = 12;
  const state = { nodes: new Map(), known: new Set(), picking: "", chosen: null };
  Object.defineProperty(window, KEY, { value: state });

  // --- nodes
  const ids = new WeakMap();
  let last = 0;
  const idOf = (node) => {
    if (!ids.has(node)) {
      ids.set(node, ++last);
      state.nodes.set(last, node);
      if (state.nodes.size > 400) state.nodes.delete(state.nodes.keys().next().value);
    }
    return ids.get(node);
  };
  const parentOf = (node) => node.parentElement || (node.getRootNode() instanceof ShadowRoot ? node.getRootNode().host : null);
  const climb = function* (node) { for (let at = node; at; at = parentOf(at)) yield at; };
  const innerOf = (event) => {
    const node = event.composedPath()[0];
    return node instanceof Element ? node : node?.parentElement || null;
  };
  const watch = window[Symbol.for("agentify.watch")];
  const ACTS = "a[href], button, input, select, textarea, option, summary, label, area[href], [onclick], [contenteditable=''], [contenteditable=true], [role=button], [role=link], [role=tab], [role=option], [role=menuitem], [role=menuitemradio], [role=menuitemcheckbox], [role=checkbox], [role=switch], [role=radio], [role=treeitem], [role=combobox], [role=gridcell]";
  const pointed = (node) => getComputedStyle(node).cursor === "pointer";
  const actingOf = (inner) => {
    for (const at of climb(inner)) if (at.matches(ACTS)) return at;
    for (const at of climb(inner)) if (watch && watch.listening.has(at) && at !== document.body && at !== document.documentElement && pointed(at)) return at;
    let found = null;
    for (const at of climb(inner)) {
      if (!pointed(at)) break;
      found = at;
    }
    return found;
  };

  // --- what a field is
  const TIMED = { date: "date", "datetime-local": "date-time", month: "month", week: "week", time: "time" };
  const PRESSED = new Set(["submit", "button", "reset", "image"]);
  const kindOf = (node) => {
    if (node.matches("select")) return "select";
    if (node.matches("option, optgroup")) return "select";
    if (node.matches("textarea")) return "text";
    if (node.isContentEditable) return "text";
    if (!node.matches("input")) return "";
    if (PRESSED.has(node.type)) return "";
    if (["checkbox", "radio", "file"].includes(node.type)) return node.type;
    return TIMED[node.type] ? "date" : "text";
  };
  const editorOf = (node) => {
    let found = node;
    for (const at of climb(node)) {
      if (!at.isContentEditable) break;
      found = at;
    }
    return found;
  };
  // A field that only opens something else is pressed like a button.
  const opens = (node) => (node.readOnly || node.getAttribute("role") === "combobox") && node.matches("input") && node.readOnly;
  const isFilled = (node) => {
    if (opens(node)) return false;
    if (kindOf(node)) return true;
    return node.matches("label") && node.control && Boolean(kindOf(node.control));
  };
  const flat = (text) => (text || "").replace(/\s+/g, " ").trim();
  const labelOf = (node) => flat((node.labels && node.labels[0]?.textContent) || node.getAttribute("aria-label") || "");
  const optionsOf = (node) => [...node.options].filter((o) => !o.disabled && o.value && flat(o.label)).map((o) => flat(o.label)).slice(0, 100);
  const groupOf = (node) => [...node.getRootNode().querySelectorAll(`input[type=radio][name=${CSS.escape(node.name)}]`)].map(labelOf).filter(Boolean);
  const listOwner = (node) => {
    const list = node.closest("[role=listbox], [role=menu], [role=tree], [role=grid]");
    const owners = list && list.id ? [...node.getRootNode().querySelectorAll("[aria-controls], [aria-owns]")] : [];
    const owner = owners.find((e) => `${e.getAttribute("aria-controls") || ""} ${e.getAttribute("aria-owns") || ""}`.split(/\s+/).includes(list.id));
    const focused = document.activeElement;
    return owner || (list && focused && focused.matches("[role=combobox], [aria-haspopup]") ? focused : null);
  };
  // Other rows' words in the place of this one's: values a tool could be called with.
  const rowsOf = (node) => {
    const row = [...climb(node)].find((at) => at.matches("tr, [role=row], li, [role=listitem], article"));
    if (!row || !row.parentElement) return [];
    const cells = (at) => [...at.querySelectorAll("*")].filter((e) => e.childElementCount === 0).map((e) => flat(e.textContent)).filter(Boolean).slice(0, 20);
    const others = [...row.parentElement.children].filter((at) => at !== row && at.tagName === row.tagName).slice(0, 3);
    const heads = [...(row.closest("table")?.querySelectorAll("thead th") || [])].map((th) => flat(th.textContent));
    return { own: cells(row), others: others.map(cells), heads };
  };
  const CHOICES = "[role=option], [role=menuitem], [role=menuitemradio], [role=treeitem]";
  const fellowsOf = (node) => [...(node.parentElement?.children || [])].map((e) => flat(e.innerText)).filter(Boolean).slice(0, 50);
  const factsOf = (node) => {
    const kind = kindOf(node);
    const facts = { tag: node.localName, kind, role: node.getAttribute("role") || "", words: flat(node.innerText || node.value || "").slice(0, 120) };
    if (!kind) return { ...facts, words: facts.words || labelOf(node) || flat(node.title), rows: rowsOf(node), href: node.closest("a[href]")?.href || "", posts: node.form?.method === "post", offered: node.matches(CHOICES) ? fellowsOf(node) : [] };
    const group = node.closest("fieldset");
    return {
      ...facts, words: "", type: node.type || "", label: labelOf(node), name: node.getAttribute("name") || "", id: node.id || "",
      placeholder: node.getAttribute("placeholder") || "", required: Boolean(node.required), step: node.getAttribute("step") || "",
      min: node.getAttribute("min") || "", max: node.getAttribute("max") || "", accept: node.getAttribute("accept") || "",
      group: kind === "radio" && group ? flat(group.querySelector("legend")?.textContent) : "", many: Boolean(node.multiple),
      offered: kind === "select" && node.options ? optionsOf(node) : kind === "radio" && node.name ? groupOf(node) : [],
      secret: node.type === "password", rows: rowsOf(node),
    };
  };

  // --- telling
  const tell = (kind, node, more) => {
    const told = { kind, doc: DOC, node: node ? idOf(node) : 0, at: Date.now(), ...(node ? { facts: factsOf(node) } : {}), ...more };
    Promise.resolve(call(told)).catch(() => {});
  };
  const waiting = new Map();
  const valueOf = (node) => (node.isContentEditable ? node.innerText : node.value);
  const flush = () => {
    for (const [node, timer] of [...waiting]) {
      clearTimeout(timer);
      waiting.delete(node);
      tell(kindOf(node) === "date" ? "date" : "type", node, { value: valueOf(node) });
    }
  };
  const later = (node) => {
    clearTimeout(waiting.get(node));
    for (const other of [...waiting.keys()]) if (other !== node) flush();
    waiting.set(node, setTimeout(flush, LATE_MS));
  };
  // change and submit never leave a shadow root.
  const roots = new WeakSet();
  const adopt = (event) => {
    for (const at of event.composedPath()) {
      if (!(at instanceof ShadowRoot) || roots.has(at)) continue;
      roots.add(at);
      at.addEventListener("change", onChange, true);
      at.addEventListener("submit", onSubmit, true);
    }
  };
  const hold = (event) => { event.preventDefault(); event.stopImmediatePropagation(); };

  let entered = 0;
  let taken = null;
  let pressed = null;
  const onPress = (event) => {
    if (!event.isTrusted) return;
    adopt(event);
    if (state.picking) { hold(event); return; }
    if (event.button !== 0) return;
    flush();
    const inner = innerOf(event);
    const node = inner && actingOf(inner);
    pressed = { x: event.clientX, y: event.clientY, node: inner };
    if (node && !isFilled(node)) {
      tell("press", node);
      // Many lists choose as soon as they are pressed, and are gone before there is a click.
      const owner = node.matches(CHOICES) ? listOwner(node) : null;
      taken = owner && node;
      if (owner) tell("click", node, { held: false, owner: idOf(owner) });
    } else if (inner && /^(grab|grabbing|move)$/.test(getComputedStyle(inner).cursor)) tell("press", inner);
  };
  const onClick = (event) => {
    if (!event.isTrusted) return;
    if (state.picking) {
      hold(event);
      const inner = innerOf(event);
      if (inner) tell("pick", inner, { what: state.picking });
      state.picking = "";
      return;
    }
    const inner = innerOf(event);
    const node = inner && actingOf(inner);
    if (!node || isFilled(node)) return;
    // Enter in a field presses the form's button by itself.
    if (event.detail === 0 && event.pointerType === "" && Date.now() - entered < ENTER_MS) return;
    flush();
    if (node === taken) return;
    const owner = node.matches(CHOICES) ? listOwner(node) : null;
    const held = !state.known.has(idOf(node));
    if (held) hold(event);
    tell("click", node, { held, owner: owner ? idOf(owner) : 0, expanded: node.getAttribute("aria-haspopup") || "" });
  };
  const onDouble = (event) => {
    const node = event.isTrusted && innerOf(event) && actingOf(innerOf(event));
    if (node && !isFilled(node)) tell("double", node);
  };
  const onInput = (event) => {
    const inner = event.isTrusted && innerOf(event);
    if (!inner) return;
    adopt(event);
    const node = inner.isContentEditable ? editorOf(inner) : inner;
    if (["text", "date"].includes(kindOf(node))) later(node);
  };
  const onChange = (event) => {
    const node = event.isTrusted && innerOf(event);
    if (!node) return;
    const kind = kindOf(node);
    if (kind === "text" || kind === "date") { later(node); flush(); return; }
    flush();
    if (kind === "select") selected(node);
    if (kind === "checkbox") tell("check", node, { value: node.checked });
    if (kind === "radio") tell("radio", node, { value: labelOf(node) || node.value });
    if (kind === "file") tell("files", node, { value: [...node.files].map((f) => f.name) });
  };
  const onSubmit = (event) => { if (event.isTrusted) { flush(); tell("submit", null); } };
  const onFocus = (event) => {
    const node = event.isTrusted && innerOf(event);
    if (!node || !kindOf(node)) return;
    adopt(event);
    tell("focus", node.isContentEditable ? editorOf(node) : node);
  };
  const MOVING = new Set(["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End", "PageUp", "PageDown"]);
  const COMPOSITE = "[role=combobox], [role=listbox], [role=menu], [role=menuitem], [role=tree], [role=treeitem], [role=grid], [role=gridcell], [role=tab], [role=slider]:not(input), [role=spinbutton]:not(input), [aria-autocomplete], [aria-activedescendant]";
  const onKey = (event) => {
    if (!event.isTrusted || event.isComposing || state.picking) return;
    const node = innerOf(event);
    if (!node) return;
    adopt(event);
    if (event.key === "Escape") { flush(); tell("key", null, { key: "Escape" }); return; }
    const kind = kindOf(node);
    if (event.key === "Enter") {
      const isLine = kind === "text" && node.matches("input");
      const moved = node.matches(COMPOSITE) && node.getAttribute("aria-activedescendant");
      if (!isLine && !moved) return;
      flush();
      entered = Date.now();
      tell(moved ? "key" : "enter", node, { key: "Enter" });
    } else if (MOVING.has(event.key) && node.matches(COMPOSITE) && kind !== "select" && kind !== "radio") {
      flush();
      tell("key", node, { key: event.key });
    }
  };
  let dragged = null;
  const onDragStart = (event) => {
    const inner = event.isTrusted && innerOf(event);
    dragged = inner ? inner.closest("[draggable=true]") || inner : null;
    if (dragged) tell("press", dragged);
  };
  const onDrop = (event) => {
    const node = event.isTrusted && innerOf(event);
    if (node && dragged) { tell("press", node); tell("drag", dragged, { to: idOf(node) }); }
    dragged = null;
  };
  const onLift = (event) => {
    const start = pressed;
    pressed = null;
    if (!event.isTrusted || !start || !start.node || dragged || state.picking) return;
    const x = event.clientX - start.x, y = event.clientY - start.y;
    if (Math.hypot(x, y) < FAR || !/^(grab|grabbing|move)$/.test(getComputedStyle(start.node).cursor)) return;
    tell("drag", start.node, { by: { x: Math.round(x), y: Math.round(y) } });
  };

  // What Chromium would draw outside of the page is offered to the person in another way.
  const offerOf = (node) => {
    if (node.matches("select") && !node.multiple && node.size <= 1) return { options: [...node.options].map((o) => ({ label: flat(o.label), chosen: o.selected, off: o.disabled })).slice(0, 500) };
    return node.matches("input") && TIMED[node.type] ? { input: node.type, value: node.value } : null;
  };
  const offer = (event, node) => {
    const made = node && !node.disabled && offerOf(node);
    if (!made) return;
    event.preventDefault();
    node.focus();
    tell("offer", node, { offer: made });
  };
  const selected = (node) => tell("select", node, { value: [...node.selectedOptions].map((o) => flat(o.label)) });
  state.chosen = (node) => (node.matches("select") ? selected(node) : tell("date", node, { value: node.value }));
  if (remote) {
    window.addEventListener("mousedown", (event) => { if (event.isTrusted && event.button === 0) offer(event, innerOf(event)?.closest("select, input")); }, true);
    window.addEventListener("keydown", (event) => {
      const node = event.isTrusted && innerOf(event);
      if (node && node.matches("select") && ["Enter", " ", "F4"].includes(event.key)) offer(event, node);
    }, true);
  }

  const LISTENERS = { pointerdown: onPress, pointerup: onLift, click: onClick, dblclick: onDouble, input: onInput, change: onChange, submit: onSubmit, focusin: onFocus, keydown: onKey, dragstart: onDragStart, drop: onDrop };
  for (const [kind, listener] of Object.entries(LISTENERS)) window.addEventListener(kind, listener, true);
  window.addEventListener("mousedown", (event) => { if (event.isTrusted && state.picking) hold(event); }, true);
  window.addEventListener("pagehide", flush, true);
  if (window === window.top && /^https?:/.test(location.protocol)) {
    const entry = performance.getEntriesByType("navigation")[0];
    tell("arrive", null, { how: entry ? entry.type : "navigate", referred: document.referrer !== "" });
  }
}
