// Tells of everything that is done to the page's controls, from inside the page.
(() => {
  const keyOf = KEYS;
  const tell = (event) => {
    const target = event.composedPath()[0];
    if (!(target instanceof Element)) return;
    const key = keyOf(target);
    if (key) window.agentifyWitness(key);
  };
  for (const type of ["input", "change", "click", "drop"]) addEventListener(type, tell, { capture: true });
})()
