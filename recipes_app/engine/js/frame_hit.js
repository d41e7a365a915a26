// Whether the frame element itself receives a click at this point of its own document; if not, what is in the way.
(element, given) => {
  const box = element.getBoundingClientRect();
  const style = getComputedStyle(element);
  const x = box.left + parseFloat(style.borderLeftWidth) + parseFloat(style.paddingLeft) + given.x;
  const y = box.top + parseFloat(style.borderTopWidth) + parseFloat(style.paddingTop) + given.y;
  const hit = document.elementFromPoint(x, y);
  const free = !hit || hit === element || hit.contains(element) || Boolean(hit.shadowRoot && hit.shadowRoot.contains(element));
  const text = hit ? (hit.innerText || "").trim().replace(/\s+/g, " ").slice(0, 60) : "";
  return { x, y, cover: free ? "" : hit.tagName.toLowerCase() + (hit.id ? `#${hit.id}` : "") + (text ? ` “${text}”` : "") };
}
