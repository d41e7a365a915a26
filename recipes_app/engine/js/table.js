// A table as a grid: merged cells repeated, foot rows left out. { headers, rows } of { text, lang, base }.
(table, given) => {
  const read = READ;
  const role = (e) => e.getAttribute("role");
  const inner = table.matches("table, [role=table], [role=grid], [role=treegrid]")
    ? table : table.querySelector("table, [role=table], [role=grid], [role=treegrid]");
  if (!inner) return null;
  const own = (e) => e.closest("table, [role=table], [role=grid], [role=treegrid]") === inner;
  // A filter in the page hides rows rather than taking them out.
  const isShown = inner.checkVisibility();
  const rows = [...inner.querySelectorAll("tr, [role=row]")].filter((row) => own(row) && !row.closest("tfoot") && (!isShown || row.checkVisibility() || row.closest("thead")));
  const cellsOf = (row) => [...row.querySelectorAll("td, th, [role=cell], [role=gridcell], [role=columnheader], [role=rowheader]")]
    .filter((cell) => cell.closest("tr, [role=row]") === row);
  const isHead = (row, cells) => Boolean(row.closest("thead")) ||
    (cells.length > 0 && cells.every((c) => (c.tagName === "TH" && c.scope !== "row") || role(c) === "columnheader"));
  const span = (cell, name) => Number(cell.getAttribute(name) || cell.getAttribute(`aria-${name}`)) || 1;

  const grid = [];
  const heads = [];
  let carried = [];
  for (const row of rows) {
    const cells = cellsOf(row);
    if (!cells.length) continue;
    const line = [];
    const next = [];
    let at = 0;
    const takeCarried = () => {
      while (carried[at]) {
        line[at] = carried[at].cell;
        if (carried[at].left > 1) next[at] = { cell: carried[at].cell, left: carried[at].left - 1 };
        at += 1;
      }
    };
    for (const cell of cells) {
      takeCarried();
      for (let i = 0; i < Math.min(span(cell, "colspan"), 1000); i += 1) {
        line[at] = cell;
        if (span(cell, "rowspan") > 1) next[at] = { cell, left: span(cell, "rowspan") - 1 };
        at += 1;
      }
    }
    takeCarried();
    carried = next;
    // One heading across the whole row names the group of rows below it, not a column.
    const isGroup = cells.length === 1 && heads.length > 0 && !row.closest("thead");
    if (isHead(row, cells) && !grid.length && !isGroup) heads.push(line); else if (!isHead(row, cells)) grid.push(line);
  }
  const words = (cell) => (cell.innerText || "").replace(/\s+/g, " ").trim();
  const width = Math.max(0, ...grid.map((line) => line.length), ...heads.map((line) => line.length));
  const headers = [];
  for (let column = 0; column < width; column += 1) {
    const parts = heads.map((line) => (line[column] ? words(line[column]) : "")).filter(Boolean);
    headers.push([...new Set(parts)].join(" "));
  }
  return { headers, rows: grid.map((line) => headers.map((_, c) => (line[c] ? read(line[c], { attr: "text", type: given.types[headers[c]] || "string" }) : null))) };
}
