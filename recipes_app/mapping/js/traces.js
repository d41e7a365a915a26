// What a frame says right now, piece by piece, so that two looks can be compared: notices, headings, lines, complaints.
const NOTICES = "[role=status],[role=alert],[role=alertdialog],[aria-live=polite],[aria-live=assertive],output";
const NOTICE_WORDS = /(^|[-_\s])(alert|flash|message|messages|notice|notification|toast|success|confirmation|error|errors|warning|info)([-_\s]|$)/i;
const ERROR_WORDS = /(^|[-_\s])(error|errors|errorlist|danger|invalid|failure|invalid-feedback)([-_\s]|$)/i;
const named = (el, words) => words.test(`${el.id} ${attribute(el, "class")}`);
function attribute(el, name) { return el.getAttribute(name) || ""; }
function kindOf(el) {
  if (closest(el, "a,button,input,select,[role=button]")) return "line";
  if (el.matches("h1,h2,h3,h4,h5,h6") && !named(el, ERROR_WORDS)) return el.matches("[role=alert]") ? "notice" : "heading";
  if (el.matches("[role=alert],[role=alertdialog]") || (named(el, ERROR_WORDS) && !el.matches("form,body,html,main"))) return "error";
  if (el.matches(NOTICES) || (named(el, NOTICE_WORDS) && !el.matches("form,body,html,main,section,article"))) return "notice";
  return el.matches(HEADINGS) ? "heading" : "line";
}
// A button that closes a notice is no part of what the notice says.
const CLOSER = /^[×✕✖✗⨯╳]$/;
function noticeText(el) {
  const text = textOf(el, 400);
  const closes = Array.from(el.querySelectorAll("button,a,[role=button]")).some((n) => CLOSER.test(fold(n.textContent)));
  return closes ? fold(text.replace(/^[×✕✖✗⨯╳]\s*|\s*[×✕✖✗⨯╳]$/g, "")) : text;
}
// What holds several notices says nothing of its own.
const isNotice = (el) => el.matches(NOTICES) || named(el, NOTICE_WORDS);
const holdsNotices = (el) => Array.from(el.children).filter((n) => isNotice(n) && visible(n) && fold(n.textContent)).length > 1;
const isLeaf = (el) => Array.from(el.childNodes).some((n) => n.nodeType === 3 && fold(n.data) !== "");
function pieces() {
  const found = [];
  for (const el of everything) {
    if (found.length >= 600) break;
    if (el.matches("script,style,noscript,option,template,head *,title")) continue;
    const kind = kindOf(el);
    const said = el.matches("input[type=submit],input[type=button]") ? fold(el.value) : "";
    const short = kind === "line" ? isLeaf(el) || said : true;
    if (!short || closest(el, "nav,[role=navigation]") || !visible(el)) continue;
    if (kind === "notice" && holdsNotices(el)) continue;
    const text = said || (kind === "line" ? textOf(el, 400) : noticeText(el));
    if (!text || (kind === "line" && text.length > 200)) continue;
    found.push({ kind, text, place: waysTo(el).place, role: roleOf(el), classes: classesOf(el), live: el.matches(NOTICES), tag: el.localName });
  }
  return found;
}
function complaints() {
  const found = [];
  for (const el of queryAll("[aria-invalid=true]").filter(visible).slice(0, 20)) {
    const near = byIds(el, "aria-describedby") || byIds(el, "aria-errormessage");
    found.push(`${nameOf(el) || attribute(el, "name")}: ${near || "not accepted"}`);
  }
  for (const el of queryAll("form .error,form .errors,form .errorlist,form .invalid-feedback,form .field-error,form .form-error,form .help-block.error").filter(visible).slice(0, 20)) {
    const text = textOf(el, 160);
    if (text && !found.some((other) => other.endsWith(text))) found.push(text);
  }
  return found;
}
return { url: location.href, pieces: pieces(), complaints: complaints() };
