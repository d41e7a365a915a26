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
const anchors = queryAll("a[href],area[href]");
const words = mainText();
return {
  url: location.href, title: document.title, lang: document.documentElement.lang || "", heading: headings.length ? textOf(headings.find((h) => h.matches("h1")) || headings[0], 120) : "",
  forms: allForms(), lists: repeatedStructures(), tables: allTables(), definitions: allDefinitions(), content: contentFacts(), links: anchors.slice(0, opts.maxLinks || 2000).map(linkFacts).filter(Boolean),
  links_total: anchors.length, text: words.text, text_size: words.size, dom_shape: domShape(), elements_total: elementsTotal, elements_seen: everything.length,
  height: Math.max(document.documentElement.scrollHeight, document.body ? document.body.scrollHeight : 0), width: document.documentElement.scrollWidth,
  busy: queryAll("[aria-busy=true]").some(visible),
};
