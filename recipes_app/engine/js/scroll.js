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
  if (!element) {
    // Many pages scroll in a container that fills the window, and hardly or not at all themselves.
    const area = (e) => e.clientWidth * e.clientHeight;
    const room = (e) => (["up", "top"].includes(given.direction) ? e.scrollTop : e.scrollHeight - e.clientHeight - e.scrollTop);
    const big = [...document.querySelectorAll("body, body *")].filter((e) => scrolls(e) && area(e) > (innerWidth * innerHeight) / 4);
    const boxes = [root, ...big.sort((a, b) => area(b) - area(a))];
    box = boxes.find((e) => room(e) > 40) || boxes.find((e) => room(e) > 1);
  }
  box = box || root;
  const before = box.scrollTop;
  const step = Math.max(40, box.clientHeight * 0.8);
  const top = { up: before - step, down: before + step, top: 0, bottom: box.scrollHeight }[given.direction];
  box.scrollTo({ top, behavior: "instant" });
  const moved = () => Math.abs(box.scrollTop - before) > 1;
  return new Promise((done) => { requestAnimationFrame(() => done(moved())); setTimeout(() => done(moved()), 100); });
}
