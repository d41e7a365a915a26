"""How the tests of the browser thread drive it, and what they let it do."""

from collections.abc import Callable, Generator
from typing import Any

from recipes_app.browser.session import BrowserSession
from recipes_app.browser.thread import BrowserThread, Desk


def drive(
    thread: BrowserThread,
    work: Callable[[Desk], object],
    *,
    deadline_s: float = 30,
    cancelled: Callable[[], bool] = lambda: False,
    on_tick: Callable[[], None] = lambda: None,
    tick_s: float = 1,
) -> Generator[Any, None, object]:
    return thread.drive(work, deadline_s=deadline_s, cancelled=cancelled, on_tick=on_tick, tick_s=tick_s)


def title(session: BrowserSession) -> str:
    return session.page.title()


def spin(session: BrowserSession) -> object:
    return session.page.evaluate("() => { while (true) {} }")
