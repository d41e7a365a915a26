"""Finding the one node a target means, or saying exactly why not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from recipes_app.browser.answering import PageSilent
from recipes_app.browser.api import Error, Frame, Page
from recipes_app.browser.api import Locator as Nodes
from recipes_app.browser.looking import Wish, look_at
from recipes_app.browser.session import BrowserSession
from recipes_app.engine.errors import StepFailure
from recipes_app.engine.finding.diagnosis import failure_of
from recipes_app.engine.finding.locating import all_locators, build, scope_of
from recipes_app.engine.finding.long_form import find_long
from recipes_app.engine.finding.outcome import Found, Look, Miss, shown
from recipes_app.engine.finding.places import frames_of, page_of
from recipes_app.engine.finding.short_form import find_short, ways
from recipes_app.engine.shapes import Target

__all__ = ["Found", "Look", "Patience", "exists", "find_all", "look_once", "resolve"]

POLL_MS = 25
# How long a page may take to show the stronger description before a weaker one is believed.
GRACE_MS = 1500
# How long several fitting nodes may be a passing state, such as an old view fading out.
AMBIGUITY_MS = 600


@dataclass(slots=True)
class Patience:
    """The clock of one search."""

    timeout_ms: float
    started: float = field(default_factory=monotonic)
    ambiguous_since: float | None = None

    @property
    def spent_ms(self) -> float:
        return (monotonic() - self.started) * 1000

    @property
    def is_over(self) -> bool:
        return self.spent_ms >= self.timeout_ms

    @property
    def grace_is_over(self) -> bool:
        return self.spent_ms >= min(GRACE_MS, self.timeout_ms * 0.4)

    def gives_up_on(self, miss: Miss) -> bool:
        if miss.kind != "ambiguous":
            self.ambiguous_since = None
            return self.is_over
        self.ambiguous_since = self.ambiguous_since or monotonic()
        return self.is_over or (monotonic() - self.ambiguous_since) * 1000 >= AMBIGUITY_MS


def resolve(session: BrowserSession, target: Target, timeout_ms: float, *, look: Look | None = None) -> Found:
    """The one node meant, as a strict locator. StepFailure: missing, ambiguous or drifted.

    We poll ourselves: Playwright's own waiting backs off to half a second.
    """
    look = look or Look()
    patience = Patience(timeout_ms)
    while True:
        look.on_poll()
        outcome = look_safely(session, target, look, patient=patience.grace_is_over)
        if isinstance(outcome, Found):
            return outcome
        if patience.gives_up_on(outcome):
            raise failure_of(session, target, outcome, look)
        session.page.wait_for_timeout(POLL_MS)


def look_safely(session: BrowserSession, target: Target, look: Look, *, patient: bool) -> Found | Miss:
    """A document that goes away while it is looked at counts as one that shows nothing."""
    try:
        return look_once(session, target, look, patient=patient)
    except Error as error:
        session.raise_if_lost(error)
        if "selector" in error.message and "parse" in error.message.lower():
            raise StepFailure("missing", f"no valid selector: {first_line(error)}") from error
        return Miss(reason="the page did not answer in time" if isinstance(error, PageSilent) else "")


def look_once(session: BrowserSession, target: Target, look: Look, *, patient: bool) -> Found | Miss:
    page = page_of(session, target.page, look.opened)
    if page is None:
        return Miss(reason=f"no page {target.page} is open")
    frames = frames_of(page, target)
    if not frames:
        return Miss(reason="its frame is not there")
    if target.locators:
        return find_long(frames[0], target, look)
    return find_short(frames, target, look, patient=patient)


def exists(session: BrowserSession, target: Target, look: Look | None = None) -> bool:
    """Whether at least one node fits now; no need to be the only one."""
    look = look or Look()
    try:
        if is_css_only(target):
            return find_all(session, target, look) is not None
        outcome = look_once(session, target, look, patient=True)
    except Error as error:
        session.raise_if_lost(error)
        return False
    return isinstance(outcome, Found) or (outcome.kind == "ambiguous" and target.nth is None)


@dataclass(frozen=True, slots=True)
class Listed:
    """`rows`: what was read of each, where that could be done in the same look; see looking.look_at."""

    nodes: Nodes
    frame: Frame
    label: str
    rows: list[dict[str, Any]] | None = None


def find_all(
    session: BrowserSession, target: Target, look: Look, items: Mapping[str, Any] | None = None
) -> Listed | None:
    """All nodes that fit a target meant as a list, by its first description that finds any."""
    page = page_of(session, target.page, look.opened)
    for frame in frames_of(page, target) if page else ():
        found = all_in(frame, target, look, items)
        if found is not None:
            return found
    return None


def all_in(frame: Frame, target: Target, look: Look, items: Mapping[str, Any] | None) -> Listed | None:
    scope = scope_of(frame, target)
    described = (
        [(build(scope, locator), locator.kind) for locator in all_locators(target)]
        if target.locators
        else [(way.build(scope), way.label) for way in ways(target, look)]
    )
    for nodes, label in described:
        seen = shown(nodes, look)
        said = look_at(frame, seen, Wish(), items)
        if said["union"]:
            return Listed(seen, frame, label, said.get("items"))
    return None


def first_line(error: Error) -> str:
    lines = [line.strip() for line in error.message.splitlines() if line.strip()]
    return lines[0] if lines else type(error).__name__


def is_css_only(target: Target) -> bool:
    """To exist, a node described by nothing but css need not be told from others."""
    return (
        bool(target.css) and target.nth is None and not (target.role or target.name or target.text or target.locators)
    )


def page_in_use(session: BrowserSession, target: Target | None, look: Look) -> Page:
    page = page_of(session, target.page if target else None, look.opened)
    return page or session.page
