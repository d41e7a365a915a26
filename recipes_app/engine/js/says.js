// The page's visible text, open shadow roots included.
() => {
  const parts = [];
  const visit = (root) => {
    for (const element of root.querySelectorAll("*")) {
      if (!element.shadowRoot) continue;
      for (const child of element.shadowRoot.children) if (child.innerText) parts.push(child.innerText);
      visit(element.shadowRoot);
    }
  };
  if (document.body) {
    parts.push(document.body.innerText);
    visit(document);
  }
  return parts.join("\n");
}
