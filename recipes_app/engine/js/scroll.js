// Scrolls a container, or the page when none is given; up and down by most of what is seen.
(element, given) => {
  const root = document.scrollingElement || document.documentElement;
  let box = element;
  while (box && box !== root && box.scrollHeight <= box.clientHeight) box = box.parentElement;
  box = box || root;
  const step = Math.max(200, box.clientHeight * 0.8);
  const top = { up: box.scrollTop - step, down: box.scrollTop + step, top: 0, bottom: box.scrollHeight }[given.direction];
  box.scrollTo({ top, behavior: "instant" });
  return new Promise((done) => { requestAnimationFrame(() => done(box.scrollTop)); setTimeout(() => done(box.scrollTop), 100); });
}
