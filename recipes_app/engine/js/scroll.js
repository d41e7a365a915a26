// Scrolls a container, or the page when none is given; up and down by most of what is seen. Whether anything moved.
(element, given) => {
  const root = document.scrollingElement || document.documentElement;
  const scrolls = (e) => e.scrollHeight > e.clientHeight + 1 && !["visible", "clip"].includes(getComputedStyle(e).overflowY);
  let box = element;
  while (box && box !== root && !scrolls(box)) box = box.parentElement;
  if (element && (!box || box === root)) {
    // A wrapper around what scrolls is as good a name for it.
    box = [...element.querySelectorAll("*")].find(scrolls) || box;
  }
  if (!element && root.scrollHeight <= root.clientHeight + 1) {
    // The page itself does not scroll: the biggest container does.
    const area = (e) => e.clientWidth * e.clientHeight;
    box = [...document.querySelectorAll("body, body *")].filter(scrolls).sort((a, b) => area(b) - area(a))[0];
  }
  box = box || root;
  const before = box.scrollTop;
  const step = Math.max(40, box.clientHeight * 0.8);
  const top = { up: before - step, down: before + step, top: 0, bottom: box.scrollHeight }[given.direction];
  box.scrollTo({ top, behavior: "instant" });
  const moved = () => Math.abs(box.scrollTop - before) > 1;
  return new Promise((done) => { requestAnimationFrame(() => done(moved())); setTimeout(() => done(moved()), 100); });
}
