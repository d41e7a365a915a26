"""Asking a service that fails for a moment, and waiting without being deaf to whoever wants to stop.

A request runs on a thread of its own: the caller looks up several times a second and leaves the moment its own `look`
raises. What was asked by then may still be answered, and cost, but nobody waits for it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from queue import SimpleQueue
from random import random
from time import monotonic
from typing import Generic, TypeVar

from recipes_app.llm.errors import Unavailable

T = TypeVar("T")
Look = Callable[[], None]

LOOK_EVERY_S = 0.2
TRIED_AGAIN = frozenset({408, 409, 429, 500, 502, 503, 504, 529})


def nothing() -> None:
    """To look for nothing."""


@dataclass(frozen=True, slots=True)
class Retries:
    """`longest_s` bounds one wait, a service's own wish included; `total_s` all waits of one question together."""

    tries: int = 5
    first_s: float = 0.5
    longest_s: float = 30
    total_s: float = 90

    def wait_before(self, attempt: int, error: Unavailable) -> float:
        """Seconds before try number `attempt`, from 2: what the service asked for, else twice as long each time."""
        if error.retry_after_s is not None:
            return error.retry_after_s
        doubled: float = self.first_s * 2.0 ** (attempt - 2)
        return min(doubled * (0.75 + random() / 2), self.longest_s)


def is_momentary(error: Unavailable) -> bool:
    """Whether asking again may help; no answer at all may."""
    status = error.status
    return error.may_retry and (status is None or status in TRIED_AGAIN or status >= 500)


def with_retries(ask: Callable[[], T], *, retries: Retries, look: Look = nothing) -> T:
    """What `ask` returns. Unavailable once it has failed too often, or asks for more patience than there is."""
    waited = 0.0
    attempt = 1
    while True:
        try:
            return watched(ask, look)
        except Unavailable as error:
            attempt += 1
            pause = retries.wait_before(attempt, error)
            too_long = pause > retries.longest_s or waited + pause > retries.total_s
            if attempt > retries.tries or too_long or not is_momentary(error):
                raise
            rest(pause, look)
            waited += pause


def rest(seconds: float, look: Look) -> None:
    """Until the time is over, or `look` raises."""
    until = monotonic() + seconds
    bell = threading.Event()
    while (left := until - monotonic()) > 0:
        bell.wait(min(left, LOOK_EVERY_S))
        look()


def watched(work: Callable[[], T], look: Look) -> T:
    """What `work` returns or raises, unless `look` raises meanwhile: then that, at once."""
    if look is nothing:
        return work()
    doing = _Doing(work)
    threading.Thread(target=doing.run, name="model", daemon=True).start()
    while not doing.ended.wait(LOOK_EVERY_S):
        look()
    return doing.result()


@dataclass(eq=False)
class _Doing(Generic[T]):
    work: Callable[[], T]
    ended: threading.Event = field(default_factory=threading.Event)
    values: SimpleQueue[T] = field(default_factory=SimpleQueue)
    error: BaseException | None = None

    def run(self) -> None:
        try:
            self.values.put(self.work())
        except BaseException as error:  # noqa: BLE001 - carried over to the thread that waits for it
            self.error = error
        self.ended.set()

    def result(self) -> T:
        if self.error is not None:
            raise self.error
        return self.values.get_nowait()
