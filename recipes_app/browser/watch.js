// Runs first in every document. Counts what is still to come (requests, short timers, a navigation that has begun)
// and remembers which elements listen to clicks. It changes nothing that a page can rely on.
(() => {
  const KEY = Symbol.for("agentify.watch");
  if (window[KEY]) return;
  const SHORT_MS = 1000;
  const CHAIN = 3; // a timer set by a timer set by a timer is a clock, not a page still being built
  const watch = {
    requests: new Map(), timers: new Map(), frames: new Set(), listening: new WeakSet(), leaving: 0, elements: [],
  };
  Object.defineProperty(window, KEY, { value: watch });

  let last = 0;
  const begin = () => { const id = ++last; watch.requests.set(id, performance.now()); return id; };
  const end = (id) => watch.requests.delete(id);

  const realFetch = window.fetch;
  if (realFetch) {
    window.fetch = function fetch(...given) {
      const id = begin();
      const answer = realFetch.apply(this, given);
      answer.then(() => end(id), () => end(id));
      return answer;
    };
  }
  const realSend = XMLHttpRequest.prototype.send;
  XMLHttpRequest.prototype.send = function send(...given) {
    const id = begin();
    this.addEventListener("loadend", () => end(id), { once: true });
    try {
      return realSend.apply(this, given);
    } catch (error) {
      end(id);
      throw error;
    }
  };

  // As every browser does, and Chromium does not while it is driven: only so many windows that nobody clicked for.
  const UNINVITED = 5;
  const realOpen = window.open;
  let uninvited = 0;
  window.open = function open(...given) {
    if (!navigator.userActivation?.isActive && ++uninvited > UNINVITED) return null;
    return realOpen.apply(this, given);
  };

  let depth = 0;
  const realSet = window.setTimeout;
  const realClear = window.clearTimeout;
  window.setTimeout = function setTimeout(handler, delay, ...rest) {
    if (typeof handler !== "function" || !(Number(delay || 0) <= SHORT_MS) || depth >= CHAIN) {
      return realSet.call(this, handler, delay, ...rest);
    }
    const level = depth + 1;
    const id = realSet.call(this, function (...given) {
      watch.timers.delete(id);
      const outer = depth;
      depth = level;
      try {
        return handler.apply(this, given);
      } finally {
        depth = outer;
      }
    }, delay, ...rest);
    watch.timers.set(id, performance.now() + Number(delay || 0));
    return id;
  };
  window.clearTimeout = function clearTimeout(id) {
    watch.timers.delete(id);
    return realClear.call(this, id);
  };

  for (const [set, clear] of [["requestAnimationFrame", "cancelAnimationFrame"], ["requestIdleCallback", "cancelIdleCallback"]]) {
    const realRequest = window[set];
    const realCancel = window[clear];
    if (!realRequest) continue;
    window[set] = function request(handler, ...rest) {
      if (typeof handler !== "function") return realRequest.call(this, handler, ...rest);
      const id = realRequest.call(this, function (...given) {
        watch.frames.delete(`${set} ${id}`);
        return handler.apply(this, given);
      }, ...rest);
      watch.frames.add(`${set} ${id}`);
      return id;
    };
    window[clear] = function cancel(id) {
      watch.frames.delete(`${set} ${id}`);
      return realCancel.call(this, id);
    };
  }

  const CLICKS = new Set(["click", "mousedown", "mouseup", "pointerdown", "pointerup"]);
  const realAdd = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function addEventListener(type, ...rest) {
    if (CLICKS.has(type) && this instanceof Element) watch.listening.add(this);
    return realAdd.call(this, type, ...rest);
  };
  // Asked by a content script, which sees none of this: whether a value that was just put in may yet be taken back.
  const SOON_MS = 250;
  realAdd.call(window, "agentify.pending", (event) => {
    const soon = performance.now() + SOON_MS;
    if (watch.frames.size || [...watch.timers.values()].some((due) => due < soon)) event.preventDefault();
  });
  realAdd.call(window, "beforeunload", () => { watch.leaving = performance.now(); });
})();
