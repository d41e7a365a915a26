"""Doing jobs: in this process with one browser for all of them, or by the workers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import singledispatch
from threading import Event as Pause
from typing import Any, TypedDict, TypeVar, Unpack

from django.db import close_old_connections

from recipes_app import wiring
from recipes_app.browser.thread import BrowserThread, Desk
from recipes_app.engine.events import About, Event, Note, Progress, StepFailed, Warned
from recipes_app.jobs import inline, running
from recipes_app.models import Job
from recipes_app.models.job import JobStatus
from recipes_app.services import dispatch

T = TypeVar("T")
LOOK_EVERY_S = 0.25


@dataclass(slots=True)
class Work:
    """Rows of jobs are made inside `opening()` and then done by `finish()`, which says how they get on."""

    say: Callable[[str], None]
    queue: bool = False
    headless: bool | None = None
    steps: bool = True  # whether each step of a recipe is said, too
    _place: running.Place | None = field(default=None, init=False)
    _said: str = field(default="", init=False)

    def opening(self) -> AbstractContextManager[None]:
        return nullcontext() if self.queue else dispatch.staying_here()

    def finish(self, jobs: Sequence[Job]) -> None:
        """Returns once every one of them has ended, however it ended; the rows given are fresh again."""
        if self.queue:
            self._wait(jobs)
            return
        for job in jobs:
            self.say(f"{job.title}.")
            inline.run_with(self.place(), job)

    def place(self) -> running.Place:
        """The browser is started when it is first needed."""
        if self._place is None:
            browser = wiring.started_browser(headless=self.headless)
            self._place = running.Place(running.new_name(), browser, said=self.tell)
        return self._place

    def tell(self, event: Event) -> None:
        """Each place is named once, not again when it is done."""
        line = words(event) if self.steps or not isinstance(event, About) else ""
        note = event.note if isinstance(event, Progress) else ""
        if line and not (note and note == self._said):
            self.say(f"  {line}")
        self._said = note

    def stop(self) -> None:
        if self._place is not None:
            self._place.browser.stop()

    def _wait(self, jobs: Sequence[Job]) -> None:
        said: dict[int, str] = {}
        while True:
            for job in jobs:
                job.refresh_from_db()
                line = state_of(job)
                if said.get(job.pk) != line:
                    self.say(f"{job.title}: {line}")
                    said[job.pk] = line
            if not any(job.is_active for job in jobs):
                return
            close_old_connections()
            Pause().wait(LOOK_EVERY_S)


class How(TypedDict, total=False):
    queue: bool
    headless: bool | None
    steps: bool


@contextmanager
def working(say: Callable[[str], None], **how: Unpack[How]) -> Iterator[Work]:
    work = Work(say, **how)
    try:
        yield work
    finally:
        work.stop()


def drive(browser: BrowserThread, do: Callable[[Desk], T], *, deadline_s: float, hear: Callable[[Event], None]) -> T:
    """Work that has no row: run it on the browser thread and hear what it says."""
    events = browser.drive(do, deadline_s=deadline_s, cancelled=lambda: False, on_tick=lambda: None)
    while True:
        try:
            event = next(events)
        except StopIteration as end:
            value: T = end.value
            return value
        if isinstance(event, Event):
            hear(event)


def state_of(job: Job) -> str:
    if job.status == JobStatus.QUEUED:
        return "waiting for a worker (of ./agentify up)"
    if not job.is_active:
        return f"{job.status}. {job.error_text}".rstrip()
    count = f" {job.done_count} of {job.total_count}" if job.total_count else ""
    return f"{job.phase or 'running'}{count} {job.note}".rstrip()


def failures(jobs: Iterable[Job]) -> list[Job]:
    return [job for job in jobs if job.status != JobStatus.DONE]


@singledispatch
def words(_event: Any) -> str:
    """What is said of an event; nothing of most."""
    return ""


@words.register
def _(event: Progress) -> str:
    count = f" {event.done} of {event.total}" if event.total else ""
    return f"{event.phase}{count} {event.note}".rstrip()


@words.register
def _(event: About) -> str:
    return event.sentence


@words.register(Warned)
@words.register(StepFailed)
@words.register(Note)
def _(event: Warned | StepFailed | Note) -> str:
    return event.message
