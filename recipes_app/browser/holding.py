"""Keeps what could change the site inside the browser, while someone finds out how to do something there."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from playwright.sync_api import Error, Request, Route, WebSocketRoute

from recipes_app.browser.sending import READING
from recipes_app.browser.session import BrowserSession

EVERYTHING = "**/*"


@dataclass
class Held:
    """`requests` were not let out, each as "POST https://shop.test/cart". While `passing`, everything is let out.

    No slots: Playwright leaves an attribute on the owner of a handler.
    """

    acts: Callable[[str], bool]
    requests: list[str] = field(default_factory=list)
    passed: list[str] = field(default_factory=list)
    passing: bool = False

    def decide(self, route: Route, request: Request) -> None:
        try:
            if not self._is_act(request):
                route.continue_()
            elif self.passing:
                self.passed.append(_words(request))
                route.continue_()
            else:
                self.requests.append(_words(request))
                route.abort("aborted")
        except Error:
            # The page that asked has gone, and its request with it.
            return

    def _is_act(self, request: Request) -> bool:
        """A page that is opened by an address which says that it does something acts as well."""
        if request.method.upper() not in READING:
            return True
        return request.is_navigation_request() and self.acts(request.url)


@contextmanager
def hold_back(session: BrowserSession, *, acts: Callable[[str], bool]) -> Iterator[Held]:
    """Requests other than reading ones are stopped in the browser, and pages whose address `acts`; sockets say nothing.

    Nothing that is stopped counts as sent. For the whole rest of the session: what a page has queued must not leave
    when the block ends.
    """
    held = Held(acts)
    session.sending.is_cut_off = True
    session.context.route(EVERYTHING, held.decide)
    session.context.route_web_socket(EVERYTHING, _silence)
    yield held
    session.cut_off()


def _silence(_socket: WebSocketRoute) -> None:
    """A socket that is not connected any further."""


def _words(request: Request) -> str:
    parts = urlsplit(request.url)
    return f"{request.method.upper()} {parts.scheme}://{parts.netloc}{parts.path}"[:200]
