// Scrolls the box that holds these entries: to its top, or on by most of what it shows. Whether that moved it.
(nodes, toTop) => {
  const up = (e) => e.parentElement || (e.getRootNode() instanceof ShadowRoot ? e.getRootNode().host : null);
  const scrolls = (e) => e.scrollHeight > e.clientHeight + 1 && /auto|scroll|overlay/.test(getComputedStyle(e).overflowY);
  let box = nodes[0] || null;
  while (box && !scrolls(box)) box = up(box);
  if (!box || box === document.scrollingElement || box === document.body) return false;
  const before = box.scrollTop;
  box.scrollTop = toTop ? 0 : before + Math.max(box.clientHeight * 0.8, 20);
  return Math.abs(box.scrollTop - before) > 0.5;
}
