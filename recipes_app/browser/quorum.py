"""Selector engines by which several locators agree on one node, and one that reads what a node says.

A chain such as `reset=7 >> (role… >> mark=7:0:wording or css… >> mark=7:1:identity) >> agree=7:2` is an ordinary strict
Locator. They run as content scripts: a page can neither see the marks nor spoil them.
"""

from playwright.sync_api import Playwright

from recipes_app.browser.labels import QUICK

MARKS = "globalThis.__agentifyQuorum ??= new Map()"
MANY = 1000
NOBODY = f'(globalThis.__agentifyNobody ??= Array.from({{ length: {MANY} }}, () => document.createElement("i")))'

# Body: a nonce. Forgets what earlier resolutions with it marked.
RESET = f"""{{
  queryAll(root, body) {{
    {QUICK}
    const all = {MARKS};
    all.delete(body);
    all.set(body, new Map());
    while (all.size > 20) all.delete(all.keys().next().value);
    return [root];
  }},
  query(root, body) {{ return this.queryAll(root, body)[0] || null; }},
}}"""

# Body: nonce:bit:family[+family]:visible|any. Notes that locator number `bit` found this node.
MARK = f"""{{
  queryAll(root, body) {{
    const [nonce, bit, families, which] = body.split(":");
    const shown = root.checkVisibility({{ visibilityProperty: true }}) && root.getClientRects().length > 0;
    if (which === "visible" && !shown) return [];
    const marks = ({MARKS}).get(nonce);
    if (!marks) return [];
    if (!marks.has(bit)) marks.set(bit, {{ families: families.split("+"), nodes: new Set() }});
    marks.get(bit).nodes.add(root);
    return [root];
  }},
  query(root, body) {{ return this.queryAll(root, body)[0] || null; }},
}}"""

# Body: nonce:k. Keeps a node that k families found, unless some locator found exactly one node and another.
AGREE = f"""{{
  queryAll(root, body) {{
    const [nonce, k] = body.split(":");
    const marks = ({MARKS}).get(nonce);
    if (!marks) return [];
    const families = new Set();
    for (const mark of marks.values()) {{
      if (mark.nodes.has(root)) for (const family of mark.families) families.add(family);
      else if (mark.nodes.size === 1) return [];
    }}
    return families.size >= Number(k) ? [root] : [];
  }},
  query(root, body) {{ return this.queryAll(root, body)[0] || null; }},
}}"""

# Body: nonce:n. Where some node was found by all of n locators, MANY nodes of no page: so that one count says both how
# many nodes there are and whether that is so. To evaluate in the page's own world would let the page lie.
WHOLE = f"""{{
  queryAll(root, body) {{
    const [nonce, n] = body.split(":");
    const marks = ({MARKS}).get(nonce);
    if (!marks || marks.size < Number(n)) return [];
    const [first, ...rest] = [...marks.values()].map((mark) => mark.nodes);
    return [...first].some((node) => rest.every((nodes) => nodes.has(node))) ? {NOBODY} : [];
  }},
  query(root, body) {{ return this.queryAll(root, body)[0] || null; }},
}}"""

# Body: nonce:bit. Keeps a node that locator number `bit` found.
FOUND_BY = f"""{{
  queryAll(root, body) {{
    const [nonce, bit] = body.split(":");
    return ({MARKS}).get(nonce)?.get(bit)?.nodes.has(root) ? [root] : [];
  }},
  query(root, body) {{ return this.queryAll(root, body)[0] || null; }},
}}"""

# Body: a JSON text, already normalised. Keeps a node that says it: whole words, as the eye separates them, so that
# "Order 1" is not found in "Order 10", nor in the cells "Order 1" and "0.50" side by side.
SAYS = r"""{
  queryAll(root, body) {
    const marks = /[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]+/g;
    const plain = (text) => text.normalize("NFKC").replace(marks, "").replace(/\s+/g, " ").trim();
    const apart = new Set(["A", "BUTTON", "LABEL", "OPTION", "SELECT", "TEXTAREA", "INPUT", "BR", "IMG"]);
    const unread = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE"]);
    let said = "";
    const visit = (node) => {
      if (node.nodeType === 3) { said += node.data; return; }
      if (node.nodeType !== 1 && node.nodeType !== 11) return;
      if (node.nodeType === 1 && unread.has(node.tagName)) return;
      const inline = node.nodeType === 1 && !apart.has(node.tagName) && getComputedStyle(node).display === "inline";
      if (!inline) said += " ";
      if (node.shadowRoot) visit(node.shadowRoot);
      if (node.tagName === "SLOT") node.assignedNodes().forEach(visit);
      else node.childNodes.forEach(visit);
      if (!inline) said += " ";
    };
    visit(root);
    // Style sheets show letters in another case than the document holds them.
    const wanted = JSON.parse(body).toLowerCase();
    const joined = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\p{N}]/u;
    const text = plain(said).toLowerCase();
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
      const before = text[at - 1] || "", after = text[at + wanted.length] || "";
      const starts = !(joined.test(before) && joined.test(wanted[0]));
      const ends = !(joined.test(after) && joined.test(wanted[wanted.length - 1]));
      if (starts && ends) return [root];
    }
    return [];
  },
  query(root, body) { return this.queryAll(root, body)[0] || null; },
}"""

ENGINES = {
    "agentify-reset": RESET,
    "agentify-mark": MARK,
    "agentify-agree": AGREE,
    "agentify-whole": WHOLE,
    "agentify-found-by": FOUND_BY,
    "agentify-says": SAYS,
}


def register_quorum(playwright: Playwright) -> None:
    for name, engine in ENGINES.items():
        playwright.selectors.register(name, engine, content_script=True)
