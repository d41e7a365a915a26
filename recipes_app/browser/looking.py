"""One look at a document in one round trip: who is meant, and all that a step has to know of it.

The engines of quorum.py mark what each locator finds; the one here, in the same evaluation, counts the votes, reads the
node meant and says so in the text of an element that is in no page. It is asked for again when the step has acted.
"""

import itertools
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Frame, Locator, Page, Playwright

from recipes_app.browser.quorum import MARKS
from recipes_app.browser.scripts import reader, script

NONCES = itertools.count(1)
READERS = (
    "features",
    "hit",
    "field",
    "held",
    "checked",
    "read",
    "options",
    "chooser",
    "usable",
    "items",
    "reaches",
    "invalid",
    "chosen",
)

# Body: a nonce. Notes what a chain of locators found, and keeps none of it.
NOTE = """{
  queryAll(root, body) {
    const steps = (globalThis.__agentifySteps ??= new Map());
    if (!steps.has(Number(body))) steps.set(Number(body), { noted: new Set() });
    steps.get(Number(body)).noted.add(root);
    return [];
  },
  query(root, body) { return this.queryAll(root, body)[0] || null; },
}"""
NONE = "{ queryAll() { return []; }, query() { return null; } }"


@dataclass(frozen=True, slots=True)
class Wish:
    """What to read of the node meant, by readers' names; `given` has what some of them need to be told.

    `guard`: from now on a press that would not meet that node is to meet nothing.
    """

    names: tuple[str, ...] = ()
    given: Mapping[str, Any] = field(default_factory=dict)
    guard: bool = False

    def as_body(self) -> dict[str, Any]:
        return {"want": list(self.names), "given": dict(self.given), "guard": self.guard}


@dataclass(frozen=True, slots=True)
class After:
    """What became of the node meant, once something was done. `left`: its document is being left, or has been.

    `pending`: the page has yet to do what it has set itself to do. `stopped`: the press was not to meet the node, and
    has met nothing.
    """

    there: bool
    left: bool
    pending: bool
    stopped: bool
    facts: Mapping[str, Any]


def look_engine() -> str:
    parts = {name: f"({reader(f'{name}.js')})" for name in READERS} | {"aria": script("aria.js"), "marks": MARKS}
    code = re.sub(r"\$([a-z]+)\b", lambda found: parts[found[1]], script("readers/look.js"))
    # It goes into every document, so without what nobody reads there.
    return re.sub(r"^\s*(?://.*)?\n?", "", code, flags=re.MULTILINE)


def register_looking(playwright: Playwright) -> None:
    for name, engine in {"agentify-look": look_engine(), "agentify-note": NOTE, "agentify-none": NONE}.items():
        playwright.selectors.register(name, engine, content_script=True)


def look_at_marked(frame: Frame, union: Locator, body: Mapping[str, Any]) -> dict[str, Any]:
    """What the engine says of the nodes that the quorum's engines have marked under body["nonce"]."""
    return _asked(union.locator("agentify-none=x").or_(_engine(frame, body)))


def look_at(frame: Frame, nodes: Locator, wish: Wish, items: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The same of any locator: `union` is how many there are. `items`: what to read of each of them."""
    nonce = next(NONCES)
    body = {**wish.as_body(), "nonce": nonce, "noted": True, "items": items}
    noted = nodes.locator(f"agentify-note={nonce}")
    return {**_asked(noted.or_(_engine(frame, body))), "nonce": nonce}


def look_after(frame: Frame, nonce: int, names: Sequence[str] = (), **given: Mapping[str, Any]) -> After:
    """After the step of that look has acted."""
    said = _asked(_engine(frame, {"nonce": nonce, "after": True, "want": list(names), "given": given}))
    if not said["known"]:
        return After(there=False, left=True, pending=False, stopped=False, facts={})
    return After(said["there"], said["left"], said["pending"], said.get("stopped", False), said["facts"])


def look_once(page: Page) -> None:
    """At nothing: the page's process then knows our scripts when the first look counts."""
    look_at(page.main_frame, page.locator("css=html"), Wish(("field", "hit", "checked")))


def _engine(frame: Frame, body: Mapping[str, Any]) -> Locator:
    return frame.locator(f"css=html >> agentify-look={json.dumps(body)}")


def _asked(answer: Locator) -> dict[str, Any]:
    said: dict[str, Any] = json.loads(answer.text_content() or "{}")
    return said
