// The words of this document with their places: [text, x, y, width, height, kind] for each line of each text node, each
// control's value and each link's address. Places in CSS pixels from the top left of the whole document.
({ limit }) => {
  const pieces = [];
  let left = limit;
  const range = document.createRange();
  const SKIPPED = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "OPTION", "TEXTAREA"]);

  const add = (text, box, kind) => {
    const flat = text.replace(/\s+/g, " ").trim();
    if (!flat || left <= 0 || (box.width === 0 && box.height === 0)) return;
    left -= flat.length;
    pieces.push([flat.slice(0, 2000), box.x + scrollX, box.y + scrollY, box.width, box.height, kind]);
  };

  // A node that is broken over lines has a piece for each: words with the same top stand in one line.
  const addLines = (node) => {
    const words = [...node.data.matchAll(/\S+/g)].slice(0, 2000);
    let line = null;
    for (const word of words) {
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const box = range.getBoundingClientRect();
      if (line && Math.abs(box.top - line.box.top) < Math.max(2, box.height / 2)) {
        line.text += " " + word[0];
        line.box = new DOMRect(line.box.x, Math.min(line.box.y, box.y), box.right - line.box.x, line.box.height);
        continue;
      }
      if (line) add(line.text, line.box, "text");
      line = { text: word[0], box };
    }
    if (line) add(line.text, line.box, "text");
  };

  const addText = (node) => {
    if (!node.data.trim()) return;
    range.selectNodeContents(node);
    if (range.getClientRects().length > 1) addLines(node);
    else add(node.data, range.getBoundingClientRect(), "text");
  };

  const addControl = (element) => {
    if (element.type === "password" || element.type === "hidden") return;
    const value = element.tagName === "SELECT"
      ? [...element.selectedOptions].map((option) => option.label).join(", ")
      : element.type === "checkbox" || element.type === "radio" ? "" : element.value;
    if (typeof value === "string") add(value, element.getBoundingClientRect(), "control");
  };

  const visit = (root) => {
    for (let node = root.firstChild; node && left > 0; node = node.nextSibling) {
      if (node.nodeType === Node.TEXT_NODE) addText(node);
      if (node.nodeType !== Node.ELEMENT_NODE) continue;
      if (/^(INPUT|SELECT|TEXTAREA)$/.test(node.tagName)) {
        if (node.checkVisibility({ visibilityProperty: true })) addControl(node);
        continue;
      }
      if (SKIPPED.has(node.tagName) || !shown(node)) continue;
      if (node.tagName === "A" && node.href) add(node.href, node.getBoundingClientRect(), "link");
      if (node.tagName === "IMG" && node.alt) add(node.alt, node.getBoundingClientRect(), "text");
      visit(node.shadowRoot || node);
      if (node.shadowRoot) for (const slotted of node.children) if (!slotted.slot && !node.shadowRoot.querySelector("slot")) visit(slotted);
    }
  };
  const shown = (node) => node.tagName === "SLOT" || getComputedStyle(node).display === "contents"
    || node.checkVisibility({ visibilityProperty: false });
  visit(document.body || document.documentElement);
  return { pieces, complete: left > 0 };
}
