// The button to press in a cookie banner, or null. A button counts only inside something that is a banner or dialog
// and speaks of cookies; "whole" is a consent platform's own iframe, a banner from end to end.
({ reject, accept, outspoken, platforms, whole }) => {
  const STRONG = /cookie|consent|gdpr|dsgvo|rgpd|avg-wet|einwilligung|consentement|consentimiento|consentimento|consenso|toestemming|rastreador|traceur|tracking technolog/i;
  const WEAK = /privacy|datenschutz|privatsph|confidentialit|vie priv|privacidad|privacidade|riservatezza/i;
  const DIALOG = "dialog[open], [role=dialog], [role=alertdialog], [aria-modal=true]";
  const NAMED = ["id", "class", "aria-label"].flatMap((a) => ["cookie", "consent", "gdpr"].map((w) => `[${a}*=${w} i]`)).join();
  const BUTTON = "button, [role=button], input[type=button], input[type=submit], a";
  const LONGEST = 5000;

  const shown = (e) => {
    const box = e.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && e.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  };
  const roots = [];
  const enter = (root) => {
    roots.push(root);
    for (const e of root.querySelectorAll("*")) if (e.shadowRoot) enter(e.shadowRoot);
  };
  enter(document);
  const all = (selector) => roots.flatMap((root) => [...root.querySelectorAll(selector)]);
  const inside = (box, selector) => {
    const found = [...box.querySelectorAll(selector)];
    if (box.shadowRoot) found.push(...box.shadowRoot.querySelectorAll(selector));
    return found;
  };
  const words = (box) => {
    const own = box.innerText || box.textContent || "";
    return box.shadowRoot ? own + [...box.shadowRoot.children].map((e) => e.innerText || "").join(" ") : own;
  };
  const labelOf = (e) => (e.innerText || e.value || e.getAttribute("aria-label") || "")
    .toLowerCase().replace(/[\u2019\u02bc]/g, "'").replace(/\s+/g, " ").replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
  const goesAway = (e) => e.tagName === "A" && e.hasAttribute("href") && !/^(#|javascript:|$)/i.test(e.getAttribute("href"));
  const overlays = () => all("div, section, aside, footer, header, form, dialog, article, p").filter((e) => {
    const position = getComputedStyle(e).position;
    return position === "fixed" || position === "sticky";
  });

  const isBanner = (box) => {
    const text = words(box);
    return text.length < LONGEST && (STRONG.test(text) || WEAK.test(text));
  };
  const boxes = () => {
    if (whole) return [document.documentElement];
    const known = all(platforms);
    const found = [...all(DIALOG), ...overlays(), ...all(NAMED)];
    return [...known, ...found].filter((box) => box !== document.body && box !== document.documentElement && isBanner(box));
  };
  const pick = (box, pattern) => {
    const strong = whole || STRONG.test(words(box));
    return inside(box, BUTTON).find((e) => {
      const label = labelOf(e);
      return pattern.test(label) && !e.disabled && !goesAway(e) && shown(e) && (strong || new RegExp(outspoken).test(label));
    });
  };
  const candidates = boxes().filter((box) => box.shadowRoot || box.getClientRects().length);
  for (const pattern of [new RegExp(reject), new RegExp(accept)]) {
    for (const box of candidates) {
      const found = pick(box, pattern);
      if (found) return found;
    }
  }
  return null;
}
