from collections.abc import Callable, Iterator
from typing import Any

import pytest

from recipes_app.browser.session import BrowserSession, ContextOptions
from recipes_app.browser.thread import BrowserThread, Desk
from recipes_app.pilot.seams import Flight
from tests.browser.site import LittleSite, serve
from tests.conftest import loopback_policy
from tests.pilot.flying import Script, fly


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

        return browser.call(on_desk, deadline_s=60)

    return run


@pytest.fixture
def flown(little: LittleSite, in_session: Callable[..., Any]) -> Callable[..., tuple[Flight, Script]]:
    """`flown({path: html}, move(…), …)` serves the pages, flies over the first one by these moves."""

    def run(pages: dict[str, Any], *moves: Any, **more: Any) -> tuple[Flight, Script]:
        little.pages.update(pages)
        script = Script(moves)
        start = little.url + next(iter(pages))
        flight: Flight = in_session(lambda session: fly(session, script, start=start, **more), url=little.url)
        return flight, script

    return run
