"""A control's labels without a search of the whole document for each control.

Chromium's `labels` walks the document every time it is asked; Playwright asks it of every control whose name matters:
one label on a page of ten thousand buttons costs half a minute. Here each document is walked once for all that is
asked in one go. Only in the world of Playwright's own scripts: the page keeps what it has.
"""

from playwright.sync_api import Playwright

ENGINE = "agentify-labels"
QUICK = """(() => {
    if (globalThis.__agentifyLabels) return;
    globalThis.__agentifyLabels = true;
    const known = new Map();
    const read = (root) => {
      if (!known.size) Promise.resolve().then(() => known.clear());
      if (known.has(root)) return known.get(root);
      const labels = new Map();
      for (const label of root.querySelectorAll("label")) {
        const control = label.control;
        if (control) labels.set(control, [...(labels.get(control) || []), label]);
      }
      known.set(root, labels);
      return labels;
    };
    const kinds = [HTMLButtonElement, HTMLInputElement, HTMLMeterElement, HTMLOutputElement, HTMLProgressElement,
      HTMLSelectElement, HTMLTextAreaElement];
    for (const kind of kinds) {
      const own = Object.getOwnPropertyDescriptor(kind.prototype, "labels");
      Object.defineProperty(kind.prototype, "labels", { ...own, get() {
        if (!this.isConnected || this.type === "hidden") return own.get.call(this);
        return read(this.getRootNode()).get(this) || [];
      } });
    }
  })();"""

# Any body. Keeps its root, and makes what is looked for in it quick.
LABELS = f"""{{
  queryAll(root) {{
    {QUICK}
    return [root];
  }},
  query(root, body) {{ return this.queryAll(root, body)[0] || null; }},
}}"""


def register_labels(playwright: Playwright) -> None:
    playwright.selectors.register(ENGINE, LABELS, content_script=True)
