"""Going to an address, and saying plainly why one did not get there."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Self

from playwright.sync_api import Error, Page, Request, Response
from playwright.sync_api import TimeoutError as TooSlow

from recipes_app.browser.errors import BlockedByPolicy, NavigationFailed
from recipes_app.browser.policy import host_and_port
from recipes_app.browser.proxy import REFUSED_HEADER, UNREACHABLE_HEADER, ProxyRecord

ERROR_PAGE = "chrome-error://chromewebdata/"
ERROR_PAGE_MS = 1000
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
    failed: list[Request] = []

    def note(request: Request) -> None:
        failed.append(request)

    page.on("requestfailed", note)
    try:
        response = page.goto(url, timeout=timeout_ms, wait_until="domcontentloaded")
    except TooSlow as error:
        raise NavigationFailed(url, f"it did not load within {timeout_ms / 1000:g} s") from error
    except Error as error:
        return _not_shown(error, page, _failed_hop(page, failed, url), log[mark:])
    finally:
        page.remove_listener("requestfailed", note)
    _raise_if_proxy_answered(response, log[mark:])
    if response is None:
        return Arrival(page.url)
    return Arrival(page.url, response.status, response.status_text, _redirects(response), response=response)


def _await_error_page(page: Page) -> None:
    """Chromium commits its error page after the failure is known; until then it interrupts any new navigation."""
    with suppress(Error):
        page.wait_for_url(ERROR_PAGE, wait_until="commit", timeout=ERROR_PAGE_MS)


def _not_shown(error: Error, page: Page, hop: str, records: Sequence[ProxyRecord]) -> Arrival:
    if "Download is starting" in error.message:
        return Arrival(hop, download=True)
    if "net::" not in error.message:
        raise error
    _await_error_page(page)
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


def _failed_hop(page: Page, failed: Sequence[Request], url: str) -> str:
    """The address of the main frame's own request that failed: after redirects not the one asked for."""
    hops = [request.url for request in failed if request.is_navigation_request() and request.frame == page.main_frame]
    return hops[-1] if hops else url


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
