"""Requests by which a tool could change its site: told as they leave, warned of where the tool says it only reads."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from recipes_app.browser.errors import Aborted
from recipes_app.engine.act import Scene
from recipes_app.engine.events import Sent

if TYPE_CHECKING:
    from recipes_app.engine.runner import Outcome


@contextmanager
def telling(scene: Scene) -> Iterator[None]:
    """Each is emitted from within whatever waits for the page just then."""

    def tell(request: str) -> None:
        try:
            scene.emit(Sent(scene.clean(request)))
        except Aborted:
            # The browser is being ended, which the work itself is about to find out.
            return

    sending = scene.session.sending
    before, sending.hear = sending.hear, tell
    try:
        yield
    finally:
        sending.hear = before


def with_warning(outcome: Outcome, scene: Scene, known: int) -> Outcome:
    """`known`: how many there had been before the run."""
    sent = [scene.clean(request) for request in scene.session.sending.requests[known:]]
    if not sent or scene.recipe.side_effect != "read":
        return outcome
    more = f" and {len(sent) - 1} more" if len(sent) > 1 else ""
    warning = f"this tool is said to only read, but its pages sent {sent[0]}{more}: it may have changed something"
    return replace(outcome, warnings=[*outcome.warnings, warning])
