// Repeated structures (cards, results, questions), tables with header cells, definition lists.
const SAMPLES = 12;
const MEMBERS = 400;
const SKIPPED_ITEMS = "script,style,template,option,br,hr,link,meta,tr,td,th,thead,tbody,tfoot,col,colgroup,dt,dd,source,path,g,legend,noscript,input,label,button,select,textarea,p,span,strong,em,b,i,h1,h2,h3,h4,h5,h6,form";

// Children of one container that have the same make: same tag and one class in common (or none at all).
function groupsOf(container) {
  const byTag = new Map();
  for (const child of container.children) {
    if (!child.matches(SKIPPED_ITEMS)) byTag.set(child.localName, [...(byTag.get(child.localName) || []), child]);
  }
  return Array.from(byTag).filter(([tag, items]) => items.length >= leastOf(tag, items)).map(([tag, items]) => commonMake(container, tag, items)).filter(Boolean);
}
// Two of a kind are a list where the markup says that they are entries of one; one is, for who knows that a list is meant.
const leastOf = (tag, items) => (tag === "li" || tag === "article" || items[0].matches("[role=listitem],[role=article]") ? opts.least || 2 : 3);
function commonMake(container, tag, items) {
  const least = Math.min(leastOf(tag, items), items.length);
  const counts = new Map();
  for (const item of items) for (const c of classesOf(item)) counts.set(c, (counts.get(c) || 0) + 1);
  const best = Array.from(counts).filter(([, n]) => n >= least && n >= items.length * 0.5).sort((a, b) => b[1] - a[1])[0];
  if (!best && tag === "div" && counts.size > items.length / 2) return null;
  const marked = best && items.length > 1 ? items.filter((n) => n.classList.contains(best[0])) : items;
  const alike = marked.length < items.length && items.every((n) => sameInside(n, marked[0])) ? items : marked;
  const members = alike.slice(0, MEMBERS).filter(visible);
  if (members.length < least) return null;
  return { container, items: members, step: best && items.length > 1 && alike.every((n) => n.classList.contains(best[0])) ? `${tag}.${best[0]}` : tag, total: alike.length > MEMBERS ? alike.length : members.length };
}
// A class that most entries have may only say what state they are in (a minor change): the others are made alike.
const partsOf = (item) => new Set(Array.from(item.querySelectorAll("*")).slice(0, 40).map((n) => `${n.localName}.${classesOf(n)[0] || ""}`));
function sameInside(one, other) {
  const [mine, theirs] = [partsOf(one), partsOf(other)];
  const shared = Array.from(mine).filter((part) => theirs.has(part)).length;
  return shared > 1 && shared >= 0.6 * Math.max(mine.size, theirs.size);
}
// Where each item sits alone in a container (a grid of columns of one card), the class of the card itself still names it.
const LEAVES = "a,time,img,h1,h2,h3,h4,h5,h6,[itemprop],[data-label]";
const hasOwnText = (el) => Array.from(el.childNodes).some((n) => n.nodeType === 3 && fold(n.data) !== "");
// An answer under its closed question is there to be read all the same.
const inClosed = (el) => { const details = el.closest("details:not([open])"); return Boolean(details) && visible(details); };
// What an item offers and where it leads elsewhere is not what it says.
const NO_CONTENT = "button,form,select,script,style,[role=button],nav,[role=navigation],[role=menu],[role=toolbar]";
function holdersOf(item) {
  const found = [];
  for (const el of item.querySelectorAll("*")) {
    if (found.length >= 40) break;
    const apart = closest(el, NO_CONTENT);
    if (apart && apart !== item && item.contains(apart)) continue;
    if (el.matches("img[alt]:not([alt=''])") || ((hasOwnText(el) || el.matches("time,a[href]")) && (visible(el) || inClosed(el)))) found.push(el);
  }
  return found;
}
function relativeSelectors(el, item) {
  const found = [];
  const tag = el.localName;
  if (el.getAttribute("itemprop")) found.push(`[itemprop=${quoted(el.getAttribute("itemprop"))}]`);
  for (const name of ["data-label", "data-field", "data-testid"]) if (stable(el.getAttribute(name))) found.push(`[${name}=${quoted(el.getAttribute(name))}]`);
  for (const c of classesOf(el)) found.push(`.${c}`, `${tag}.${c}`);
  const parent = el.parentElement;
  if (parent && parent !== item) for (const c of classesOf(parent)) found.push(`.${c} > ${tag}`, `.${c} ${tag}`);
  if (parent && parent !== item && parent.matches("h1,h2,h3,h4,h5,h6,dd,td,p,header,footer")) found.push(`${parent.localName} > ${tag}`);
  found.push(tag);
  const previous = el.previousElementSibling;
  const mark = previous && (stable(previous.id) && /^[A-Za-z][\w-]*$/.test(previous.id) ? `#${previous.id}` : classesOf(previous)[0] ? `.${classesOf(previous)[0]}` : "");
  if (mark) found.push(`${mark} + ${tag}`);
  const steps = [];
  for (let at = el; at && at !== item; at = at.parentElement) {
    const same = Array.from(at.parentElement.children).filter((n) => n.localName === at.localName);
    steps.unshift(same.length > 1 ? `${at.localName}:nth-of-type(${same.indexOf(at) + 1})` : at.localName);
  }
  found.push(steps.join(" > "));
  return found;
}
function fieldSelector(el, item, sample) {
  const fits = (selector) => {
    let single = 0;
    let present = 0;
    for (const other of sample) {
      const hits = other.querySelectorAll(selector);
      if (hits.length) present += 1;
      if (hits.length === 1) single += 1;
    }
    return item.querySelector(selector) === el && present >= sample.length * 0.5 && single >= present * 0.7;
  };
  return relativeSelectors(el, item).find(fits) || null;
}
// "In stock" here and "Out of stock" there, each with a class of its own, are one thing with two states.
const STATES_OF = /^(in stock|available|out of stock|sold out|unavailable|not available|auf lager|lieferbar|nicht lieferbar|ausverkauft|en stock|épuisé|rupture de stock|agotado|disponible|no disponible|disponibile|esaurito)\b/i;
function orOpposite(el, selector, item, sample) {
  if (!STATES_OF.test(textOf(el, 40)) || !/\.[\w-]+$/.test(selector)) return selector;
  for (const other of sample) {
    if (other.querySelector(selector)) continue;
    const twin = Array.from(other.querySelectorAll(el.localName)).find((n) => STATES_OF.test(textOf(n, 40)) && n.children.length === 0);
    const own = twin && classesOf(twin)[0];
    if (own) return `${selector}, ${twin.localName}.${own}`;
  }
  return selector;
}
const READERS = {
  text: (el) => textOf(el, 300), href: (el) => el.href || "", alt: (el) => fold(el.getAttribute("alt")), datetime: (el) => el.getAttribute("datetime") || "",
  content: (el) => el.getAttribute("content") || "",
};
function describeField(el, selector, attr, sample) {
  const heading = closest(el, HEADINGS);
  const hint = { itemprop: attribute(el, "itemprop"), label: attribute(el, "data-label") || attribute(el, "data-field") || attribute(el, "aria-label"),
    css_class: classesOf(el)[0] || "", tag: el.localName, heading: Boolean(heading) || el.matches("summary"), link: el.matches("a[href]") };
  const values = sample.map((item) => { const hit = selector ? item.querySelector(selector) : item; return hit ? READERS[attr](hit) : null; });
  return { css: selector || "", attr, values, before: selector ? sameBefore(selector, sample) : wordsBefore(el), ...hint };
}
// Words that stand before it in every item are its name; others are what another part of the item says.
function sameBefore(selector, sample) {
  const said = sample.map((item) => item.querySelector(selector)).filter(Boolean).map(wordsBefore);
  return said.every((words) => words === said[0]) && !(sample.length === 1 && /\d/.test(said[0])) ? said[0] || "" : "";
}
// "Price: 12" written as <dt>Price</dt><dd>12</dd> or <span>Price</span><span>12</span>: the words before are the name.
function wordsBefore(el) {
  const previous = el.previousElementSibling;
  return previous && el.matches("dd,td,span,strong,b,div") && previous.matches("dt,th,strong,b,label,span") ? textOf(previous, 30) : "";
}
// On a page about one thing, a paragraph right below the heading of a section is what that heading says; the first heading names the thing.
function headingAbove(el, item) {
  if (!el.matches("p,div,blockquote,pre")) return "";
  for (let at = el; at && at !== item; at = at.parentElement) {
    const previous = at.previousElementSibling;
    if (!previous) continue;
    const heading = previous.matches(HEADINGS) ? previous : previous.querySelector(HEADINGS);
    const alone = heading && heading !== item.querySelector(HEADINGS) && fold(heading.innerText) === fold(previous.innerText);
    return alone ? textOf(heading, 30) : "";
  }
  return "";
}
function itemFields(items) {
  const sample = items.slice(0, SAMPLES);
  const richest = sample.slice(0, 5).map((item) => [holdersOf(item), item]).sort((a, b) => b[0].length - a[0].length)[0];
  const [holders, item] = richest;
  const fields = [];
  const taken = new Set();
  const add = (el, attr) => {
    const alone = fieldSelector(el, item, sample);
    const selector = alone && attr === "text" ? orOpposite(el, alone, item, sample) : alone;
    if (selector === null || taken.has(`${selector}|${attr}`)) return;
    taken.add(`${selector}|${attr}`);
    fields.push(describeField(el, selector, attr, sample));
  };
  for (const el of holders) {
    if (fields.length >= 14) break;
    if (el.matches("img")) { add(el, "alt"); continue; }
    if (el.matches("time[datetime]")) { add(el, "datetime"); continue; }
    if (el.matches("a[href]")) { if (fold(el.innerText)) add(el, "text"); add(el, "href"); continue; }
    if (!(el.parentElement && el.parentElement.matches("a[href]") && fold(el.parentElement.innerText) === fold(el.innerText) && item.contains(el.parentElement) && item !== el.parentElement)) add(el, "text");
  }
  if (item.matches("a[href]")) fields.push(describeField(item, "", "href", sample));
  if (!fields.some((f) => f.attr === "text")) fields.push(describeField(item, "", "text", sample));
  return fields;
}
function actionsOf(items) {
  const found = new Map();
  for (const item of items) {
    for (const el of Array.from(item.querySelectorAll(`${BUTTONS},a[href]`)).slice(0, 12)) {
      const name = nameOf(el);
      if (!visible(el) || !name) continue;
      const key = `${roleOf(el)}|${name}`;
      const entry = found.get(key) || { name, role: roleOf(el), tag: el.localName, count: 0, css_class: attribute(el, "class"), href: el.href || "", menu: el.matches("[aria-haspopup=menu],[aria-haspopup=true]"),
        method: el.form ? (el.form.getAttribute("method") || "get").toLowerCase() : "", confirm: /confirm\s*\(/.test(attribute(el, "onclick") + (el.form ? attribute(el.form, "onsubmit") : "")) };
      entry.count += 1;
      found.set(key, entry);
    }
  }
  return Array.from(found.values()).filter((a) => a.count >= Math.max(2, items.length * 0.3)).slice(0, 8);
}
function listFacts(group) {
  const { container, items, step } = group;
  const selector = `${groupSelector(container)} > ${step}`;
  return {
    items_css: selector, step, container_css: groupSelector(container), total: group.total, fields: itemFields(items), actions: actionsOf(items.slice(0, SAMPLES)),
    texts: items.slice(0, SAMPLES).map((n) => textOf(n, 200)), text_size: items.slice(0, SAMPLES).reduce((sum, n) => sum + textOf(n, 400).length, 0),
    tag: items[0].localName, role: attribute(container, "role"), item_role: attribute(items[0], "role"), chrome: isChrome(container),
    chrome_words: !closest(container, "main,[role=main]") && chromeWords(container) || /pag(er|ination)|breadcrumb|share|social|langs?|language/i.test(`${container.id} ${attribute(container, "class")} ${attribute(container, "aria-label")}`),
    controls: items.slice(0, SAMPLES).filter(isForFilling).length, box: boxOf(container), context: contextOf(container), scroller: scrollerOf(container),
  };
}
// What is scrolled to see more of a list, where that is a part of the page only.
function scrollerOf(el) {
  for (let at = el; at && !at.matches("body,html"); at = parentOf(at)) {
    if (at.scrollHeight > at.clientHeight + 40 && /auto|scroll/.test(getComputedStyle(at).overflowY)) return groupSelector(at);
  }
  return "";
}
const area = (el) => { const b = el.getBoundingClientRect(); return b.width * b.height; };
function repeatedStructures() {
  const groups = [];
  for (const el of everything) {
    if (el.childElementCount < Math.min(opts.least || 2, 2) || el.matches("table,thead,tbody,tr,select,datalist,svg,head,html,dl,form fieldset") || closest(el, "svg,[role=radiogroup]")) continue;
    groups.push(...groupsOf(el));
    if (groups.length > 300) break;
  }
  const rich = groups.filter((g) => g.items.some((n) => fold(n.textContent).length > 1)).sort((a, b) => area(b.container) - area(a.container)).slice(0, 40);
  return rich.map((g) => ({ ...listFacts(g), inside: rich.filter((o) => o !== g && o.items.some((n) => n.contains(g.container))).map((o) => `${groupSelector(o.container)} > ${o.step}`) }));
}

// Cells by column, merged ones repeated. Header rows are those of cells that head a column, above the first row of data;
// a single heading across a row names the group below it.
const cellText = (cell) => textOf(cell, 120);
const isHeadRow = (row) => Boolean(row.closest("thead")) || (row.cells.length > 0 && Array.from(row.cells).every((c) => c.matches("th:not([scope=row])")));
function gridOf(table) {
  const heads = [];
  const body = [];
  let carried = [];
  for (const row of Array.from(table.rows).slice(0, 400)) {
    if (row.closest("tfoot") || !row.cells.length) continue;
    const [line, next] = [[], []];
    let at = 0;
    const take = () => { while (carried[at]) { line[at] = carried[at].cell; if (carried[at].left > 1) next[at] = { cell: carried[at].cell, left: carried[at].left - 1 }; at += 1; } };
    for (const cell of row.cells) {
      take();
      for (let i = 0; i < Math.min(cell.colSpan || 1, 40); i += 1) { line[at] = cell; if (cell.rowSpan > 1) next[at] = { cell, left: cell.rowSpan - 1 }; at += 1; }
    }
    take();
    carried = next;
    const isGroup = row.cells.length === 1 && heads.length > 0 && !row.closest("thead");
    if (isHeadRow(row)) { if (!body.length && !isGroup) heads.push(line); } else if (visible(row) && !isGroup) body.push({ row, line });
  }
  return { heads, body };
}
function headersOf(heads) {
  const width = Math.max(0, ...heads.map((line) => line.length));
  return Array.from({ length: width }, (_, i) => [...new Set(heads.map((line) => (line[i] ? cellText(line[i]) : "")).filter(Boolean))].join(" "));
}
// A table for placing things holds its content in tables of its own; a pager in a foot row does not make it one.
const isLayout = (table) => Array.from(table.querySelectorAll("table")).reduce((sum, t) => sum + t.textContent.length, 0) > table.textContent.length / 2;
// One checkbox picks the row for what is done to several; anything more is a form in a row.
function isFilledIn(row) {
  const fields = Array.from(row.querySelectorAll("input:not([type=hidden]):not([type=submit]),select,textarea,[role=checkbox],[role=switch]"));
  return fields.length > 1 || fields.some((el) => !el.matches("[type=checkbox],[type=radio],[role=checkbox]"));
}
// A box beside what an entry says, with no label of its own, picks the entry; with a label it is a choice of a form.
function isForFilling(item) {
  const fields = Array.from(item.querySelectorAll("input:not([type=hidden]),select,textarea")).filter(visible);
  return fields.length > 0 && (isFilledIn(item) || fields.some((el) => (el.labels && el.labels.length) || closest(el, "label")));
}
function tableFacts(table) {
  if (!visible(table) || table.matches("[role=presentation],[role=none]") || isLayout(table)) return null;
  const { heads, body } = gridOf(table);
  const headers = headersOf(heads);
  if (!headers.some(Boolean)) return null;
  const rows = body.filter(({ row }) => row.cells.length * 2 > headers.length);
  const cells = rows.slice(0, 60).map(({ line }) => headers.map((_, i) => (line[i] ? cellText(line[i]) : "")));
  const links = headers.map((_, i) => { const link = rows[0] && rows[0].line[i] && rows[0].line[i].querySelector("a[href]"); return link ? link.href : ""; });
  const sample = rows.slice(0, SAMPLES).map(({ row }) => row);
  return {
    css: groupSelector(table), headers, rows: cells, total: rows.length, links, actions: actionsOf(sample), chrome: isChrome(table),
    controls: sample.filter(isFilledIn).length, box: boxOf(table), context: contextOf(table), scroller: scrollerOf(table),
  };
}
const allTables = () => queryAll("table").slice(0, 60).map(tableFacts).filter(Boolean).slice(0, 20);
function definitionFacts(list) {
  const pairs = Array.from(list.querySelectorAll("dt")).slice(0, 60).map((dt) => {
    let dd = dt.nextElementSibling;
    while (dd && !dd.matches("dd,dt")) dd = dd.nextElementSibling;
    return dd && dd.matches("dd") ? { term: textOf(dt, 120), value: textOf(dd, 300) } : null;
  }).filter(Boolean);
  const grouped = Boolean(list.querySelector(":scope > div > dt"));
  return { ...pairFacts(list, pairs), items_css: grouped ? `${groupSelector(list)} > div` : "", term_css: "dt", value_css: "dd", linked: Array.from(list.querySelectorAll("dt")).slice(0, 20).every((n) => n.querySelector("a[href]")) };
}
const pairFacts = (el, pairs) => ({ css: groupSelector(el), pairs, chrome: isChrome(el), box: boxOf(el), context: contextOf(el) });
// A table without header row whose rows are header cells, each with its value beside it.
const inPairs = (row) => row.cells.length > 0 && row.cells.length % 2 === 0 && Array.from(row.cells).every((c, i) => c.matches(i % 2 ? "td" : "th"));
function keyValueTable(table) {
  const rows = Array.from(table.rows).filter(visible);
  if (rows.length < 2 || !visible(table) || !rows.every(inPairs) || table.querySelector("input:not([type=hidden]),select,textarea")) return null;
  const pairs = rows.slice(0, 60).flatMap((r) => Array.from(r.cells).filter((c, i) => i % 2 === 0).map((c) => ({ term: cellText(c), value: cellText(c.nextElementSibling) })));
  const alone = rows.every((r) => r.cells.length === 2);
  return { ...pairFacts(table, pairs), items_css: alone ? `${groupSelector(table)} tr` : "", term_css: "th", value_css: "td", linked: false };
}
const allDefinitions = () => [...queryAll("dl").filter(visible).slice(0, 20).map(definitionFacts), ...queryAll("table").slice(0, 60).map(keyValueTable).filter(Boolean)].filter((d) => d.pairs.length > 1 || (d.linked && d.pairs.length)).slice(0, 20);

// What the content of a page about one thing says, outside its lists, tables, forms and asides.
function aroundHeading() {
  const title = headings.find((h) => h.matches("h1"));
  let at = title && title.parentElement;
  while (at && !at.matches("body") && textOf(at, 2000).length < 4 * textOf(title).length + 80) at = at.parentElement;
  return at && !at.matches("body,html") ? at : null;
}
// What somebody wrote about the thing is not what the page says of it: reviews, comments, one article of several.
const WRITTEN = "[itemprop=review],[itemprop=comment],[itemtype*='/Review'],[itemtype*='/Comment'],[class*=review i],[class*=comment i],[class*=testimonial i],blockquote";
const isOneOfSeveral = (el) => el.matches("article,[role=article]") && Array.from(el.parentElement.children).filter((n) => n.matches("article,[role=article]")).length > 1;
function isOfOthers(el, item) {
  for (let at = el; at && at !== item; at = at.parentElement) if (at.matches(WRITTEN) || isOneOfSeveral(at)) return true;
  return false;
}
const MAX_CONTENT = 15000;
function contentFacts() {
  if (elementsTotal > MAX_CONTENT) return null;
  const main = queryAll("main,[role=main]").find(visible) || aroundHeading();
  if (!main) return null;
  const aside = "ul,ol,table,dl,nav,aside,form,details,li,header nav,footer,[role=dialog]";
  const holders = holdersOf(main).filter((el) => !(closest(el, aside) && main.contains(closest(el, aside))) && !isOfOthers(el, main));
  const fields = holders.map((el) => [el, fieldSelector(el, main, [main])]).filter(([, s]) => s && !/nth-of-type/.test(s)).slice(0, 14);
  return {
    items_css: groupSelector(main), step: "", container_css: "", total: 1, actions: [], texts: [], text_size: 0, tag: main.localName, role: "", item_role: "", chrome: false, chrome_words: false,
    controls: 0, inside: [], box: boxOf(main), context: contextOf(main), fields: fields.map(([el, s]) => {
      const field = describeField(el, s, el.matches("img") ? "alt" : "text", [main]);
      return { ...field, before: field.before || headingAbove(el, main) };
    }),
  };
}
