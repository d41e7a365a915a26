"""Our own selector engines. They have to be known to Playwright before the first page."""

from playwright.sync_api import Playwright

from recipes_app.browser.labels import register_labels
from recipes_app.browser.looking import register_looking
from recipes_app.browser.quorum import register_quorum

# The n-th element of the last snapshot of the frame, for as long as it is in the document.
BY_NUMBER = """{
  queryAll(root, body) {
    const watch = window[Symbol.for("agentify.watch")];
    const found = watch && watch.elements[Number(body)];
    return found && found.isConnected ? [found] : [];
  },
  query(root, body) { return this.queryAll(root, body)[0] || null; },
}"""

# An element of which a person's deed was told (listening.js), while its document lives.
BY_DEED = """{
  queryAll(root, body) {
    const heard = window[Symbol.for("agentify.heard")];
    const found = heard && heard.nodes.get(Number(body));
    return found && found.isConnected ? [found] : [];
  },
  query(root, body) { return this.queryAll(root, body)[0] || null; },
}"""


def register_selectors(playwright: Playwright) -> None:
    playwright.selectors.register("agentify-number", BY_NUMBER)
    playwright.selectors.register("agentify-heard", BY_DEED)
    register_labels(playwright)
    register_quorum(playwright)
    register_looking(playwright)
