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
