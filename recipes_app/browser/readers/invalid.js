// Whether the page marks what a field holds as not valid.
(element) => element.matches(":invalid") || element.getAttribute("aria-invalid") === "true"
