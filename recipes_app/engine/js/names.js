// Role and name of the first visible nodes, to say what is there instead.
(elements, limit) => elements.filter((e) => !aria.hidden(e)).slice(0, limit).map((e) =>
  ({ role: aria.roleOf(e), name: aria.nameOf(e).slice(0, 80) }))
