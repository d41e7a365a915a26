"""The two threads of a browser worker: the caller's, and the one that owns Chromium.

Playwright's sync API and the Django ORM cannot share a thread. `drive(work)` sends work over and hands back what it
emits, one event at a time; each tick the caller's thread looks at the clock, at `cancelled` and at `on_tick`.
Work that has to stop is stopped by killing its Chromium: whatever it waits for raises at once.
"""

import asyncio
import atexit
import os
import queue
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, Generic, Self, TypeVar

from playwright.sync_api import Error, sync_playwright

from recipes_app.browser.answering import limit_calls
from recipes_app.browser.chromium import Chromium, Limits
from recipes_app.browser.errors import Aborted, AbortReason, BrowserLost, BrowserMissing, BrowserStuck
from recipes_app.browser.launch import LaunchOptions
from recipes_app.browser.proxy import PolicyProxy, ProxyRecord
from recipes_app.browser.selectors import register_selectors
from recipes_app.browser.session import BrowserSession, ContextOptions

T = TypeVar("T")

DRAIN_S = 10
OPENING_S = 3
KILLS = 4
KILL_AGAIN_S = 0.5
STUCK_EXIT_CODE = 70


@dataclass(frozen=True, slots=True)
class _Said:
    event: object
    taken: threading.Event | None


@dataclass(frozen=True, slots=True)
class _Ended:
    value: Any = None
    error: BaseException | None = None


class _Wake:
    pass


@dataclass(eq=False)
class _Job(Generic[T]):
    work: Callable[["Desk"], T]
    out: "queue.SimpleQueue[_Said | _Ended | _Wake]" = field(default_factory=queue.SimpleQueue)
    aborted: AbortReason | None = None
    ended: threading.Event = field(default_factory=threading.Event)
    waiting: threading.Event | None = None
    refused: list[ProxyRecord] = field(default_factory=list)

    def abort(self, reason: AbortReason) -> None:
        self.aborted = self.aborted or reason
        if self.waiting is not None:
            self.waiting.set()

    def end(self, ended: _Ended) -> None:
        self.ended.set()
        self.out.put(ended)


class Desk:
    """What work on the browser thread may ask for."""

    def __init__(self, job: _Job[Any], chromium: Chromium) -> None:
        self._job = job
        self._chromium = chromium

    def emit(self, event: object) -> None:
        """Hand an event to the caller's thread. One with `needs_ack` returns only when that thread is done with it."""
        self.raise_if_aborted()
        if not getattr(event, "needs_ack", False):
            self._job.out.put(_Said(event, None))
            return
        taken = self._job.waiting = threading.Event()
        self._job.out.put(_Said(event, taken))
        self.raise_if_aborted() if self._job.aborted else taken.wait()
        self._job.waiting = None
        self.raise_if_aborted()

    def raise_if_aborted(self) -> None:
        if self._job.aborted:
            raise Aborted(self._job.aborted)

    @contextmanager
    def session(self, options: ContextOptions) -> Iterator[BrowserSession]:
        """A fresh context: at the end of the block it reaches nothing any more, and is closed before the next one is
        used or the job has been over for a moment. A playwright Error of a dead browser becomes BrowserLost.
        """
        session = self._open(options)
        try:
            yield session
            self._tell_what_is_left(session, options)
        except Error as error:
            try:
                self.raise_if_aborted()
                session.raise_if_lost(error)
            finally:
                session.close()
            raise
        except BaseException:
            session.close()
            raise
        finally:
            self._job.refused.extend(session.refusals())
        self._chromium.retire(session)

    def _tell_what_is_left(self, session: BrowserSession, options: ContextOptions) -> None:
        """The work is done and stays so: of a browser that can tell no more, nothing is kept."""
        if options.left is not None:
            with suppress(Error):
                options.left(session.state())

    def _open(self, options: ContextOptions) -> BrowserSession:
        # Marked before we look for an abort, as aborting marks before it looks for an opening: one sees the other.
        self._chromium.is_opening = True
        try:
            self.raise_if_aborted()
            session = self._chromium.open(options)
        finally:
            self._chromium.is_opening = False
        if self._job.aborted:
            session.close()
            self.raise_if_aborted()
        return session


class BrowserThread:
    """Owns one warm Chromium. drive() serves one caller at a time."""

    def __init__(self, launch: LaunchOptions | None = None, *, limits: Limits | None = None) -> None:
        self._proxy = PolicyProxy()
        self._chromium = Chromium(launch or LaunchOptions(), self._proxy, limits or Limits())
        self._inbox: queue.SimpleQueue[_Job[Any] | ContextOptions | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._job: _Job[Any] | None = None
        self.is_stuck = False
        self.refused: tuple[ProxyRecord, ...] = ()  # what the policy refused to the work that ended last

    def start(self) -> Self:
        """Returns at once; Chromium starts meanwhile, and a failure to start is raised by the first session."""
        if not self._is_alive():
            atexit.unregister(self._stop_at_exit)
            self._thread = threading.Thread(target=self._run, name="browser", daemon=True)
            self._thread.start()
            # A thread that still holds Playwright when the interpreter ends crashes it.
            atexit.register(self._stop_at_exit)
        return self

    def stop(self, timeout_s: float = DRAIN_S) -> bool:
        """Ends the browser and joins the thread; False if the thread would not end."""
        thread, self._thread = self._thread, None
        if thread is None:
            return True
        atexit.unregister(self._stop_at_exit)
        if self._job is not None:
            self._job.abort("cancelled")
            self._chromium.kill()
        self._inbox.put(None)
        thread.join(timeout_s / 2)
        if thread.is_alive():
            self._chromium.kill_driver()
            thread.join(timeout_s / 2)
        self._proxy.stop()
        return not thread.is_alive()

    def warm(self, options: ContextOptions) -> None:
        """Make a context like this ahead, while there is nothing else to do."""
        self.start()
        self._inbox.put(options)

    def wake(self) -> None:
        """Makes a blocked drive() look at `cancelled` now. From any thread."""
        job = self._job
        if job is not None:
            job.out.put(_Wake())

    def drive(
        self,
        work: Callable[[Desk], T],
        *,
        deadline_s: float,
        cancelled: Callable[[], bool],
        on_tick: Callable[[], None],
        tick_s: float = 1.0,
    ) -> Generator[object, None, T]:
        """Run work on the browser thread; yields its events, returns its value, raises its error.

        Aborted is raised past the deadline or once `cancelled` says so. `on_tick` runs every tick_s on this thread and
        may raise (Aborted("lost_lease")) to stop the work. However the generator ends, the work has ended before.
        """
        job = _Job(work)
        try:
            self._post(job)
            value = yield from self._events(job, _Watch(monotonic() + deadline_s, cancelled, on_tick, tick_s))
        finally:
            self._settle(job)
        return value

    def call(self, work: Callable[[Desk], T], *, deadline_s: float = 60) -> T:
        """drive() for work whose events nobody needs."""
        events = self.drive(work, deadline_s=deadline_s, cancelled=lambda: False, on_tick=lambda: None)
        while True:
            try:
                next(events)
            except StopIteration as end:
                value: T = end.value
                return value

    def _post(self, job: _Job[Any]) -> None:
        if self.is_stuck:
            raise BrowserLost("The browser thread is stuck; this process has to end.")
        if self._job is not None:
            raise RuntimeError("The browser thread is busy with another job.")
        self.start()
        self._job = job
        self._inbox.put(job)

    def _events(self, job: _Job[T], watch: "_Watch") -> Generator[object, None, T]:
        while True:
            item = watch.next(job)
            if isinstance(item, _Said):
                yield item.event
                if item.taken is not None:
                    item.taken.set()
            elif isinstance(item, _Ended):
                if item.error is not None:
                    raise item.error
                value: T = item.value
                return value
            elif not self._is_alive():
                raise BrowserLost("The browser thread has died.")

    def _is_alive(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def _settle(self, job: _Job[Any]) -> None:
        """Until the browser thread has let go of the job; a job that has not ended is ended."""
        try:
            if self._job is job and not job.ended.is_set() and self._is_alive():
                self._end(job)
        finally:
            self.refused = tuple(job.refused)
            if self._job is job:
                self._job = None

    def _end(self, job: _Job[Any]) -> None:
        """By the mildest means that works: waiting for a page that is being opened, killing the browser, the driver."""
        job.abort("cancelled")
        if self._chromium.is_opening and job.ended.wait(OPENING_S):
            return
        for _ in range(KILLS):
            self._chromium.kill()
            if job.ended.wait(KILL_AGAIN_S):
                return
        self._chromium.kill_driver()
        if not job.ended.wait(DRAIN_S):
            self.is_stuck = True
            raise BrowserStuck("The browser thread did not let go of its work; this process has to end.")

    def _stop_at_exit(self) -> None:
        if not self.stop():
            os._exit(STUCK_EXIT_CODE)

    def _run(self) -> None:
        """A new driver whenever the old one was lost."""
        going = True
        while going:
            self._chromium.driver_is_lost = False
            with suppress(Error), sync_playwright() as playwright:
                limit_calls(asyncio.get_running_loop())
                register_selectors(playwright)
                self._chromium.playwright = playwright
                going = self._serve()
                self._chromium.close()

    def _serve(self) -> bool:
        """False when asked to stop, True when a new driver is needed."""
        while True:
            if self._inbox.empty():
                self._be_ready()
            if self._chromium.driver_is_lost:
                return True
            item = self._inbox.get()
            if item is None:
                return False
            if isinstance(item, ContextOptions):
                self._chromium.expect(item.shape)
            else:
                self._work(item)

    def _be_ready(self) -> None:
        # A failure shows again, and to somebody, when the next job asks for a session.
        self._chromium.is_opening = True
        with suppress(Error, BrowserLost, BrowserMissing):
            self._chromium.make_spare()
        self._chromium.is_opening = False

    def _work(self, job: _Job[Any]) -> None:
        desk = Desk(job, self._chromium)
        try:
            desk.raise_if_aborted()
            ended = _Ended(value=job.work(desk))
        except BaseException as error:  # noqa: BLE001 - carried over to the caller's thread, whatever it is
            ended = _Ended(error=error)
        job.end(ended)
        if isinstance(ended.error, Error | BrowserLost | Aborted):
            # The next job may be waiting already, and would meet the dead driver before anybody looked for it.
            self._chromium.look_for_driver()
        self._chromium.after_job()


@dataclass(slots=True)
class _Watch:
    """The caller's side of a running job: its clock and its reasons to stop."""

    deadline: float
    cancelled: Callable[[], bool]
    on_tick: Callable[[], None]
    tick_s: float
    next_tick: float = 0

    def next(self, job: _Job[Any]) -> _Said | _Ended | _Wake:
        """What the job said, or a _Wake after a tick in which it said nothing."""
        now = monotonic()
        self.next_tick = self.next_tick or now + self.tick_s
        try:
            item = job.out.get(timeout=max(0.0, min(self.next_tick, self.deadline) - now))
        except queue.Empty:
            item = _Wake()
        if isinstance(item, _Ended):
            return item
        if monotonic() >= self.next_tick:
            self.next_tick = monotonic() + self.tick_s
            self.on_tick()
        self.raise_if_over(job)
        return item

    def raise_if_over(self, job: _Job[Any]) -> None:
        reason: AbortReason | None = None
        if self.cancelled():
            reason = "cancelled"
        elif monotonic() >= self.deadline:
            reason = "deadline"
        if reason is not None:
            job.abort(reason)
            raise Aborted(reason)
