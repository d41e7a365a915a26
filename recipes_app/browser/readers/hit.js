// Whether a click at this point of the element would reach it; if not, what is in the way.
(element, given) => {
  const reaches = REACHES;
  const words = (e) => {
    const id = e.id ? `#${e.id}` : "";
    const names = typeof e.className === "string" ? e.className.trim().split(/\s+/).filter(Boolean).slice(0, 2) : [];
    const text = (e.getAttribute("aria-label") || e.innerText || "").trim().replace(/\s+/g, " ").slice(0, 60);
    return e.tagName.toLowerCase() + id + names.map((n) => `.${n}`).join("") + (text ? ` “${text}”` : "");
  };
  if (given && given.centre) element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  const measure = () => {
    const boxes = [...element.getClientRects()].filter((b) => b.width > 0 && b.height > 0);
    const whole = element.getBoundingClientRect();
    const box = given && given.offset ? whole : boxes[0] || whole;
    const x = given && given.offset ? whole.left + given.offset.x : box.left + box.width / 2;
    const y = given && given.offset ? whole.top + given.offset.y : box.top + box.height / 2;
    return { x, y, boxes, seen: x >= 0 && y >= 0 && x < innerWidth && y < innerHeight };
  };
  // Where it is clipped by a container or lies outside, scroll; in a frame the documents around scroll along.
  const clipped = () => {
    const { x, y } = measure();
    for (let at = element.parentElement; at && at !== document.documentElement; at = at.parentElement) {
      if (at.scrollHeight <= at.clientHeight && at.scrollWidth <= at.clientWidth) continue;
      const b = at.getBoundingClientRect();
      if (getComputedStyle(at).overflow !== "visible" && (x < b.left || x > b.right || y < b.top || y > b.bottom)) return true;
    }
    return false;
  };
  if (!measure().seen || clipped() || window !== window.parent) {
    element.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
  }
  const { x, y, boxes } = measure();
  // What a script moves frame by frame is not seen here.
  const moves = () => {
    for (let at = element; at; at = at.parentElement || (at.parentNode && at.parentNode.host)) {
      if (at.getAnimations().some((animation) => animation.playState === "running")) return true;
    }
    return false;
  };
  const anchor = element.closest("a[target], form[target]");
  const state = {
    x, y, cover: "", outside: false, around: false, moves: moves(),
    disabled: element.matches(":disabled") || Boolean(element.closest("[aria-disabled=true]")),
    opens: Boolean(anchor && !["", "_self", "_top", "_parent"].includes(anchor.target)),
  };
  if (!boxes.length) return { ...state, outside: true };
  if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return { ...state, outside: true };
  let hit = document.elementFromPoint(x, y);
  while (hit && hit.shadowRoot) {
    const inner = hit.shadowRoot.elementFromPoint(x, y);
    if (!inner || inner === hit) break;
    hit = inner;
  }
  if (!hit) return { ...state, outside: true };
  const contains = (outer, inner) => {
    for (let at = inner; at; at = at.parentNode || at.host) if (at === outer) return true;
    return false;
  };
  if (reaches(element, hit)) return state;
  state.around = contains(hit, element) || contains(element.parentElement, hit);
  // The biggest box that is not around the element itself names the cover best.
  let cover = hit;
  while (cover.parentElement && !contains(cover.parentElement, element) && cover.parentElement !== document.body) cover = cover.parentElement;
  return { ...state, cover: words(cover.innerText || cover.id ? cover : hit) };
}
