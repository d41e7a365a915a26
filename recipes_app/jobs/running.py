"""What every job does: claim its row, drive the browser thread, write down what it says, end the row.

A job function never raises for what happened to its job; the row says it.
"""

from __future__ import annotations

import logging
import os
import secrets
import socket
import traceback
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import singledispatch
from typing import Any, TypeVar

from django.conf import settings

from recipes_app.browser.errors import (
    Aborted,
    BlockedByPolicy,
    BrowserLost,
    BrowserMissing,
    BrowserStuck,
    NavigationFailed,
)
from recipes_app.browser.proxy import refusals_in_words
from recipes_app.browser.thread import BrowserThread, Desk
from recipes_app.engine.errors import EngineError, StepFailure
from recipes_app.engine.events import Event, Note
from recipes_app.models.job import JobStatus
from recipes_app.services import runs
from recipes_app.services.errors import LostLease, ServiceError
from recipes_app.services.runs import Claim

logger = logging.getLogger(__name__)

T = TypeVar("T")
BUG = "This is a bug in Agentify, not of the site or the tool. The administrator finds its traceback with the job."
STUCK = "The page brought the browser to a standstill, so this is not run again by itself."


@dataclass(slots=True)
class Place:
    """Where jobs of this process run: under which name, in which browser, and who is told meanwhile and afterwards."""

    name: str
    browser: BrowserThread
    beat: Callable[[], None] = lambda: None
    said: Callable[[Event], None] = lambda _event: None
    ended: Callable[[int], None] = lambda _job_id: None


class Failed(Exception):
    """An expected failure: one line for a person, and what a program may want to know beside it."""

    def __init__(self, message: str, kind: str, **more: Any) -> None:
        super().__init__(message)
        self.error = {"error": message, "kind": kind, **more}


_places: list[Place] = []


@contextmanager
def at(place: Place) -> Iterator[Place]:
    """Job functions called inside run here."""
    _places.append(place)
    try:
        yield place
    finally:
        _places.remove(place)


def new_name() -> str:
    """Never the same twice: RQ refuses a name whose key has not expired yet."""
    return f"{socket.gethostname().split('.')[0]}.{os.getpid()}.{secrets.token_hex(3)}"


def run(job_id: int, body: Callable[[Claim], None]) -> None:
    """Claim the row and do `body`, which ends it; whatever body raises ends it in its own way."""
    claim = runs.claim(job_id, _places[-1].name)
    if claim is None:
        logger.info("job %s is not waiting, so there is nothing to do", job_id)
        return
    try:
        _do(claim, body)
    except LostLease:
        logger.warning("job %s was taken from this worker, which has stopped working on it", job_id)
    finally:
        _places[-1].ended(job_id)


def drive(
    claim: Claim,
    work: Callable[[Desk], T],
    hear: Callable[[Event], None] = lambda _event: None,
    other: Callable[[object], None] = lambda _said: None,
) -> T:
    """Run work on the browser thread; each event is in the database before the work that waits for it goes on.

    What the policy refused meanwhile is the end of the job's log, however the work ended.

    `hear` is told every event as well, on this thread: for those that only one kind of job knows. What is said
    and is no event (a picture of a remote browser) is told to `other` only.
    """
    place = _places[-1]

    def tick() -> None:
        claim.renew()
        place.beat()

    events = place.browser.drive(
        work,
        deadline_s=claim.job.deadline_s,
        cancelled=claim.cancelled,
        on_tick=tick,
        tick_s=min(1.0, settings.LEASE_S / 4),
    )
    try:
        with closing(events):
            return _heard(events, claim, hear, other)
    finally:
        for line in refusals_in_words(place.browser.refused):
            claim.record(Note(line))


def _heard(
    events: Generator[object, None, T], claim: Claim, hear: Callable[[Event], None], other: Callable[[object], None]
) -> T:
    while True:
        try:
            event = next(events)
        except StopIteration as end:
            value: T = end.value
            return value
        if isinstance(event, Event):
            claim.record(event)
            hear(event)
            _places[-1].said(event)
        else:
            other(event)


def _do(claim: Claim, body: Callable[[Claim], None]) -> None:
    try:
        body(claim)
    except LostLease:
        raise
    except KeyboardInterrupt:
        claim.finish(JobStatus.CANCELLED, {"error": "Cancelled at the keyboard.", "kind": "cancelled"})
        raise
    except SystemExit:
        claim.give_back("The worker was stopped")
        raise
    except Exception as error:  # noqa: BLE001 - the row of a job says how it ended, whatever happened
        end_for(error, claim)


@singledispatch
def end_for(error: Exception, claim: Claim) -> None:
    """Ends the row in the way of that kind of error; other modules register theirs."""
    logger.error("job %s: a bug", claim.job.pk, exc_info=error)
    text = "".join(traceback.format_exception(error))
    claim.finish(JobStatus.ERRORED, {"error": BUG, "kind": "bug", **claim.unfinished()}, traceback=text)


@end_for.register
def _(error: Aborted, claim: Claim) -> None:
    if error.reason == "lost_lease":
        raise LostLease(f"job {claim.job.pk}") from error
    more = claim.unfinished()
    unknown = f" The outcome of the step under way is unknown: {more['about']}." if more else ""
    if error.reason == "cancelled":
        claim.finish(JobStatus.CANCELLED, {"error": f"Cancelled.{unknown}", "kind": "cancelled", **more})
        return
    text = f"Stopped after {claim.job.deadline_s} seconds, the limit of this job.{unknown}"
    claim.finish(JobStatus.FAILED, {"error": text, "kind": "timeout", **more})


@end_for.register
def _(_error: BrowserLost, claim: Claim) -> None:
    claim.give_back("The browser was lost")


@end_for.register
def _(_error: BrowserStuck, claim: Claim) -> None:
    """What brought a browser to a standstill does so again."""
    if claim.cancelled():
        claim.finish(JobStatus.CANCELLED, {"error": "Cancelled.", "kind": "cancelled", **claim.unfinished()})
        return
    claim.finish(JobStatus.FAILED, {"error": STUCK, "kind": "timeout", **claim.unfinished()})


@end_for.register
def _(error: Failed, claim: Claim) -> None:
    claim.finish(JobStatus.FAILED, error.error)


@end_for.register
def _(error: StepFailure, claim: Claim) -> None:
    claim.finish(JobStatus.FAILED, {"error": error.message, "kind": error.kind})


@end_for.register(ServiceError)
@end_for.register(EngineError)
def _(error: Exception, claim: Claim) -> None:
    claim.finish(JobStatus.FAILED, {"error": str(error), "kind": "refused"})


@end_for.register
def _(error: NavigationFailed, claim: Claim) -> None:
    claim.finish(JobStatus.FAILED, {"error": str(error), "kind": "navigation", "url": error.url})


@end_for.register
def _(error: BlockedByPolicy, claim: Claim) -> None:
    claim.finish(JobStatus.FAILED, {"error": str(error), "kind": "blocked_by_policy", "host": error.host})


@end_for.register
def _(error: BrowserMissing, claim: Claim) -> None:
    claim.finish(JobStatus.FAILED, {"error": str(error), "kind": "browser_missing"})
