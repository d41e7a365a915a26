"""Lists of choices that hold only those in view: rolled from their top until the one wanted comes, or to their end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic

from recipes_app.browser.api import Locator as Nodes
from recipes_app.engine.act import Act
from recipes_app.engine.conditions import comes_true
from recipes_app.engine.scripts import script

MAX_ROLLS = 300
MAX_SECONDS = 20
# How long a list may take to draw what has come into view, and to fetch more at its end.
DRAWS_MS = 250
MORE_MS = 600


@dataclass(slots=True)
class Rolling:
    """`names` reads what is in view now; `seen` is all that came by."""

    act: Act
    choices: Nodes
    names: Callable[[], list[str]]
    seen: list[str] = field(default_factory=list)

    def until(self, found: Callable[[], bool]) -> bool:
        """False where the end, or a limit, came first. At once where nothing of it scrolls.

        It has time of its own: what is left of the step's is for what comes after it.
        """
        started = monotonic()
        try:
            return self._until(found, started + MAX_SECONDS)
        finally:
            self.act.started += monotonic() - started

    def _until(self, found: Callable[[], bool], end: float) -> bool:
        shown = self._note()
        if not self._roll(to_top=True) and not self._roll():
            return False
        for _ in range(MAX_ROLLS):
            comes_true(self.act.session, lambda known=shown: found() or self.names() != known, DRAWS_MS)  # type: ignore[misc]
            shown = self._note()
            if found():
                return True
            if monotonic() > end or not self._goes_on():
                return False
        return False

    def _goes_on(self) -> bool:
        return self._roll() or comes_true(self.act.session, self._roll, MORE_MS)

    def _roll(self, *, to_top: bool = False) -> bool:
        return bool(self.choices.evaluate_all(script("roll.js"), to_top))

    def _note(self) -> list[str]:
        names = self.names()
        self.seen += [name for name in names if name not in self.seen]
        return names
