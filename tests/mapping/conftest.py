from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any, TypeVar

import pytest

from recipes_app.browser.session import BrowserSession, ContextOptions
from recipes_app.browser.thread import BrowserThread, Desk
from recipes_app.engine.events import Event
from recipes_app.mapping.crawl import CrawlOptions, crawl
from recipes_app.mapping.facts import Survey
from tests.browser.site import LittleSite, serve
from tests.conftest import loopback_policy
from tests.mapping.furniture import PAGES

T = TypeVar("T")
OpenSession = Callable[[], AbstractContextManager[BrowserSession]]


@pytest.fixture
def little() -> Iterator[LittleSite]:
    with serve() as site:
        yield site


@pytest.fixture
def at_desk(browser: BrowserThread) -> Callable[..., Any]:
    """`at_desk(work, url=site.url)` runs `work(open_session)` on the browser thread."""

    def run(work: Callable[[OpenSession], T], *, url: str) -> T:
        def on_desk(desk: Desk) -> T:
            return work(lambda: desk.session(ContextOptions(policy=loopback_policy(url))))

        return browser.call(on_desk, deadline_s=90)

    return run


@pytest.fixture
def survey_of(at_desk: Callable[..., Any]) -> Callable[..., Survey]:
    """`survey_of(url, emit=…, max_pages=…)` crawls without pauses."""

    def run(url: str, emit: Callable[[Event], None] = lambda event: None, **options: Any) -> Survey:
        def work(open_session: OpenSession) -> Survey:
            with open_session() as session:
                return crawl(session, url, CrawlOptions(**{"politeness_s": 0, **options}), emit)

        survey: Survey = at_desk(work, url=url)
        return survey

    return run


@pytest.fixture
def shop(little: LittleSite, survey_of: Callable[..., Survey]) -> Survey:
    little.pages |= PAGES
    return survey_of(little.url + "/", seed_urls=(little.url + "/login",), max_pages=4, max_depth=1)
