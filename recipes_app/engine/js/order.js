// In which order the browser shows the parts of a date.
() => new Intl.DateTimeFormat(navigator.language).formatToParts(new Date(2000, 0, 2)).map((p) => p.type)
  .filter((t) => ["day", "month", "year"].includes(t))
