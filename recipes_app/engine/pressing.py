"""Pressing at once: the look that found the node has seen that a press arrives, and guards it until it has.

A press that on its way would meet something else, as the page has changed meanwhile, meets nothing; it is then made
again in the slow way, which waits until the element rests. Whatever cannot be known in one look is left to that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from recipes_app.browser.api import Error
from recipes_app.browser.looking import After, Wish, look_after
from recipes_app.engine.act import Act
from recipes_app.engine.finding.outcome import Found
from recipes_app.engine.shapes import Offset

GONE = After(there=False, left=True, pending=False, stopped=False, facts={})


def wish_to_press(*names: str, offset: Offset | None = None) -> Wish:
    at = {"x": offset.x, "y": offset.y} if offset else None
    return Wish((*names, "hit"), {"hit": {"offset": at}}, guard=True)


def press_at_once(act: Act, found: Found, names: Sequence[str] = ()) -> After | None:
    """What became of it; None where it was not made, or was stopped before the page could feel it."""
    if not found.facts.get("guarded"):
        return None
    hit: Mapping[str, Any] = found.facts["hit"]
    act.opens = bool(hit["opens"])
    act.send()
    found.frame.page.mouse.click(hit["x"], hit["y"])
    after = what_became(act, found, names)
    return None if after.stopped else after


def what_became(act: Act, found: Found, names: Sequence[str] = ()) -> After:
    """Asked once something was done to the node found; whether its document is being left is then known."""
    try:
        after = look_after(found.frame, found.nonce, names)
    except Error as error:
        act.session.raise_if_lost(error)
        after = GONE
    act.left = after.left
    return after
