// One value of one element: { text, lang, base }; text is null where the attribute is not there.
(element, given) => {
  const lang = element.closest("[lang]")?.lang || document.documentElement.lang || "";
  const out = (text) => ({ text, lang, base: document.baseURI });
  const attr = given.attr;
  if (attr === "value") return out("value" in element ? String(element.value) : element.getAttribute("value"));
  if (attr === "checked" && "checked" in element) return out(String(element.checked));
  if (attr !== "text") return out(element.getAttribute(attr));
  if (["date", "datetime"].includes(given.type) && element.matches("time[datetime]")) return out(element.dateTime);
  if (given.type === "url" && element.closest("a[href]")) return out(element.closest("a[href]").href);
  if (given.type === "url" && element.matches("img[src]")) return out(element.src);
  const closes = [...element.querySelectorAll("button,a,[role=button]")].some((n) => /^[×✕✖✗⨯╳]$/.test(n.textContent.trim()));
  const words = (element.innerText ?? element.textContent ?? "").trim();
  // What closes a notice is no part of what it says.
  const shown = closes ? words.replace(/^[×✕✖✗⨯╳]\s*|\s*[×✕✖✗⨯╳]$/g, "") : words;
  // The answer under a closed question is not rendered, yet there to be read.
  return out(shown || !element.closest("details:not([open])") ? shown : element.textContent.trim());
}
