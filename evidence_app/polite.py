"""Turns at the domains that runs ask for pages, shared by all workers over Redis; by this process alone without it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic

from evidence_app.agent.politeness import OwnTurns, Paces
from recipes_app.queues import Unreachable, turns

logger = logging.getLogger(__name__)

LOOK_EVERY_S = 0.25
# A turn that does not come (a hundred workers at one domain) is no reason to lose the sample.
LONGEST_S = 40.0

_own = OwnTurns()


def nothing() -> None:
    return


@dataclass(slots=True)
class Turns:
    """A `Pause`. `look` is called while it waits, and raises to stop: a desk's `raise_if_aborted`."""

    paces: Paces
    look: Callable[[], None] = nothing
    own: OwnTurns = field(default_factory=lambda: _own)

    def __call__(self, url: str) -> None:
        domain, every_s = self.paces.of(url)
        if not domain or every_s <= 0:
            return
        try:
            self._shared(domain, every_s)
        except Unreachable:
            self._wait(min(LONGEST_S, self.own.reserve(domain, every_s)))

    def _shared(self, domain: str, every_s: float) -> None:
        end = monotonic() + LONGEST_S
        while left := turns.take(domain, every_s):
            if monotonic() + left > end:
                logger.warning("no turn at %s came in %d seconds; going on", domain, LONGEST_S)
                return
            self._wait(left)

    def _wait(self, seconds: float) -> None:
        end, pause = monotonic() + seconds, threading.Event()
        while (left := end - monotonic()) > 0:
            self.look()
            pause.wait(min(left, LOOK_EVERY_S))
