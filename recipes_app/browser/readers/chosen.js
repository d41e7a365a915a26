// The places of what is chosen in a native list.
(element) => [...element.selectedOptions].map((option) => option.index)
