// The options of a native list.
(element) => [...element.options].map((o, index) =>
  ({ index, value: o.value, label: (o.label || o.text).trim(), disabled: o.disabled || Boolean(o.closest("optgroup[disabled]")) }))
