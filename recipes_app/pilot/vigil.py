"""Notices that nothing moves any more: the same call on the same page, again and again, or nothing but failures."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from recipes_app.pilot.memory import call_words
from recipes_app.pilot.seams import Turn

WARN_AT = 2
STUCK_AT = 4
# Looking again is no repetition until it has been done this often.
PATIENT = {"wait_for": 2, "scroll": 4, "extract": 2}


@dataclass(slots=True)
class Vigil:
    """Counts each call together with how the page looked when it was made, wherever in the flight it happened."""

    seen: Counter[tuple[str, str]] = field(default_factory=Counter)

    def __call__(self, turn: Turn) -> str | None:
        last = turn.taken[-1]
        words = call_words(last.call.name, last.call.arguments)
        key = (words, last.mark)
        self.seen[key] += 1
        count = self.seen[key] - PATIENT.get(last.call.name, 0)
        if count >= STUCK_AT:
            return f"{words} was called {self.seen[key]} times while the page stayed as it was"
        if turn.failures >= turn.limits.failures:
            return f"{turn.failures} calls in a row did not work; the last: {last.deed.said}"
        if count >= WARN_AT:
            turn.notices.append(
                f"{words} has been called on this very page before and changed nothing. Do something else."
            )
        return None
