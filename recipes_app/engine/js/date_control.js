// What a date control consists of: { kind, fields, lang, local }; local is the page's own way to write a date.
(elements, given) => {
  const { own, box: element } = given;
  const NATIVE = ["date", "datetime-local", "time", "month", "week"];
  const WORDS = [
    ["ampm", /\b(am|pm|am ?\/ ?pm|dayperiod|meridiem)\b/],
    ["year", /year|\by{2,4}\b|jahr|\bj{4}\b|ann[eé]e|\baño|\bano\b|\banno\b|\ba{4}\b|jaar|\brok\b|\br{4}\b/],
    ["minute", /minut|\bmin\b/],
    ["second", /second|sekund|\bsec\b/],
    ["hour", /hour|stunde|\bh{1,2}\b|heure|\bhora|\bora\b|\buur\b/],
    ["month", /month|\bm{1,2}\b|monat|\bmois\b|\bmes\b|\bmese\b|maand|miesi/],
    ["day", /\bday|\bd{1,2}\b|\btag\b|\bt{2}\b|\bjour\b|\bj{2}\b|\bd[ií]a\b|giorno|\bg{2}\b|\bdag\b|dzie/],
  ];
  const labelsOf = (e) => [...(e.labels || [])].map((l) => l.innerText).join(" ");
  const apart = (text) => text.replace(/([a-z])([A-Z])/g, "$1 $2").replace(/[_\-[\].:]+/g, " ").toLowerCase();
  const unitOf = (e) => {
    const said = [
      e.dataset.type, e.dataset.segment, e.dataset.unit, e.getAttribute("aria-label"), labelsOf(e), e.placeholder, e.name, e.id,
    ];
    for (const words of said.filter(Boolean).map(apart)) {
      const found = WORDS.filter(([, pattern]) => pattern.test(words)).map(([unit]) => unit);
      if (found.length === 1) return found[0];
    }
    const max = Number(e.getAttribute("aria-valuemax") || e.max || 0);
    if (max === 12) return "month";
    if (max === 31) return "day";
    if (max > 1000 || e.maxLength === 4) return "year";
    if (e.tagName !== "SELECT") return "";
    const labels = [...e.options].map((o) => o.text.trim()).filter((t) => !/^\D{0,3}$/.test(t) || /[a-z]{3}/i.test(t));
    if (labels.some((t) => /^(19|20)\d\d$/.test(t))) return "year";
    if (labels.includes("31")) return "day";
    return e.options.length === 12 || e.options.length === 13 ? "month" : "";
  };
  const hintsOf = (e) => {
    const described = (e.getAttribute("aria-describedby") || "").split(/\s+/).map((id) => document.getElementById(id)?.innerText);
    return [
      e.placeholder, e.dataset.dateFormat, e.dataset.format, e.dataset.mask, e.dataset.inputmask, e.getAttribute("pattern"),
      e.title, ...described, labelsOf(e), e.getAttribute("aria-label"),
    ].filter(Boolean).map(String);
  };
  const inCalendar = (e) => {
    const grid = e.closest("[role=grid], table");
    return Boolean(grid && element.contains(grid) && grid.querySelectorAll("td, [role=gridcell]").length > 27);
  };
  const factsOf = (e, index) => ({
    index, tag: e.tagName.toLowerCase(), type: e.tagName === "INPUT" ? e.type : "", unit: unitOf(e),
    readonly: Boolean(e.readOnly || e.getAttribute("aria-readonly") === "true"),
    width: e.maxLength > 0 ? e.maxLength : 0, hints: hintsOf(e),
    options: e.tagName === "SELECT" ? [...e.options].map((o) => ({ index: o.index, value: o.value, label: o.text.trim() })) : [],
  });
  const meant = elements.map((e, index) => [e, index]);
  let fields = meant.filter(([e]) => own || (!aria.hidden(e) && !inCalendar(e))).map(([e, index]) => factsOf(e, index));
  const isWhole = (f) => f.tag === "input" && (NATIVE.includes(f.type) || !f.unit || fields.length === 1);
  const units = fields.map((f) => f.unit).filter(Boolean);
  const lang = element.closest("[lang]")?.lang || document.documentElement.lang || "";
  const local = () => {
    const parts = new Intl.DateTimeFormat(lang || navigator.language, { year: "numeric", month: "2-digit", day: "2-digit" })
      .formatToParts(new Date(2000, 0, 2));
    const words = { year: "YYYY", month: "MM", day: "DD" };
    return parts.map((p) => (p.type === "literal" ? p.value : words[p.type] || "")).join("").replace(/[\u200e\u200f]/g, "");
  };
  let kind = "opener";
  if (units.length > 1 && !fields.every((f) => NATIVE.includes(f.type))) kind = "parts";
  else if (fields.length && fields.some(isWhole)) {
    fields = fields.filter(isWhole);
    kind = fields.every((f) => f.readonly) ? "opener" : "fields";
  } else if (!own && [...element.querySelectorAll("td, [role=gridcell], button")].length > 27) kind = "calendar";
  return { kind, fields, lang, local: lang ? local() : "" };
}
