// The page as a whole: links, words, downloads, shape; then everything together.
const DOWNLOADS = /\.(pdf|zip|gz|tgz|tar|7z|rar|csv|tsv|xlsx?|docx?|pptx?|od[tsp]|xml|json|ics|exe|dmg|deb|rpm|apk|mp[34]|avi|mov|webm|wav|png|jpe?g|gif|svg|webp|ico|bin|iso)$/i;
function placeOf(el) {
  const parts = [];
  for (let at = el; at && !at.matches("body") && parts.length < 5; at = parentOf(at)) parts.push(`${at.localName}.${classesOf(at)[0] || ""}`);
  return parts.join("<");
}
function linkFacts(el) {
  let path = "";
  try { path = new URL(el.href).pathname; } catch { return null; }
  return {
    url: el.href, text: cut(textWithImages(el) || el.getAttribute("aria-label") || el.title, 120), landmark: landmarkOf(el), chrome: isChrome(el), place: placeOf(el),
    download: el.hasAttribute("download") || DOWNLOADS.test(path), data_method: attribute(el, "data-method") || attribute(el, "data-turbo-method") || attribute(el, "hx-post") || attribute(el, "hx-delete"),
    confirm: /confirm\s*\(/.test(attribute(el, "onclick")) || el.hasAttribute("data-confirm") || el.hasAttribute("data-turbo-confirm"), visible: visible(el), rel: attribute(el, "rel"),
  };
}
function mainText() {
  const main = queryAll("main,[role=main]").find(visible) || queryAll("article").find(visible) || document.body;
  const whole = main ? main.innerText || main.textContent || "" : "";
  return { text: cut(whole, opts.textLimit || 6000), size: whole.length };
}
// The make of a page: which kinds of elements its content has, not how many of them.
function domShape() {
  const main = queryAll("main,[role=main]")[0] || document.body;
  const kinds = new Set();
  let seen = 0;
  for (const el of main ? main.querySelectorAll("*") : []) {
    if (seen > 4000) break;
    seen += 1;
    if (el.matches("form,input,select,textarea,table,h1,h2,ul,ol,dl,article,section,iframe,video,canvas,details,nav")) kinds.add(`${el.localName}.${classesOf(el)[0] || ""}.${el.type && el.matches("input") ? el.type : ""}`);
  }
  return Array.from(kinds).sort().join(" ");
}
// What shows more of a list: a link to the next page, or a button that makes the list longer.
const NEXT = /^(next|next page|older|older posts|weiter|nächste|nächste seite|suivant|page suivante|siguiente|successivo|avanti|próxima|volgende|następna|nästa|next\s*[›»>→]+|[›»>→]+)$/i;
const MORE = /^(load|show|see|view)\s+(\d+\s+)?more(\s+\w+){0,2}$|^more( results| items| products)?$|^(mehr|weitere) (laden|anzeigen|ergebnisse)$|^(afficher|voir|charger) (plus|davantage)$|^(cargar|ver|mostrar) más$|^(carica|mostra) (altri|altro)$|^(carregar|ver) mais$|^meer (laden|tonen)$/i;
const inPager = (el) => Boolean(closest(el, "[class*=pagina],[class*=pager],[id*=pagina],[id*=pager],[aria-label*=pagination i],[aria-label*=paging i]"));
const sideways = (el) => Boolean(closest(el, "[class*=carousel],[class*=slider],[class*=swiper],[class*=calendar],[class*=datepicker],[role=grid],[aria-roledescription]"));
const leadsOn = (el) => {
  if (!el.matches("a[href]")) return true;
  try { const url = new URL(el.href); return url.pathname === location.pathname || /[?&][@:_]?(page|start|offset|from|p|pg)\w*=\d+/i.test(url.search) || /\d/.test(url.pathname.replace(location.pathname, "")); } catch { return false; }
};
const inactive = (el) => el.matches(":disabled,[aria-disabled=true]") || Boolean(closest(el, ".disabled,[aria-disabled=true]"));
// By its rel, its name or its icon: its place among the numbers is another one on the next page. "" where nothing tells.
function surelyNext(el) {
  const alone = (selector) => queryAll(selector).filter(visible).length === 1;
  const icon = Array.from(el.querySelectorAll("[class]")).flatMap((n) => classesOf(n)).find((c) => /(next|forward|chevron-right|angle-right|arrow-right)/i.test(c));
  const ways = [el.matches("a[rel~=next]") && "a[rel~=next]", icon && `${el.localName}:has(.${icon})`].filter(Boolean);
  return ways.find(alone) || (NEXT.test(nameOf(el)) && shownBy(nameOf(el)) === 1) || "";
}
const shownBy = (name) => queryAll(`a[href],${BUTTONS}`).filter((el) => visible(el) && nameOf(el) === name).length;
function pagerFacts() {
  const shown = queryAll(`a[href],${BUTTONS}`).slice(0, 3000).filter((el) => !sideways(el) && visible(el));
  const iconOnly = (el) => inPager(el) && /(^|[^a-z])(next|forward|chevron-right|angle-right|arrow-right)([^a-z]|$)/i.test(`${attribute(el, "class")} ${el.innerHTML.slice(0, 400)}`) && !/prev/i.test(el.innerHTML.slice(0, 400));
  const next = shown.find((el) => el.matches("a[rel~=next]")) || shown.find((el) => NEXT.test(nameOf(el)) && (inPager(el) || el.matches("a[href]")) && leadsOn(el)) || shown.find(iconOnly);
  const sure = next && surelyNext(next);
  if (sure && !inactive(next) && (next.matches("a") || !closest(next, "form[method=post i]"))) return { button: { ...buttonFacts(next), identity: sure === true ? "" : sure, place: "" }, grows: false };
  const more = shown.find((el) => MORE.test(nameOf(el)) && !el.matches("a[href]:not([href^='#']):not([href=''])") && !inactive(el));
  return more ? { button: buttonFacts(more), grows: true } : null;
}
// Buttons that show more of the page: dialogs, panels, tabs, menus, forms that appear. What they are called decides later.
const OPENING = "[aria-haspopup=dialog],[aria-haspopup=true],[aria-haspopup=menu],[aria-expanded=false],[data-toggle],[data-bs-toggle],[aria-controls],[role=tab][aria-selected=false],[popovertarget],[commandfor]";
const DIALOGS = "[aria-haspopup=dialog],[data-toggle=modal],[data-bs-toggle=modal],[data-bs-toggle=offcanvas],[popovertarget],[commandfor]";
// A tab stands in its list of tabs, which is chrome wherever it is; what counts is where that list stands.
const placedIn = (el) => (el.matches("[role=tab]") && parentOf(closest(el, "[role=tablist]") || el)) || el;
const openersOf = () => queryAll(`${BUTTONS},[role=tab],summary`).filter((el) => visible(el) && nameOf(el) && !closest(el, "nav,[role=navigation]") && !el.matches("[type=submit][form],form [type=submit],form button:not([type]),[disabled],input")
  && !(isChrome(placedIn(el)) && !el.matches(DIALOGS)) && (el.matches(OPENING) || (el.matches("button") && !el.form))).slice(0, 40).map((el) => ({ ...buttonFacts(el), opens: el.matches(DIALOGS) }));
const anchors = queryAll("a[href],area[href]");
const words = mainText();
return {
  url: location.href, title: document.title, lang: document.documentElement.lang || "", heading: headings.length ? textOf(headings.find((h) => h.matches("h1")) || headings[0], 120) : "",
  forms: allForms(), lists: repeatedStructures(), tables: allTables(), definitions: allDefinitions(), content: contentFacts(), links: anchors.slice(0, opts.maxLinks || 2000).map(linkFacts).filter(Boolean),
  links_total: anchors.length, text: words.text, text_size: words.size, dom_shape: domShape(), elements_total: elementsTotal, elements_seen: everything.length,
  height: Math.max(document.documentElement.scrollHeight, document.body ? document.body.scrollHeight : 0), width: document.documentElement.scrollWidth,
  pager: pagerFacts(), openers: openersOf(), menu: queryAll("[role=menuitem]").filter((el) => visible(el) && nameOf(el)).slice(0, 30).map(nameOf),
  busy: queryAll("[aria-busy=true]").some(visible),
};
