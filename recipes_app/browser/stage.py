"""A document made ready for its picture, and measured: stage.js, within a time that ends whatever the page does."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from playwright.sync_api import Frame

from recipes_app.browser.answering import answer_within
from recipes_app.browser.scripts import script

STAGE = script("stage.js")
ANSWER_MS = 5000
LATE_MS = 1500


@dataclass(slots=True)
class Clock:
    """The time that one capture may take as a whole."""

    limit_s: float
    began: float = field(default_factory=monotonic)

    def ms(self, at_most: float = float("inf")) -> float:
        """What is left of it, never less than one millisecond."""
        return max(1.0, min(at_most, (self.began + self.limit_s - monotonic()) * 1000))

    @property
    def is_over(self) -> bool:
        return monotonic() >= self.began + self.limit_s


def ask(frame: Frame, clock: Clock, what: str, limit_ms: float = 0, **given: Any) -> Any:
    """`limit_ms`: for what takes its time in the page. PageSilent where it does not answer."""
    own_ms = clock.ms(limit_ms) if limit_ms else 0.0
    with answer_within(clock.ms(own_ms + LATE_MS if limit_ms else ANSWER_MS)):
        return frame.evaluate(STAGE, {"do": what, "limit_ms": own_ms, **given})
