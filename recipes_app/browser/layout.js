// The words of this document with their places: [text, x, y, width, height, kind] for each line of each text node, each
// control's value and each link's address, in the order in which they are drawn. Places in CSS pixels from the top left
// of the whole document. Only what can be seen: what a box cuts off is not there, what stands further down in a part
// that scrolls by itself has the place of that part.
({ limit, limit_ms }) => {
  const pieces = [];
  const until = performance.now() + limit_ms;
  const range = document.createRange();
  const SKIPPED = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "OPTION", "OPTGROUP", "TEXTAREA", "IFRAME", "FRAME", "CANVAS"]);
  const SECRET = /password|one-time-code|cc-csc/i;
  const WORDS = 20000;
  let left = limit;
  let complete = true;
  let count = 0;

  const over = () => {
    if (left <= 0 || (++count % 256 === 0 && performance.now() > until)) {
      left = 0;
      complete = false;
    }
    return left <= 0;
  };

  // `cut` is [left, top, right, bottom] in the window, and whether what lies outside can be scrolled to.
  const seen = (box, cut) => {
    if (!cut) return box;
    const [x, y] = [Math.max(box.left, cut.left), Math.max(box.top, cut.top)];
    const [right, bottom] = [Math.min(box.right, cut.right), Math.min(box.bottom, cut.bottom)];
    if (right > x && bottom > y) return new DOMRect(x, y, right - x, bottom - y);
    return cut.scrolls ? new DOMRect(cut.left, cut.top, cut.right - cut.left, cut.bottom - cut.top) : null;
  };
  const round = (number) => Math.round(number * 100) / 100;
  const add = (text, whole, kind, cut) => {
    const flat = text.replace(/\s+/g, " ").trim();
    if (!flat || whole.width === 0 || whole.height === 0) return;
    const box = seen(whole, cut);
    // A box of a pixel or so is how words are kept from the eye and given to screen readers.
    if (!box || (box.width <= 1 && whole.width > 1) || (box.height <= 1 && whole.height > 1)) return;
    left -= flat.length;
    if (flat.length > 2000) complete = false;
    pieces.push([flat.slice(0, 2000), round(box.x + scrollX), round(box.y + scrollY), round(box.width), round(box.height), kind]);
  };

  const joined = (a, b) => {
    const [x, y] = [Math.min(a.left, b.left), Math.min(a.top, b.top)];
    return new DOMRect(x, y, Math.max(a.right, b.right) - x, Math.max(a.bottom, b.bottom) - y);
  };
  // A node that is broken over lines has a piece for each: words whose middles are at one height stand in one line.
  const addLines = (node, cut) => {
    let line = null;
    let words = 0;
    for (const word of node.data.matchAll(/\S+/g)) {
      if (over()) return;
      if (++words > WORDS) {
        complete = false;
        break;
      }
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const box = range.getBoundingClientRect();
      if (line && Math.abs(box.top + box.bottom - line.box.top - line.box.bottom) < Math.max(4, box.height)) {
        line.text += ` ${word[0]}`;
        line.box = joined(line.box, box);
        continue;
      }
      if (line) add(line.text, line.box, "text", cut);
      line = { text: word[0], box };
    }
    if (line) add(line.text, line.box, "text", cut);
  };

  const addText = (node, cut) => {
    if (!/\S/.test(node.data)) return;
    range.selectNodeContents(node);
    const rows = range.getClientRects();
    if (rows.length > 1) addLines(node, cut);
    else if (rows.length) add(node.data, rows[0], "text", cut);
  };

  const isSecret = (element, style) => element.type === "password" || SECRET.test(element.autocomplete || "")
    || (style.webkitTextSecurity && style.webkitTextSecurity !== "none");
  const addControl = (element, style, cut) => {
    if (["hidden", "checkbox", "radio", "range", "color", "image"].includes(element.type) || isSecret(element, style)) return;
    const value = element.tagName === "SELECT"
      ? [...element.selectedOptions].map((option) => option.label).join(", ")
      : element.type === "file" ? [...element.files].map((file) => file.name).join(", ") : element.value;
    if (typeof value === "string") add(value, element.getBoundingClientRect(), "control", cut);
  };

  // The cuts that hold for an element's content: for what flows, for what is positioned, and for what is fixed.
  const cutsOf = (element, style, cuts) => {
    const isPlace = style.position !== "static" || style.transform !== "none";
    const own = style.position in cuts ? cuts[style.position] : cuts.flow;
    if (element === document.documentElement || element === document.body || (style.overflowX === "visible" && style.overflowY === "visible")
      || style.display === "inline" || style.display === "contents") {
      return { ...cuts, flow: own, absolute: isPlace ? own : cuts.absolute };
    }
    const outer = element.getBoundingClientRect();
    const x = outer.left + element.clientLeft;
    const y = outer.top + element.clientTop;
    const inside = seen(new DOMRect(x, y, element.clientWidth || outer.width, element.clientHeight || outer.height), own)
      || new DOMRect(x, y, 0, 0);
    const scrolls = /auto|scroll/.test(style.overflowX + style.overflowY) && inside.width > 1 && inside.height > 1;
    const cut = { left: inside.left, top: inside.top, right: inside.right, bottom: inside.bottom, scrolls };
    return { ...cuts, flow: cut, absolute: isPlace ? cut : cuts.absolute };
  };

  const childrenOf = (element) => {
    if (element.shadowRoot) return element.shadowRoot.childNodes;
    if (element.tagName === "SLOT" && element.getRootNode() instanceof ShadowRoot) {
      const given = element.assignedNodes();
      return given.length ? given : element.childNodes;
    }
    if (element.tagName === "DETAILS" && !element.open) {
      const summary = [...element.children].find((child) => child.tagName === "SUMMARY");
      return summary ? [summary] : [];
    }
    return element.childNodes;
  };

  const visit = (element, style, cuts) => {
    const isVisible = style.visibility === "visible";
    for (const node of childrenOf(element)) {
      if (over()) return;
      if (node.nodeType === Node.TEXT_NODE) {
        if (isVisible) addText(node, cuts.flow);
      } else if (node.nodeType === Node.ELEMENT_NODE && !SKIPPED.has(node.tagName)) enter(node, cuts);
      else if (node.tagName === "TEXTAREA") enter(node, cuts);
    }
  };
  const enter = (element, cuts) => {
    const style = getComputedStyle(element);
    if (style.display === "none" || style.opacity === "0") return;
    if (style.display !== "contents" && element.tagName !== "SLOT" && !element.checkVisibility()) return;
    const own = style.position in cuts ? cuts[style.position] : cuts.flow;
    const isVisible = style.visibility === "visible";
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(element.tagName)) {
      if (isVisible) addControl(element, style, own);
      return;
    }
    if (isVisible && element.tagName === "A" && element.href) add(String(element.href), element.getBoundingClientRect(), "link", own);
    if (isVisible && element.tagName === "IMG" && element.alt) add(element.alt, element.getBoundingClientRect(), "text", own);
    // Cut to nothing by `clip`, as words for screen readers are.
    if (/^rect\((0px|1px),? (0px|1px),? (0px|1px),? (0px|1px)\)$/.test(style.clip) || /^inset\((50|100)%/.test(style.clipPath)) return;
    visit(element, style, cutsOf(element, style, cuts));
  };

  const body = document.body || document.documentElement;
  enter(body, { flow: null, absolute: null, fixed: null });
  // As text: Playwright takes far longer over lists of lists.
  return JSON.stringify({ pieces, complete });
}
