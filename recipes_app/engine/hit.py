"""The hit test: an action goes to the element meant, or the failure names what is in the way."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from recipes_app.browser.api import Error, Frame
from recipes_app.browser.api import TimeoutError as TooSlow
from recipes_app.browser.page import dismiss_consent
from recipes_app.browser.session import BrowserSession
from recipes_app.engine.errors import StepFailure
from recipes_app.engine.finding.outcome import Found
from recipes_app.engine.scripts import script
from recipes_app.engine.shapes import Offset

POLL_MS = 25
# A cover that stays this long is no animation; the failure then names it at once.
COVER_MS = 1200
# A page has one, and a frame in it may have its own.
BANNERS = 3


@dataclass(frozen=True, slots=True)
class Hit:
    """`opens` says that the element asks for a page of its own (a target attribute)."""

    opens: bool
    notes: tuple[str, ...] = ()


def make_reachable(
    session: BrowserSession,
    found: Found,
    words: str,
    timeout_ms: float,
    offset: Offset | None = None,
    *,
    through: bool = False,
) -> Hit:
    """Scrolls until a click would reach the element. StepFailure: covered (by what), timeout (disabled).

    `through`: the element is a place to drop something on; what is around it, or beside it in the same container, such
    as the outline of an area or what was dropped before, may be what the pointer meets there.
    """
    test = ReachTest(session, found, offset, monotonic(), monotonic() + timeout_ms / 1000, through)
    while True:
        state = test.once()
        if state is not None and not state["cover"] and not state["outside"] and not state["disabled"]:
            return Hit(bool(state["opens"]), tuple(test.notes))
        test.give_up_if_over(state, words)
        session.page.wait_for_timeout(POLL_MS)


@dataclass(slots=True)
class ReachTest:
    session: BrowserSession
    found: Found
    offset: Offset | None
    started: float
    until: float
    through: bool = False
    centre: bool = False
    banners_left: int = BANNERS
    notes: list[str] = field(default_factory=list)

    def once(self) -> dict[str, Any] | None:
        """What is at the point now; None while the element is away. The second look scrolls it to the middle."""
        try:
            state: dict[str, Any] = self.found.locator.evaluate(script("hit.js"), self.given(), timeout=self.left_ms())
            if self.through and state["around"]:
                state["cover"] = ""
            if not state["cover"]:
                state["cover"] = frame_cover(self.found.frame, state)
        except TooSlow:
            return None
        except Error as error:
            self.session.raise_if_lost(error)
            return None
        if state["cover"] or state["outside"]:
            self.after_a_cover()
        return state

    def given(self) -> dict[str, Any]:
        offset = self.offset and {"x": self.offset.x, "y": self.offset.y}
        return {"centre": self.centre, "offset": offset}

    def left_ms(self) -> float:
        return max(50.0, (self.until - monotonic()) * 1000)

    def after_a_cover(self) -> None:
        """A sticky header is passed by scrolling, a cookie banner by its own refusing button.

        What closing it takes is no time that the element was covered: on a slow machine that alone would be too long.
        """
        if self.centre and self.banners_left:
            began = monotonic()
            label = dismiss_consent(self.session.page)
            self.banners_left = self.banners_left - 1 if label else 0
            if label:
                self.notes.append(f"a cookie banner was closed with “{label}”")
                self.until += monotonic() - began
                self.started = monotonic()
        self.centre = True

    def give_up_if_over(self, state: dict[str, Any] | None, words: str) -> None:
        now = monotonic()
        is_covered = state is not None and bool(state["cover"])
        if now < self.until and not (is_covered and now - self.started > COVER_MS / 1000):
            return
        if state is None and self.found.locator.count():
            raise StepFailure("timeout", f"{words} did not come to rest", looked_for=words)
        if state is None:
            raise StepFailure("missing", f"{words} went away before it could be used", looked_for=words)
        if is_covered:
            cover = str(state["cover"])
            raise StepFailure("covered", f"{words} is covered by {cover}", looked_for=words, candidates=[cover])
        if state["disabled"]:
            raise StepFailure("timeout", f"{words} stayed disabled", looked_for=words)
        raise StepFailure("covered", f"{words} cannot be scrolled into view", looked_for=words)


def frame_cover(frame: Frame, state: dict[str, Any]) -> str:
    """What lies over the element's frame, seen from each of the documents around it."""
    point = {"x": state["x"], "y": state["y"]}
    while frame.parent_frame is not None:
        outer: dict[str, Any] = frame.frame_element().evaluate(script("frame_hit.js"), point)
        if outer["cover"]:
            return str(outer["cover"])
        point = {"x": outer["x"], "y": outer["y"]}
        frame = frame.parent_frame
    return ""
