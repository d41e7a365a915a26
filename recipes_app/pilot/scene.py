"""What the model sees of a page: numbered elements and the page's words, within a budget of characters, as data."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from recipes_app.browser.api import Error
from recipes_app.browser.page import settle
from recipes_app.browser.session import BrowserSession
from recipes_app.browser.snapshot import Snapshot, take_snapshot
from recipes_app.browser.snapshot_text import prompt_text
from recipes_app.llm.fencing import fence
from recipes_app.pilot.seams import Scene, Turn

LIMIT = 3000
SETTLE_MS = 4000
OPTIONS_LISTED = 12
OPTION_CHARACTERS = 300
TRIES = 2


@dataclass(frozen=True, slots=True)
class LookAround:
    """The observer of a recording: the whole page, fitted to `limit` characters by what the goal is about."""

    limit: int = LIMIT

    def __call__(self, session: BrowserSession, turn: Turn) -> Scene:
        return look_around(session, goal=turn.goal, limit=self.limit)


def look_around(session: BrowserSession, *, goal: str = "", limit: int = LIMIT) -> Scene:
    """The page in use once it is quiet. Its numbers hold until the next look."""
    snapshot = _snapshot(session)
    others = other_pages(session)
    text = prompt_text(snapshot, limit, goal=goal) + choices_of(snapshot)
    return Scene(
        url=snapshot.url,
        text=fence(text, "the page") + (f"\n{others}" if others else ""),
        mark=mark_of(snapshot),
        elements={element.index: element for element in snapshot.elements},
    )


def mark_of(snapshot: Snapshot) -> str:
    told = [f"{e.role}|{e.name}|{e.value}|{','.join(e.states)}|{e.frame}" for e in snapshot.elements]
    whole = "\n".join([snapshot.url, *told, snapshot.text])
    return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _snapshot(session: BrowserSession) -> Snapshot:
    """A page that is replaced just while it is looked at is looked at again."""
    for attempt in range(TRIES):
        settle(session.page, limit_ms=SETTLE_MS)
        try:
            return take_snapshot(session.page)
        except Error as error:
            session.raise_if_lost(error)
            if attempt == TRIES - 1:
                raise
    raise AssertionError("unreachable")


def choices_of(snapshot: Snapshot) -> str:
    """What native lists offer: the model cannot open them to see."""
    lines = []
    for element in snapshot.elements:
        options = element.attributes.get("options")
        if options:
            more = f", {len(options) - OPTIONS_LISTED} more" if len(options) > OPTIONS_LISTED else ""
            listed = " | ".join(options[:OPTIONS_LISTED])[:OPTION_CHARACTERS]
            lines.append(f"{element.index} offers: {listed}{more}")
    return "\n" + "\n".join(lines[:OPTIONS_LISTED]) if lines else ""


def other_pages(session: BrowserSession) -> str:
    if len(session.pages) < 2:
        return ""
    which = "the main page" if session.page is session.main else "a page opened from another"
    return f"({len(session.pages)} pages are open; this is {which}. switch_page goes to another.)"
