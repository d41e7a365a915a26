// Whether a control is there but cannot be used.
(element) => element.matches(":disabled") || Boolean(element.closest("[aria-disabled=true], .disabled"))
