from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import pytest

from recipes_app.browser.session import BrowserSession, ContextOptions
from recipes_app.browser.thread import BrowserThread, Desk
from tests.browser.site import LittleSite, serve

T = TypeVar("T")


@pytest.fixture
def site() -> Iterator[LittleSite]:
    with serve() as site:
        yield site


@pytest.fixture
def on_page(browser: BrowserThread, site: LittleSite) -> Callable[..., Any]:
    """`on_page(html, fn)` shows html as the site's first page and runs fn(session) there."""

    def run(html: str, work: Callable[[BrowserSession], T], **options: Any) -> T:
        site.pages["/"] = html

        def at_desk(desk: Desk) -> T:
            with desk.session(ContextOptions(policy=site.policy, **options)) as session:
                session.goto(site.url + "/")
                return work(session)

        return browser.call(at_desk, deadline_s=30)

    return run


@pytest.fixture
def at_home(site: LittleSite) -> Callable[[Callable[[BrowserSession], object]], Callable[[Desk], object]]:
    """Wraps work on a session of the little site into work at a desk."""
    site.pages["/"] = "<title>Home</title><h1>Home</h1>"

    def wrap(work: Callable[[BrowserSession], object]) -> Callable[[Desk], object]:
        def at_desk(desk: Desk) -> object:
            with desk.session(ContextOptions(policy=site.policy)) as session:
                session.goto(site.url + "/")
                return work(session)

        return at_desk

    return wrap
