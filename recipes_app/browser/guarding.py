"""Trying a page out without changing the site: only what reads leaves the context meanwhile."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Route

from recipes_app.browser.sending import READING
from recipes_app.browser.session import BrowserSession

EVERYTHING = "**/*"


def _guard(route: Route) -> None:
    if route.request.method.upper() in READING:
        route.fallback()
    else:
        route.abort()


@contextmanager
def only_reading(session: BrowserSession) -> Iterator[None]:
    """Requests that could change the site are refused; messages over an open socket are not."""
    session.context.route(EVERYTHING, _guard)
    try:
        yield
    finally:
        session.context.unroute(EVERYTHING, _guard)
