"""Going to an address, and saying plainly why one did not get there."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Self

from playwright.sync_api import Error, Frame, Page, Request, Response
from playwright.sync_api import TimeoutError as TooSlow

from recipes_app.browser.errors import BlockedByPolicy, NavigationFailed
from recipes_app.browser.policy import host_and_port
from recipes_app.browser.proxy import REFUSED_HEADER, UNREACHABLE_HEADER, ProxyRecord

ERROR_PAGE = "chrome-error://chromewebdata/"
ERROR_PAGE_MS = 1000
PUMP_MS = 10
INTERRUPTIONS = 2
NET_ERRORS = {
    "ERR_NAME_NOT_RESOLVED": "its name does not resolve",
    "ERR_CONNECTION_REFUSED": "nothing answers there",
    "ERR_CERT": "its certificate is not valid",
    "ERR_SSL": "its encryption cannot be used",
    "ERR_TOO_MANY_REDIRECTS": "it redirects for ever",
    "ERR_EMPTY_RESPONSE": "it sent nothing",
    "ERR_ABORTED": "the navigation was stopped",
}


@dataclass(frozen=True, slots=True)
class Arrival:
    """status None: no HTTP answer was involved (about:blank, a fragment, a download)."""

    url: str
    status: int | None = None
    status_text: str = ""
    redirects: tuple[str, ...] = ()
    download: bool = False
    response: Response | None = None

    def unless_refused(self) -> Self:
        if self.status is not None and self.status >= 400:
            raise NavigationFailed(self.url, f"it answered {self.status} {self.status_text}".strip(), self.status)
        return self


def navigate(page: Page, url: str, *, timeout_ms: float, log: Sequence[ProxyRecord]) -> Arrival:
    """BlockedByPolicy, NavigationFailed, or playwright's Error when it was not the site that failed."""
    mark = len(log)
    watch = _Watch(page)
    watch.begin()
    try:
        response = _goto(page, url, timeout_ms)
    except TooSlow as error:
        raise NavigationFailed(url, f"it did not load within {timeout_ms / 1000:g} s") from error
    except Error as error:
        return _not_shown(error, watch, url, log[mark:])
    finally:
        watch.end()
    _raise_if_proxy_answered(response, log[mark:])
    if response is None:
        return Arrival(page.url)
    return Arrival(page.url, response.status, response.status_text, _redirects(response), response=response)


def _goto(page: Page, url: str, timeout_ms: float) -> Response | None:
    """A click's error page may still be on its way and interrupt us, and our first try then the second: ask again."""
    for _ in range(INTERRUPTIONS):
        try:
            return page.goto(url, timeout=timeout_ms, wait_until="domcontentloaded")
        except TooSlow:
            raise
        except Error as error:
            interrupted_by = error.message.partition("is interrupted by another navigation to")[2]
            if "chrome-error://" not in interrupted_by and url not in interrupted_by:
                raise
    return page.goto(url, timeout=timeout_ms, wait_until="domcontentloaded")


class _Watch:
    """What became of the main frame's own requests while one navigation lasted."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.failed: list[str] = []
        self.shows_error_page = False

    def begin(self) -> None:
        self.page.on("requestfailed", self._note_failure)
        self.page.on("framenavigated", self._note_arrival)

    def end(self) -> None:
        self.page.remove_listener("requestfailed", self._note_failure)
        self.page.remove_listener("framenavigated", self._note_arrival)

    def await_error_page(self) -> None:
        """Chromium commits its error page after the failure is known; until then it interrupts any new navigation."""
        waited = 0
        while not self.shows_error_page and waited < ERROR_PAGE_MS:
            self.page.wait_for_timeout(PUMP_MS)
            waited += PUMP_MS

    def _note_failure(self, request: Request) -> None:
        # A request without a frame yet has none to ask for; a listener that raises breaks Playwright's connection.
        with suppress(Error):
            if request.is_navigation_request() and request.frame == self.page.main_frame:
                self.failed.append(request.url)

    def _note_arrival(self, frame: Frame) -> None:
        self.shows_error_page = self.shows_error_page or (frame == self.page.main_frame and frame.url == ERROR_PAGE)


def _not_shown(error: Error, watch: _Watch, url: str, records: Sequence[ProxyRecord]) -> Arrival:
    """The hop is the main frame's own request that failed: after redirects not the address asked for."""
    hop = watch.failed[-1] if watch.failed else url
    if "Download is starting" in error.message:
        return Arrival(hop, download=True)
    if "net::" not in error.message:
        raise error
    if "ERR_ABORTED" not in error.message:
        watch.await_error_page()
    record = _record_of(hop, records)
    if record and record.refused_reason:
        raise BlockedByPolicy(record.host, record.refused_reason) from error
    if record and record.failure:
        raise NavigationFailed(hop, record.failure) from error
    raise NavigationFailed(hop, _net_reason(error.message)) from error


def _raise_if_proxy_answered(response: Response | None, records: Sequence[ProxyRecord]) -> None:
    """The marker header says that the proxy may have spoken; its log, which no site can write, says what."""
    if response is None or not {REFUSED_HEADER, UNREACHABLE_HEADER} & response.headers.keys():
        return
    record = _record_of(response.url, records)
    if record and record.refused_reason:
        raise BlockedByPolicy(record.host, record.refused_reason)
    if record and record.failure:
        raise NavigationFailed(response.url, record.failure)


def _record_of(url: str, records: Sequence[ProxyRecord]) -> ProxyRecord | None:
    host, port = host_and_port(url)
    return next((record for record in reversed(records) if (record.host, record.port) == (host, port)), None)


def _net_reason(message: str) -> str:
    code = message.partition("net::")[2].split()[0]
    return next((text for start, text in NET_ERRORS.items() if code.startswith(start)), code)


def _redirects(response: Response) -> tuple[str, ...]:
    """The addresses passed through, first one first, the final one left out."""
    chain: list[str] = []
    request = response.request.redirected_from
    while request is not None:
        chain.insert(0, request.url)
        request = request.redirected_from
    return tuple(chain)
