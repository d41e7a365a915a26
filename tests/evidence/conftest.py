from collections.abc import Callable, Iterator
from typing import Any

import pytest

from evidence_app.agent.collector import Before
from recipes_app.browser.session import BrowserSession, ContextOptions
from recipes_app.browser.thread import BrowserThread, Desk
from tests.browser.site import LittleSite, serve
from tests.conftest import loopback_policy
from tests.evidence.collecting import Collected, collected


@pytest.fixture
def little() -> Iterator[LittleSite]:
    with serve() as site:
        yield site


@pytest.fixture
def in_session(browser: BrowserThread) -> Callable[..., Any]:
    """`in_session(work, url=site.url)` runs `work(session)` on the browser thread."""

    def run(work: Callable[[BrowserSession], Any], *, url: str) -> Any:
        def on_desk(desk: Desk) -> Any:
            with desk.session(ContextOptions(policy=loopback_policy(url))) as session:
                return work(session)

        return browser.call(on_desk, deadline_s=120)

    return run


@pytest.fixture
def collect_from(little: LittleSite, in_session: Callable[..., Any]) -> Callable[..., Collected]:
    """`collect_from({path: html}, spec, move(…), …)` serves the pages and collects by these moves."""

    def run(
        pages: dict[str, Any], spec: dict[str, Any], *moves: Any, before: Before | None = None, **more: Any
    ) -> Collected:
        little.pages.update(pages)
        start = little.url + next(iter(pages))
        result: Collected = in_session(
            lambda session: collected(session, spec, moves, start=start, before=before, **more), url=little.url
        )
        return result

    return run
