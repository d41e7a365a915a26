// Resolves true once the document is quiet: parsed, no change in the tree for a moment, nothing counted by watch.js
// still to come. False when limit_ms is over. Long polls and endless changes are given up on after a while.
// A document that has arrived and holds nothing that could run cannot change by itself: it is quiet once it is whole.
({ limit_ms, arrived }) => new Promise((resolve) => {
  const QUIET_MS = 60;
  const REQUEST_MS = 3000;
  const CHANGES_MS = 2000;
  const LEAVING_MS = 2000;
  const LOADING_MS = 2500;
  const start = performance.now();
  const watch = window[Symbol.for("agentify.watch")];
  let changed = start;
  const observer = new MutationObserver(() => { changed = performance.now(); });
  const watched = {
    subtree: true, childList: true, characterData: true, attributes: true,
    attributeFilter: ["class", "hidden", "disabled", "open", "aria-hidden", "aria-expanded", "aria-busy", "value"],
  };
  observer.observe(document, watched);
  let hasShadow = false;
  for (const host of document.querySelectorAll("*")) {
    if (!host.shadowRoot) continue;
    hasShadow = true;
    observer.observe(host.shadowRoot, watched);
  }

  const isWaiting = (now) => {
    if (!watch) return false;
    for (const since of watch.requests.values()) if (now - since < REQUEST_MS) return true;
    for (const due of watch.timers.values()) if (now < due + 50) return true;
    return watch.leaving > 0 && now - watch.leaving < LEAVING_MS;
  };
  const RUNS = "script, iframe, frame, object, embed, meta[http-equiv='refresh' i]";
  const HANDLES = "boolean(//@*[starts-with(translate(name(), 'ON', 'on'), 'on')])";
  let inert = arrived && !hasShadow && document.contentType === "text/html";
  const isInert = () => {
    inert = inert && !document.querySelector(RUNS)
      && !document.evaluate(HANDLES, document, null, XPathResult.BOOLEAN_TYPE, null).booleanValue;
    return inert;
  };
  const done = (result) => { observer.disconnect(); resolve(result); };
  const look = () => {
    const now = performance.now();
    if (now - start >= limit_ms) return done(false);
    const parsed = document.readyState === "complete" || (document.readyState !== "loading" && now - start > LOADING_MS);
    const still = now - changed >= QUIET_MS || now - start > CHANGES_MS;
    if (parsed && (still || (document.readyState === "complete" && isInert())) && !isWaiting(now)) return done(true);
    return again();
  };
  const again = () => {
    const id = window.setTimeout(look, 15);
    if (watch) watch.timers.delete(id); // our own waiting is not the page's
  };
  look();
})
