"""A file on its way: followed from before the click, stopped where it is too large or comes too slowly."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Any

from recipes_app.browser.api import Download, Error, Page, Response
from recipes_app.engine.act import Act

POLL_MS = 20
# A download of a tab that was open only for it may be over before we could watch it.
UNSEEN_MS = 500
# How long a file that the browser shows instead of saving it may still turn into a download.
SHOWN_MS = 800
CHUNK = 1 << 20
PAGE_TYPES = ("text/html", "application/xhtml+xml")


@dataclass(eq=False)
class Incoming:
    """Watches the page and every page that opens while the block lasts.

    No slots: Playwright leaves an attribute on the owner of a listener.
    """

    act: Act
    known: int = 0
    pages_before: int = 0
    sessions: dict[Page, Any] = field(default_factory=dict)
    states: dict[str, dict[str, Any]] = field(default_factory=dict)
    answers: list[Response] = field(default_factory=list)

    def __enter__(self) -> Incoming:
        session = self.act.session
        self.known, self.pages_before = len(session.downloads), len(session.opened)
        session.context.on("response", self.note_answer)
        self.watch(self.act.page)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.act.session.context.remove_listener("response", self.note_answer)
        for protocol in self.sessions.values():
            quietly(protocol.detach)

    def watch(self, page: Page) -> None:
        if page in self.sessions or page.is_closed():
            return
        try:
            protocol = page.context.new_cdp_session(page)
            protocol.on("Page.downloadProgress", self.note_progress)
            protocol.send("Page.enable")
        except Error:
            # It closed as soon as it had asked for its file.
            return
        self.sessions[page] = protocol

    def note_progress(self, event: dict[str, Any]) -> None:
        self.states[event["guid"]] = event

    def note_answer(self, response: Response) -> None:
        if response.request.is_navigation_request():
            self.answers.append(response)

    # --- waiting

    def wait(self) -> Download | Response | None:
        """The download, or the answer that the browser shows as a page though it is none; None when neither came."""
        until, shown_since = monotonic() + self.act.left_ms / 1000, None
        session = self.act.session
        while monotonic() < until:
            for page in session.opened[self.pages_before :]:
                self.watch(page)
            if len(session.downloads) > self.known:
                return session.downloads[self.known]
            shown = self.shown_file()
            shown_since = shown_since or (monotonic() if shown else None)
            if shown and shown_since and monotonic() - shown_since > SHOWN_MS / 1000:
                return shown
            session.page.wait_for_timeout(POLL_MS)
        return None

    def shown_file(self) -> Response | None:
        for response in reversed(self.answers):
            kind = media_type_of(response)
            if response.ok and kind and kind not in PAGE_TYPES:
                return response
        return None

    def whole(self, arrived: Download) -> Path:
        """StepFailure: blocked_by_policy (too large), timeout, navigation (it broke off)."""
        started, until = monotonic(), monotonic() + self.act.left_ms / 1000
        while not self.is_over(monotonic() - started):
            self.stop_if_too_large(arrived, self.received(), self.expected(arrived.url))
            if monotonic() >= until:
                quietly(arrived.cancel)
                raise self.act.fail("timeout", f"the file did not arrive whole in time; {self.received()} bytes came")
            self.act.session.page.wait_for_timeout(POLL_MS)
        try:
            path = Path(arrived.path())
        except Error as error:
            self.act.session.raise_if_lost(error)
            why = arrived.failure() or "it was stopped"
            raise self.act.fail("navigation", f"the file did not arrive whole: {why}") from error
        self.stop_if_too_large(arrived, path.stat().st_size, 0)
        return path

    def is_over(self, waited: float) -> bool:
        if not self.states:
            return waited * 1000 > UNSEEN_MS
        return all(state["state"] != "inProgress" for state in self.states.values())

    def received(self) -> int:
        return int(max((state["receivedBytes"] for state in self.states.values()), default=0))

    def expected(self, url: str) -> int:
        lengths = [response.headers.get("content-length", "") for response in self.answers if response.url == url]
        return int(lengths[-1]) if lengths and lengths[-1].isdecimal() else 0

    def stop_if_too_large(self, arrived: Download | None, *sizes: int) -> None:
        limit = self.act.scene.max_download
        if max(sizes) > limit:
            if arrived is not None:
                quietly(arrived.cancel)
            raise self.act.fail("blocked_by_policy", f"the file is larger than the {limit} bytes allowed")

    def media_type(self, url: str) -> str:
        return next((media_type_of(answer) for answer in reversed(self.answers) if answer.url == url), "")

    def close_pages_of(self, arrived: Download) -> None:
        """A tab that was opened for the file only stays behind, mostly empty; some would close themselves."""
        for page in self.act.session.opened[self.pages_before :]:
            if not page.is_closed() and (page == arrived.page or page.url in {"", "about:blank", ":"}):
                quietly(page.close)


def media_type_of(response: Response) -> str:
    return response.headers.get("content-type", "").partition(";")[0].strip().lower()


def quietly(work: Callable[[], object]) -> None:
    try:
        work()
    except Error:
        # What it was about has gone already.
        return


def measure(path: Path) -> tuple[int, str]:
    total, digest = 0, hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            total += len(chunk)
            digest.update(chunk)
    return total, digest.hexdigest()
