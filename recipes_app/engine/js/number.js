// The number of this element, or of the control it labels or holds, in the last snapshot; -1 for one that is not in it.
(element) => {
  const watch = window[Symbol.for("agentify.watch")];
  return watch ? watch.elements.indexOf(element) : -1;
}
