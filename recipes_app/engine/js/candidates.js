// More about the elements of the last snapshot of this document: what they stand in, and whether inside `box`.
(box) => {
  const ITEM = "tr, li, [role=row], [role=listitem], article, [role=article], fieldset, [role=group], dd, dt, [role=option]";
  const watch = window[Symbol.for("agentify.watch")];
  const forms = [...document.querySelectorAll("form, [role=form], [role=search], dialog, [role=dialog]")];
  return (watch ? watch.elements : []).map((element) => {
    const item = aria.closest(element, ITEM);
    const form = aria.closest(element, "form, [role=form], [role=search], dialog, [role=dialog]");
    return {
      near: item && item !== element ? aria.wordsOf(item).slice(0, 300) : "",
      form: form ? forms.indexOf(form) : -1,
      inside: !box || box.contains(element),
    };
  });
}
