// Short lists of links under a heading of their own, outside forms and chrome, that do not hold what is read already.
const chosen = opts.chosen ? document.querySelectorAll(opts.chosen) : [];
const isRead = (el) => Array.from(chosen).some((n) => el.contains(n) || n.contains(el));
const linkOf = (item) => item.querySelector("a[href]");
const isHit = (item) => Boolean(linkOf(item)) && fold(linkOf(item).innerText) !== "" && item.querySelectorAll("a[href]").length === 1;
function ownHeading(list) {
  const before = list.previousElementSibling;
  return before && before.matches(HEADINGS) && visible(before) ? textOf(before, 80) : "";
}
const found = [];
for (const list of queryAll("ul,ol")) {
  const items = Array.from(list.children).filter(visible);
  const heading = ownHeading(list);
  if (!heading || !items.length || isChrome(list) || closest(list, "form,aside,nav,li,table") || isRead(list)) continue;
  if (items.every(isHit)) found.push({ css: `${groupSelector(list)} > li`, heading });
}
return found.slice(0, 3);
