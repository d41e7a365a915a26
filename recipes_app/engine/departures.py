"""An action that leaves the page: the next step belongs to the page it leads to, however slow that one is.

Playwright's own waiting for it would count against the action's time, and would call an action that was done a timeout.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from types import TracebackType
from weakref import WeakKeyDictionary

from recipes_app.browser.api import Error, Page, Request, Response
from recipes_app.browser.api import TimeoutError as TooSlow
from recipes_app.browser.session import BrowserSession

NAVIGATION_MS = 30_000
# From the answer to the new document, and from the decision to leave to the request.
MOMENT_MS = 2000
POLL_MS = 5
LEAVING = "() => window[Symbol.for('agentify.watch')]?.leaving || 0"
NO_DOCUMENT = {204, 205}
# The mark of the document that was last seen to be left, and may have stayed: for a file, or for nothing.
MARKS: WeakKeyDictionary[Page, float] = WeakKeyDictionary()


class Departures:
    """Watches one page for requests that replace its document while an action is made."""

    def __init__(self, session: BrowserSession, page: Page) -> None:
        self.session = session
        self.page = page
        self.begun: list[Request] = []
        self.answered: dict[Request, int] = {}
        self.downloads = len(session.downloads)
        # A document that was left for a file stays, and so does its mark.
        self.old_mark = MARKS.get(page, 0)

    def __enter__(self) -> Departures:
        self.page.on("request", self.note_request)
        self.page.on("response", self.note_response)
        self.page.on("requestfailed", self.note_failure)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.page.remove_listener("request", self.note_request)
        self.page.remove_listener("response", self.note_response)
        self.page.remove_listener("requestfailed", self.note_failure)

    def note_request(self, request: Request) -> None:
        if request.is_navigation_request() and request.frame == self.page.main_frame:
            self.begun.append(request)

    def note_response(self, response: Response) -> None:
        self.answered[response.request] = response.status

    def note_failure(self, request: Request) -> None:
        self.answered.setdefault(request, 0)

    def follow(self, left: bool | None) -> bool:
        """Returns at once when the page stays; else when the new document is parsed, or none will come.

        `left`: whether its document has been seen to be left; None where the page is to be asked.
        True where another document has taken the old one's place.
        """
        if self.page.is_closed() or not (self.begun or (self.is_leaving() if left is None else left)):
            return False
        self.wait(lambda: bool(self.begun), MOMENT_MS)
        self.wait(self.is_answered, NAVIGATION_MS)
        has_arrived = bool(self.begun) and not self.stays()
        if has_arrived:
            self.wait(lambda: self.stays() or not self.is_leaving(), MOMENT_MS)
            self.wait_until_parsed()
        MARKS[self.page] = 0 if self.page.is_closed() else self.mark() or 0
        return has_arrived and not self.stays() and not self.page.is_closed() and MARKS[self.page] == 0

    def is_leaving(self) -> bool:
        """False in the new document too; True while there is none."""
        mark = self.mark()
        return mark is None or mark not in (0, self.old_mark)

    def mark(self) -> float | None:
        """When the document began to be left, 0 if it did not; None while there is no document to ask."""
        try:
            mark: float = self.page.evaluate(LEAVING)
        except Error as error:
            if self.page.is_closed():
                return 0
            self.session.raise_if_lost(error)
            return None
        return mark

    def is_answered(self) -> bool:
        return not self.begun or self.begun[-1] in self.answered

    def stays(self) -> bool:
        """The answer was a file, nothing, or an error: the old document is kept."""
        return len(self.session.downloads) > self.downloads or self.answered.get(self.begun[-1], 0) in {0, *NO_DOCUMENT}

    def wait(self, over: Callable[[], bool], limit_ms: float) -> None:
        until = monotonic() + limit_ms / 1000
        while not self.page.is_closed() and not over() and monotonic() < until:
            self.page.wait_for_timeout(POLL_MS)

    def wait_until_parsed(self) -> None:
        try:
            self.page.wait_for_load_state("domcontentloaded", timeout=NAVIGATION_MS)
        except TooSlow:
            # What the next step looks for decides; it says better than we can what is missing.
            return
