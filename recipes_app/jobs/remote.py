"""A browser that a person drives: from the page over Redis, or at this machine's own screen.

Three threads: RQ and the rows on this one, Chromium on the browser thread, and one that only waits for input.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Protocol

from django.conf import settings

from recipes_app import wiring
from recipes_app.browser.listening import Listener
from recipes_app.browser.session import BrowserSession, ContextOptions
from recipes_app.browser.states import SavedState
from recipes_app.browser.streaming import Shown, Stream
from recipes_app.browser.thread import Desk
from recipes_app.engine.events import Progress
from recipes_app.jobs import running
from recipes_app.mapping.by_hand import HandRecorder, record_by_hand
from recipes_app.mapping.login import LoggedIn, LoginFailed, sign_in_by_hand
from recipes_app.models import RemoteBrowser
from recipes_app.models.job import JobStatus
from recipes_app.models.remote import RemotePurpose
from recipes_app.queues import Unreachable
from recipes_app.queues import remote as wire
from recipes_app.services import remotes, sealing, sessions
from recipes_app.services.runs import Claim

logger = logging.getLogger(__name__)

WAIT_S = 1.0
CLOSED = "the last page was closed"
IDLE = "Nobody did anything for {minutes:g} minutes. What was recorded is kept: finish it from here."
Inbox = "queue.SimpleQueue[Mapping[str, Any]]"


class Way(Protocol):
    """How input comes in and pictures go out."""

    shows_pictures: bool
    idle_s: float

    def listen(self, inbox: queue.SimpleQueue[Mapping[str, Any]], stop: threading.Event) -> None: ...
    def show(self, shown: Shown) -> None: ...
    def taped(self, entries: list[dict[str, Any]]) -> None: ...


@dataclass(slots=True)
class OverRedis:
    name: str
    shows_pictures: bool = True
    idle_s: float = field(default_factory=lambda: settings.REMOTE_IDLE_S)
    number: int = 0

    def listen(self, inbox: queue.SimpleQueue[Mapping[str, Any]], stop: threading.Event) -> None:
        """On a thread of its own. What cannot be read is no input."""
        while not stop.is_set():
            try:
                sealed = wire.receive(self.name, WAIT_S)
                if sealed is not None:
                    inbox.put(sealing.unseal(sealed))
            except Unreachable:
                stop.wait(WAIT_S)
            except sealing.Unreadable:
                logger.warning("remote browser %s: input that cannot be read", self.name)

    def show(self, shown: Shown) -> None:
        """Without Redis the person sees nothing; the next picture is tried again."""
        self.number += 1
        state = {
            "url": shown.url,
            "page": shown.page,
            "pages": [list(each) for each in shown.pages],
            "dialog": shown.dialog,
            "offer": shown.offer,
            "said": shown.said,
        }
        try:
            wire.put_picture(self.name, self.number, state, shown.data)
        except Unreachable:
            return

    def taped(self, entries: list[dict[str, Any]]) -> None:
        """The page asks for the row."""


_ways: list[Way] = []


@contextmanager
def by_way_of(way: Way) -> Iterator[None]:
    """Jobs done inside are driven in this way rather than over Redis."""
    _ways.append(way)
    try:
        yield
    finally:
        _ways.remove(way)


@dataclass(frozen=True, slots=True)
class Taped:
    """The tape as it is now; whoever emits it goes on at once."""

    entries: list[dict[str, Any]]
    url: str


def drive_remote(job_id: int) -> None:
    running.run(job_id, _drive)


def _drive(claim: Claim) -> None:
    remote = RemoteBrowser.objects.select_related("site__team", "job").get(job=claim.job)
    way: Way = _ways[-1] if _ways else OverRedis(claim.job.public_id)
    inbox: queue.SimpleQueue[Mapping[str, Any]] = queue.SimpleQueue()
    hand = _Hand(claim, remote, way)
    stop = threading.Event()
    threading.Thread(target=way.listen, args=(inbox, stop), name="input", daemon=True).start()
    try:
        plan = _Plan(remote.start_url, wiring.context_options(remote.site), way, inbox, hand.is_ready)
        if remote.purpose == RemotePurpose.SIGN_IN:
            _signed_in(claim, remote, running.drive(claim, partial(_sign_in, plan), other=hand.hear))
            return
        how = running.drive(claim, partial(_record, plan), other=hand.hear)
    finally:
        stop.set()
    _end(claim, remote, how)


def _signed_in(claim: Claim, remote: RemoteBrowser, found: LoggedIn) -> None:
    """Nothing of what was typed is known here: only what the browser was left with."""
    kept = sessions.Kept(state=found.state, probe=dict(found.probe))
    by = claim.job.requested_by
    sessions.keep_login(site=remote.site, by=by, name=claim.job.session, kept=kept)
    claim.finish(JobStatus.DONE)


@dataclass(slots=True)
class _Hand:
    """The side of the rows: keeps the tape, hands on pictures, one at a time."""

    claim: Claim
    remote: RemoteBrowser
    way: Way
    is_ready: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.is_ready.set()

    def hear(self, said: object) -> None:
        if isinstance(said, Shown):
            self.way.show(said)
            self.is_ready.set()
        elif isinstance(said, Taped):
            self.claim.keep_secret(remotes.secrets_in(said.entries))
            remotes.keep(claim=self.claim, remote=self.remote, entries=said.entries, url=said.url)
            self.claim.progress("by_hand", len(said.entries))
            self.way.taped(said.entries)


@dataclass(frozen=True, slots=True)
class _Plan:
    url: str
    context: ContextOptions
    way: Way
    inbox: queue.SimpleQueue[Mapping[str, Any]]
    is_ready: threading.Event


def _record(plan: _Plan, desk: Desk) -> str:
    """On the browser thread."""
    with desk.session(plan.context) as session:

        def changed(entries: list[dict[str, Any]]) -> None:
            # A copy: the tape goes on while the rows are written.
            desk.emit(Taped([dict(entry) for entry in entries], session.page.url))

        def show(shown: Shown) -> None:
            plan.is_ready.clear()
            desk.emit(shown)

        desk.emit(Progress("by_hand", 0, None, "Opening the first page"))
        recorder = HandRecorder(session, changed, is_remote=plan.way.shows_pictures)
        pictures = show if plan.way.shows_pictures else None
        stream = Stream(session, recorder.listener, partial(_next, plan.inbox), pictures, plan.is_ready.is_set)
        recorder.begin(plan.url)
        return record_by_hand(recorder, stream, idle_limit_s=plan.way.idle_s)


def _sign_in(plan: _Plan, desk: Desk) -> LoggedIn:
    """On the browser thread. Nobody listens to what the person does: they may type a password."""

    def show(shown: Shown) -> None:
        plan.is_ready.clear()
        desk.emit(shown)

    def is_done(session: BrowserSession) -> bool:
        listener = Listener(session, hear=lambda _heard: None, is_remote=True)
        stream = Stream(session, listener, partial(_next, plan.inbox), show, plan.is_ready.is_set)

        def each_round(idle_s: float) -> None:
            if idle_s > plan.way.idle_s:
                stream.ended = "idle"

        how = stream.run(each_round)
        if how != "finish":
            raise LoginFailed(f"nobody did anything for {plan.way.idle_s / 60:g} minutes" if how == "idle" else CLOSED)
        return True

    def opened(state: SavedState | None) -> AbstractContextManager[BrowserSession]:
        return desk.session(replace(plan.context, state=state))

    desk.emit(Progress("by_hand", 0, None, "Opening the first page"))
    return sign_in_by_hand(plan.url, "", is_done=is_done, open_session=opened, emit=desk.emit)


def _next(inbox: queue.SimpleQueue[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    try:
        return inbox.get_nowait()
    except queue.Empty:
        return None


def _end(claim: Claim, remote: RemoteBrowser, how: str) -> None:
    if how == "idle":
        raise running.Failed(IDLE.format(minutes=settings.REMOTE_IDLE_S / 60), "idle")
    remote.refresh_from_db()
    if how == "finish" and remote.sealed.get("finish"):
        remotes.conclude(remote=remote)
    claim.finish(JobStatus.DONE)
