"""What to tell a person when a target was not found."""

from __future__ import annotations

from typing import Any

from recipes_app.browser.api import Error, Frame
from recipes_app.browser.session import BrowserSession
from recipes_app.engine.errors import StepFailure
from recipes_app.engine.finding.locating import by_role
from recipes_app.engine.finding.long_form import votes_each
from recipes_app.engine.finding.outcome import Look, Miss
from recipes_app.engine.finding.places import frames_of, page_of
from recipes_app.engine.naming import normalise
from recipes_app.engine.scripts import with_aria
from recipes_app.engine.sentences import target_words
from recipes_app.engine.shapes import Target

LIMIT, LONGEST = 8, 100


def failure_of(session: BrowserSession, target: Target, miss: Miss, look: Look) -> StepFailure:
    words = target_words(target)
    try:
        counts = dict(miss.counts) | each_locator(session, target, look)
        candidates = rows_instead(session, target, look) or offered(session, target, look)
    except Error as error:
        session.raise_if_lost(error)
        counts, candidates = dict(miss.counts), []
    return StepFailure(
        miss.kind, SENTENCES[miss.kind](words, target, counts, miss.reason), looked_for=words, candidates=candidates
    )


def missing_words(words: str, _target: Target, counts: dict[str, int], reason: str) -> str:
    found = {label: count for label, count in counts.items() if count}
    more = f" ({counted(found)})" if found and not reason else ""
    return f"{words} is not there" + (f": {reason}" if reason else "") + more


def ambiguous_words(words: str, target: Target, counts: dict[str, int], _reason: str) -> str:
    most = max(counts.values(), default=2)
    recorded = f", {target.fingerprint.peers} when it was recorded" if has_peers(target) and target.fingerprint else ""
    return f"{words} could be any of {most} elements{recorded} ({counted(counts)})"


def has_peers(target: Target) -> bool:
    return target.fingerprint is not None and target.fingerprint.peers is not None


def drifted_words(words: str, _target: Target, counts: dict[str, int], reason: str) -> str:
    return f"{words} is not surely the one recorded: {reason or 'its descriptions disagree'} ({counted(counts)})"


SENTENCES = {"missing": missing_words, "ambiguous": ambiguous_words, "drifted": drifted_words}


def counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{label}: {count}" for label, count in counts.items()) or "nothing fits"


def each_locator(session: BrowserSession, target: Target, look: Look) -> dict[str, int]:
    page = page_of(session, target.page, look.opened)
    frames = frames_of(page, target) if page and target.locators else []
    return votes_each(frames[0], target, look) if frames else {}


def rows_instead(session: BrowserSession, target: Target, look: Look) -> list[str]:
    """Where the row (or card) it should be in is not there: the rows that are. Its links elsewhere help nobody."""
    container = target.within
    wanted = normalise((container.name or container.text or "") if container else "").lower()
    if container is None or not wanted:
        return []
    rows = offered(session, container, look)
    return [] if any(wanted in normalise(row).lower() for row in rows) else rows


def offered(session: BrowserSession, target: Target, look: Look) -> list[str]:
    """What of the same role is there, the most alike names first."""
    role = target.role or next((locator.value for locator in target.locators if locator.kind == "role"), None)
    page = page_of(session, target.page, look.opened)
    if role is None or page is None:
        return []
    seen: list[str] = []
    for frame in frames_of(page, target):
        seen += [words for words in names_in(frame, role) if words not in seen]
    wanted = set(normalise(target.name or target.text or "").lower().split())
    return sorted(seen, key=lambda words: -len(wanted & set(words.lower().split())))[:LIMIT]


def names_in(frame: Frame, role: str) -> list[str]:
    found: list[dict[str, Any]] = by_role(frame, role).evaluate_all(with_aria("names.js"), 50)
    return [
        f"{entry['role']} “{short(entry['name'])}”" if entry["name"] else f"{entry['role']} without a name"
        for entry in found
    ]


def short(name: str) -> str:
    return name if len(name) <= LONGEST else f"{name[:LONGEST]}…"
