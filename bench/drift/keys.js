// What an element is to the site, whatever it looks like: where it sends what. Not used by the engine.
(element) => {
  const e = element.closest("a[href], button, input, select, textarea, summary, [role=option], [role=button]") || element.closest("label")?.control;
  if (!e) return "";
  if (e.closest("[data-decoy], form[action^='/decoy']")) return "decoy";
  if (e.closest("[data-cookie-banner]")) return "consent";
  if (e.matches("[role=option]")) return "option";
  const path = (url) => { const at = new URL(url, location.href); return at.pathname + at.search; };
  if (e.matches("a[href]")) return `link ${path(e.href)}`;
  const form = e.form || e.closest("form");
  const sends = form ? `${form.method} ${new URL(form.getAttribute("action") || "", location.href).pathname}` : "page";
  return e.matches("button, input[type=submit]") ? `${sends} button` : `${sends} ${e.name || e.type}`;
}
