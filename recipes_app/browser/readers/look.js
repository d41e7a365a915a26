// One look at a document for one step: which node several locators agree on, and what is to be known of it, in a single
// round trip. A content script: a page can neither see nor spoil what is noted here.
//
// Body: { nonce, needed, total, want, given }, or { nonce, after, want, given } once the step has acted. The answer is
// the text, as JSON, of an element that is in no page.
(() => {
  const newAria = () => { $aria return aria; };
  const readers = {
    features: (element) => { const aria = newAria(); return ($features)(element); },
    chooser: (element) => { const aria = newAria(); return ($chooser)(element); },
    hit: $hit, field: $field, held: $held, checked: $checked, read: $read, options: $options,
    usable: $usable, invalid: $invalid, chosen: $chosen,
  };
  const readItems = $items;
  const reaches = $reaches;
  const KEPT = 20;
  const steps = (globalThis.__agentifySteps ??= new Map());

  const keep = (nonce, step) => {
    for (const earlier of steps.values()) earlier.guard?.end();
    steps.set(nonce, step);
    for (const old of steps.keys()) {
      if (steps.size > KEPT) steps.delete(old);
    }
    return step;
  };

  const familiesOf = (marks, node) => {
    const families = new Set();
    for (const mark of marks) {
      if (mark.nodes.has(node)) for (const family of mark.families) families.add(family);
      else if (mark.nodes.size === 1) return 0;
    }
    return families.size;
  };

  // The nodes noted for this look, and which of them is meant.
  const vote = ({ nonce, needed, total, noted }) => {
    if (noted) {
      const nodes = [...(steps.get(nonce)?.noted || [])];
      return { nodes, said: { union: nodes.length }, node: nodes.length === 1 ? nodes[0] : null };
    }
    const byBit = [...(($marks).get(String(nonce)) || new Map())];
    const marks = byBit.map(([, mark]) => mark);
    const union = [...new Set(marks.flatMap((mark) => [...mark.nodes]))];
    const counted = union.map((node) => [node, familiesOf(marks, node)]);
    const agreed = counted.filter(([, count]) => count >= needed).map(([node]) => node);
    const single = counted.filter(([, count]) => count >= 1).map(([node]) => node);
    const node = agreed.length === 1 ? agreed[0] : (!agreed.length && single.length === 1 ? single[0] : null);
    const finders = byBit.filter(([, mark]) => node && mark.nodes.has(node)).map(([bit]) => Number(bit));
    const said = { union: union.length, agreed: agreed.length, single: single.length, finders };
    return { nodes: agreed, said, node, isSure: agreed.length > 0 && needed > 1 };
  };

  // What only the page's own scripts may know of an element of theirs, they are to be asked.
  const isCustom = (element) => element.tagName.includes("-");
  const missing = (link) => !link.sheet && !link.disabled && (!link.media || matchMedia(link.media).matches);
  const unstyled = () =>
    document.readyState !== "complete" && [...document.querySelectorAll("link[rel~=stylesheet i]")].some(missing);

  const factsOf = (node, { want, given }) => {
    const facts = {};
    for (const name of want) {
      if (isCustom(node) && name !== "features" && name !== "hit") continue;
      if (name === "read" && unstyled()) continue;
      try { facts[name] = readers[name](node, (given || {})[name] || {}); }
      catch (error) { continue; }
    }
    return facts;
  };

  const POINTER = ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "auxclick", "dblclick", "contextmenu"];
  // From here on a press that would not meet the element meets nothing.
  const guardOf = (element) => {
    const state = { seen: false, stopped: false };
    const onPress = (event) => {
      // A key press that clicks is none of ours.
      if (!event.isTrusted || (!state.seen && event.type !== "pointerdown")) return;
      if (!state.seen) state.stopped = !reaches(element, event.composedPath()[0]);
      state.seen = true;
      if (!state.stopped) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    for (const type of POINTER) addEventListener(type, onPress, { capture: true, passive: false });
    const end = () => { for (const type of POINTER) removeEventListener(type, onPress, { capture: true }); };
    return { state, end };
  };

  const before = (given) => {
    const { nodes, said, node, isSure } = vote(given);
    const step = keep(given.nonce, { node, left: false });
    addEventListener("beforeunload", () => { step.left = true; }, { once: true });
    if (given.items) {
      try { said.items = unstyled() ? null : readItems(nodes, given.items); }
      catch (error) { said.items = null; }
    }
    if (node) {
      // Where two families agree, nobody asks what it looked like.
      const want = isSure ? given.want.filter((name) => name !== "features") : given.want;
      said.facts = factsOf(node, { want, given: given.given });
      const hit = said.facts.hit;
      const arrives = hit && !hit.cover && !hit.outside && !hit.disabled && !hit.moves;
      if (given.guard && arrives && window === window.parent) {
        step.guard = guardOf(node);
        said.facts.guarded = true;
      }
    }
    return said;
  };

  const after = ({ nonce, want, given }) => {
    const step = steps.get(nonce);
    if (!step) return { known: false };
    step.guard?.end();
    const there = Boolean(step.node && step.node.isConnected);
    // watch.js answers in the page's own world: whether the page has yet to do what it has set itself to do.
    const pending = !dispatchEvent(new Event("agentify.pending", { cancelable: true }));
    const facts = there ? factsOf(step.node, { want, given }) : {};
    return { known: true, there, left: step.left, pending, facts, ...(step.guard ? step.guard.state : {}) };
  };

  const sayOf = (body) => {
    const given = JSON.parse(body);
    const said = document.createElement("i");
    said.textContent = JSON.stringify(given.after ? after(given) : before(given));
    return [said];
  };
  return { queryAll: (root, body) => sayOf(body), query: (root, body) => sayOf(body)[0] };
})()
