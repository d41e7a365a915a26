"""How a site says that something is not there, where it answers such an address like any other.

A page of its own with a heading such as “This topic does not exist yet” and HTTP 200 would be read as the thing
asked for. Opening an address that cannot exist shows the heading; the recipe then refuses a page that has it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from recipes_app.browser.errors import BlockedByPolicy, NavigationFailed
from recipes_app.browser.page import settle
from recipes_app.browser.session import BrowserSession
from recipes_app.engine.document import Condition, Step
from recipes_app.engine.substitution import substitute
from recipes_app.mapping.propose.draft import Draft
from recipes_app.mapping.risks import words_of
from recipes_app.mapping.traces import Traces, lasting_piece, look
from recipes_app.mapping.unique import now_stamp

MIN_WORDS = 3
NO_SUCH_NUMBER = "99999999"


def refusal_of_missing(draft: Draft, real: Traces, session: BrowserSession, timeout_ms: int) -> Step | None:
    """The step that fails on the site's own page for what is not there; None where the site answers so by itself."""
    values = impossible(draft.examples)
    asked = str(substitute(draft.start_url, values, url=True))
    try:
        session.goto(asked, timeout_ms=timeout_ms)
    except (NavigationFailed, BlockedByPolicy):
        return None
    settle(session.page)
    if urlsplit(session.page.url).path != urlsplit(asked).path:
        return None
    headings = [
        piece for piece in look(session.page).pieces if piece.kind == "heading" and piece.text not in real.texts
    ]
    words = lasting_piece(headings, values, real.texts)
    if len(words_of(words)) < MIN_WORDS:
        return None
    says_so = Condition("page_text_contains", value=words)
    return Step(
        "verify", {"condition": Condition("not", parts=(says_so,))}, note="the site's page for what is not there"
    )


def impossible(examples: Mapping[str, Any]) -> dict[str, Any]:
    """Values like the examples that nothing is called by."""
    return {
        name: NO_SUCH_NUMBER if str(value).isdigit() else f"nothing-{now_stamp()}" for name, value in examples.items()
    }
