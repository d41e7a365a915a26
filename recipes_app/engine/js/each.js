// What a loop over elements may use of each: its text, its link, its value and id.
(elements, given) => elements.slice(0, given.limit).map((element) => {
  const link = element.matches("a[href]") ? element : element.querySelector("a[href]");
  const text = aria.wordsOf(element).replace(/\s+/g, " ").trim();
  return {
    text: text || element.getAttribute("aria-label") || "",
    href: link ? link.href : "",
    value: "value" in element && element.tagName !== "LI" ? String(element.value) : element.getAttribute("data-value") || "",
    id: element.id,
  };
})
