// The calendars that are shown: which months, the day wanted, and the buttons to turn, choose and confirm.
// As a page function of one argument: { year, month, day, root, known }, or { list: true } for the grids themselves.
(given) => {
  const NEXT = /next|nächst|naechst|suivant|siguiente|pr[oó]xim|successiv|volgende|następn|nästa|forward|(chevron|arrow|angle|caret)[-_ ]?right|[›→⟩❯▶»>]/i;
  const PREVIOUS = /prev|vorig|vorher|zurück|précédent|precedent|anterior|vorige|poprzedn|föregående|back(?!ground)|(chevron|arrow|angle|caret)[-_ ]?left|[‹←⟨❮◀«<]/i;
  const YEAR = /year|jahr|ann[eé]e|año|\bano\b|\banno|jaar|\brok|decade/i;
  const CONFIRM = /^(ok|okay|apply|done|set|select|confirm|save|übernehmen|fertig|anwenden|auswählen|valider|appliquer|aplicar|aceptar|conferma|applica|toepassen)$/i;
  const PRESSABLE = "button, a, [role=button], [onclick], [data-handler], [class*=next], [class*=prev], [class*=Next], [class*=Prev]";
  const seen = (e) => e.checkVisibility({ visibilityProperty: true }) && e.getBoundingClientRect().width > 0;
  const deep = (root, selector) => {
    const found = [...root.querySelectorAll(selector)];
    for (const host of root.querySelectorAll("*")) if (host.shadowRoot) found.push(...deep(host.shadowRoot, selector));
    return found;
  };
  const up = (e) => e.parentElement || (e.getRootNode() instanceof ShadowRoot ? e.getRootNode().host : null);
  const numberOf = (e) => Number((e.innerText || e.textContent || "").match(/^\s*(\d{1,2})(?!\d)/)?.[1] || 0);
  const cellsOf = (grid) => {
    const cells = deep(grid, "[role=gridcell], td").filter((c) => !c.closest("[role=rowheader], [class*=week-num], [class*=weekNum]"));
    const inner = cells.filter((c) => !cells.some((other) => other !== c && c.contains(other)));
    return inner.length ? inner : deep(grid, "*").filter((e) => !e.children.length && numberOf(e) > 0);
  };
  const isMonth = (grid) => new Set(cellsOf(grid).map(numberOf).filter((n) => n > 0 && n < 32)).size >= 28;
  const loose = (root) => {
    const leaf = deep(root, "*").find((e) => !e.children.length && /^15$/.test((e.textContent || "").trim()) && seen(e));
    for (let at = leaf && up(leaf); at && at !== document.body; at = up(at)) if (isMonth(at)) return [at];
    return [];
  };
  const root = given.root || document;
  const tables = [...(root.matches?.("[role=grid], table") ? [root] : []), ...deep(root, "[role=grid], table")];
  let grids = tables.filter((g) => seen(g) && isMonth(g));
  grids = grids.filter((g) => !grids.some((other) => other !== g && g.contains(other)));
  if (!grids.length) grids = loose(root);
  const fresh = grids.filter((g) => !(given.known || []).includes(g));
  if (fresh.length && !given.list) grids = fresh;

  // --- which month
  const langs = [grids[0]?.closest("[lang]")?.lang, document.documentElement.lang, navigator.language, "en"].filter(Boolean);
  const names = new Map();
  for (const lang of langs) {
    for (const style of ["long", "short"]) {
      for (let m = 0; m < 12; m += 1) {
        for (const options of [{ month: style }, { month: style, day: "numeric" }]) {
          let parts = [];
          try { parts = new Intl.DateTimeFormat(lang, options).formatToParts(new Date(2001, m, 10)); } catch { continue; }
          const name = parts.find((p) => p.type === "month")?.value.toLowerCase().replace(/\./g, "");
          if (name && !names.has(name)) names.set(name, m);
        }
      }
    }
  }

  // --- years or months to choose from, where no days are shown yet
  const short = (e) => ((e.textContent || "").length < 24 ? (e.innerText || "").trim() : "");
  const yearIn = (e) => Number(short(e).match(/^(\d{4})\s*年?$/)?.[1] || 0);
  const nameIn = (e) => names.get(short(e).toLowerCase().replace(/\./g, "")) ?? -1;
  const choices = () => {
    const leaves = deep(root, "button, a, [role], td, li, span, div")
      .filter((e) => (yearIn(e) || nameIn(e) >= 0) && seen(e) && !e.closest("select") && ![...e.children].some((c) => yearIn(c) || nameIn(c) >= 0));
    for (const [unit, read, enough] of [["year", yearIn, 4], ["month", (e) => nameIn(e) + 1, 12]]) {
      const nodes = leaves.filter(read);
      for (let at = nodes[0] && up(nodes[0]), level = 0; at && level < 4; at = up(at), level += 1) {
        const inside = nodes.filter((e) => at.contains(e));
        const values = inside.map(read);
        const isRow = values.length >= enough && values.every((v, i) => !i || Math.abs(v - values[i - 1]) === 1);
        if (isRow && (unit === "year" || values.length === 12)) return { unit, at, nodes: inside, values };
      }
    }
    return null;
  };
  const choice = grids.length ? null : choices();
  if (given.list) return choice ? [choice.at] : grids;
  const isNew = choice && !(given.known || []).includes(choice.at);
  const anchor = grids[0] || (isNew ? choice.at : null);
  const monthOf = (text) => {
    const plain = (text || "").toLowerCase();
    const numeric = plain.match(/(\d{4})\s*[-/.年]\s*(\d{1,2})(?!\d)/);
    if (numeric) return Number(numeric[1]) * 12 + Number(numeric[2]) - 1;
    const year = plain.match(/(?<!\d)(\d{4})(?!\d)/);
    if (!year) return null;
    for (const word of plain.replace(/\./g, "").split(/[^\p{L}\p{M}\p{N}]+/u)) if (names.has(word)) return Number(year[1]) * 12 + names.get(word);
    const turned = plain.match(/(?<!\d)(\d{1,2})\s*[./-]\s*\d{4}/);
    return turned ? Number(year[1]) * 12 + Number(turned[1]) - 1 : null;
  };
  const saidBy = (e) => {
    if (!e.querySelector("select, input")) return e.innerText || "";
    const fields = [...e.querySelectorAll("select, input")].map((f) => f.selectedOptions?.[0]?.text ?? f.value);
    const rest = [...e.querySelectorAll("*")].filter((x) => !x.children.length && !x.closest("select, input")).map((x) => x.textContent);
    return [...fields, ...rest].join(" ");
  };
  const labelled = (e) => (e.getAttribute("aria-labelledby") || "").split(/\s+/).map((id) => document.getElementById(id)?.innerText || "").join(" ");
  const fullDate = (cell) => {
    for (const e of [cell, ...cell.querySelectorAll("*")]) {
      for (const name of ["data-date", "data-day", "datetime", "aria-label", "title"]) {
        const month = monthOf(e.getAttribute(name));
        if (month !== null) return month;
      }
    }
    return null;
  };
  const monthByHeading = (grid) => {
    for (const text of [grid.getAttribute("aria-label"), labelled(grid), grid.querySelector("caption")?.innerText]) {
      const month = monthOf(text);
      if (month !== null) return month;
    }
    for (let at = up(grid), level = 0; at && level < 6; at = up(at), level += 1) {
      const inside = grids.filter((g) => at.contains(g));
      const fitting = deep(at, "*").filter((e) => !grids.some((g) => g.contains(e) && e.closest("td, [role=gridcell]")) && !e.contains(grid)
        && e.tagName !== "OPTION" && seen(e) && saidBy(e).length < 80 && monthOf(saidBy(e)) !== null);
      const own = fitting.filter((e) => !fitting.some((other) => other !== e && e.contains(other)));
      if (own.length >= inside.length && own.length) return monthOf(saidBy(own[inside.indexOf(grid)]));
      if (at === document.body) break;
    }
    return null;
  };
  const daysOf = (grid) => {
    const cells = cellsOf(grid).filter((c) => numberOf(c) > 0 || !c.children.length);
    const first = cells.findIndex((c) => numberOf(c) === 1);
    const days = first < 0 ? cells : cells.slice(first);
    const second = days.findIndex((c, i) => i > 20 && numberOf(c) === 1);
    return second < 0 ? days : days.slice(0, second);
  };
  const shown = grids.map((grid) => {
    const days = daysOf(grid);
    const middle = days.find((c) => numberOf(c) === 15);
    return { days, month: (middle && fullDate(middle)) ?? monthByHeading(grid) };
  }).filter((m) => m.month !== null);

  // --- the day
  const wanted = given.year * 12 + given.month - 1;
  const cell = shown.find((m) => m.month === wanted)?.days.find((c) => numberOf(c) === given.day) || null;
  const day = cell && (cell.querySelector("button, a, [role=button]") || cell);
  const isOff = (e) => Boolean(e && (e.matches(":disabled") || e.closest("[aria-disabled=true]") || /\b\S*(disabled|unselectable)\b/i.test(e.className)));
  const isOn = (e) => Boolean(e && ([e, ...e.querySelectorAll("*")].some((x) => x.getAttribute("aria-selected") === "true"
    || x.getAttribute("aria-pressed") === "true" || x.getAttribute("aria-checked") === "true" || /(^|[-_ ])(selected|active)\b/i.test(String(x.className)))));

  // --- the buttons around
  const nameOf = (e) => [e.getAttribute("aria-label"), e.title, e.innerText, typeof e.className === "string" ? e.className : "", e.dataset.handler].filter(Boolean);
  const cells = new Set(shown.flatMap((m) => m.days).concat(grids.flatMap(cellsOf), isNew ? choice.nodes : []));
  const isOfDay = (e) => { for (let at = e; at; at = up(at)) if (cells.has(at)) return true; return false; };
  const said = (e, pattern) => nameOf(e).some((text) => pattern.test(text));
  const result = {
    months: shown.map((m) => m.month), day, disabled: isOff(cell) || isOff(day), selected: isOn(cell) || isOn(day),
    next: null, previous: null, next_disabled: false, previous_disabled: false,
    years: null, years_index: -1, months_list: null, months_list_index: -1, confirm: null,
    unit: "", unit_from: 0, unit_to: 0, unit_node: null, unit_disabled: false,
  };
  if (isNew) {
    const value = choice.unit === "year" ? given.year : given.month;
    result.unit = choice.unit;
    // The year that a page of months belongs to stands above it, 0 where it does not.
    const above = choice.unit === "month" ? deep(up(choice.at) || document, "*").map((e) => (choice.at.contains(e) ? 0 : yearIn(e))).find(Boolean) || 0 : 0;
    [result.unit_from, result.unit_to] = choice.unit === "year" ? [Math.min(...choice.values), Math.max(...choice.values)] : [above, above];
    result.unit_node = choice.nodes[choice.values.indexOf(value)] || null;
    result.unit_disabled = isOff(result.unit_node);
  }
  for (let at = anchor && up(anchor), level = 0; at && level < 6; at = up(at), level += 1) {
    const around = deep(at, PRESSABLE).filter((e) => seen(e) && !isOfDay(e) && !e.contains(anchor));
    const inner = around.filter((e) => !around.some((other) => other !== e && other.contains(e)));
    const turners = inner.filter((e) => !said(e, YEAR));
    result.next = result.next || turners.find((e) => said(e, NEXT) && !said(e, PREVIOUS)) || null;
    result.previous = result.previous || turners.find((e) => said(e, PREVIOUS) && !said(e, NEXT)) || null;
    result.confirm = result.confirm || inner.find((e) => CONFIRM.test((e.innerText || e.value || "").trim())) || null;
    for (const list of deep(at, "select").filter(seen)) {
      const labels = [...list.options].map((o) => o.text.trim());
      if (labels.every((t) => /^\d{4}$/.test(t))) { result.years = list; result.years_index = labels.indexOf(String(given.year)); }
      else if (labels.every((t) => names.has(t.toLowerCase().replace(/\./g, "")))) {
        result.months_list = list;
        result.months_list_index = labels.findIndex((t) => names.get(t.toLowerCase().replace(/\./g, "")) === given.month - 1);
      }
    }
    if ((result.next && result.previous) || at === document.body) break;
    const above = turners.filter((e) => e.getBoundingClientRect().bottom <= anchor.getBoundingClientRect().top + 4);
    if (!result.next && !result.previous && above.length >= 2) {
      // Nameless buttons: what stands furthest right goes on, furthest left goes back.
      const byPlace = [...above].sort((a, b) => a.getBoundingClientRect().left - b.getBoundingClientRect().left);
      const rightToLeft = getComputedStyle(at).direction === "rtl";
      [result.previous, result.next] = rightToLeft ? [byPlace[byPlace.length - 1], byPlace[0]] : [byPlace[0], byPlace[byPlace.length - 1]];
      break;
    }
  }
  result.next_disabled = isOff(result.next);
  result.previous_disabled = isOff(result.previous);
  return result;
}
