"""No call into a page waits for ever.

Playwright sets no time limit to most of what it asks a page (evaluate, count, title, a key press, the DevTools
protocol): a page that spins, or a frame whose document never comes, would hold the browser thread for good. Every such
call gets its limit here, as it is handed to Playwright's event loop; the page stays as it is.
"""

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic
from typing import Any
from weakref import WeakKeyDictionary

from playwright.sync_api import Error, Frame, Page
from playwright.sync_api import TimeoutError as TooSlow

# Long enough for a page of 100,000 elements on a busy machine.
ANSWER_MS = 20_000.0
# Playwright's own, where a call that takes a timeout was given none.
DEFAULT_TIMEOUT_MS = 30_000.0
STATE_MS = 30_000.0
ASKED = ("Page.", "Frame.", "Locator.", "ElementHandle.", "JSHandle.", "Keyboard.", "Mouse.", "CDPSession.")
ASKED_OF_CONTEXTS = {"BrowserContext.new_cdp_session", "BrowserContext.set_offline", "Response.security_details"}
# Without a timeout Playwright sets them none, though they take one; the last is asked for what is there at once.
WAITS_FOR_NOTHING = ("CDPSession.send", ".is_visible", ".is_hidden", "Locator.text_content")
PROBE_MS = 1000.0
# A frame without an address has no document yet; hardly any ever answers.
EMPTY_PROBE_MS = 150.0
PROBES_S = 3.0
ASK_AGAIN_S = 10.0

LIMIT_MS: ContextVar[float] = ContextVar("limit of a call into a page", default=ANSWER_MS)
# Frames that did not answer, and when that was; one that gets another document is asked again.
SILENT: WeakKeyDictionary[Frame, tuple[str, float]] = WeakKeyDictionary()


class PageSilent(TooSlow):
    """The page did not answer in time; what was asked of it may still be going on in it."""

    def __init__(self) -> None:
        super().__init__("the page stopped answering")


@contextmanager
def answer_within(limit_ms: float) -> Iterator[None]:
    """Another limit than ANSWER_MS for the calls of this block; for those with a timeout, what is added to it."""
    token = LIMIT_MS.set(max(1.0, limit_ms))
    try:
        yield
    finally:
        LIMIT_MS.reset(token)


def limit_calls(loop: asyncio.AbstractEventLoop) -> None:
    """From now on every call of this loop's Playwright that asks a page something ends: PageSilent."""
    loop.set_task_factory(_make_task)


def raise_if_silent(page: Page, limit_ms: float = ANSWER_MS) -> None:
    """PageSilent when the page itself, frames aside, does not answer the simplest question."""
    with answer_within(limit_ms):
        page.main_frame.evaluate("0")


def frames_that_answer(page: Page) -> list[Frame]:
    """The main frame, and of the others those whose document is there and not too busy to be asked."""
    until = monotonic() + PROBES_S
    others = (frame for frame in page.frames if frame is not page.main_frame)
    return [page.main_frame, *(frame for frame in others if answers(frame, until))]


def answers(frame: Frame, until: float | None = None) -> bool:
    """Whether there is any use in asking it. until: no frame is asked past it (time.monotonic)."""
    url, since = SILENT.get(frame, ("", 0.0))
    if since and url == frame.url and monotonic() < since + ASK_AGAIN_S:
        return False
    if until is not None and monotonic() > until:
        return False
    try:
        with answer_within(PROBE_MS if frame.url else EMPTY_PROBE_MS):
            frame.evaluate("0")
    except PageSilent:
        SILENT[frame] = (frame.url, monotonic())
        return False
    except Error:
        return not frame.is_detached()
    SILENT.pop(frame, None)
    return True


def _make_task(loop: asyncio.AbstractEventLoop, call: Any, **given: Any) -> "asyncio.Task[Any]":
    limit_ms = _limit_of(call)
    return asyncio.Task(call if limit_ms is None else _limited(call, limit_ms), loop=loop, **given)


def _limit_of(call: Any) -> float | None:
    """None for what is no question to a page, or may take as long as it likes."""
    name = getattr(call, "__qualname__", "")
    if name == "BrowserContext.storage_state":
        return STATE_MS
    if not name.startswith(ASKED) and name not in ASKED_OF_CONTEXTS:
        return None
    given = call.cr_frame.f_locals if getattr(call, "cr_frame", None) else {}
    if "timeout" not in given or (given["timeout"] is None and name.endswith(WAITS_FOR_NOTHING)):
        return LIMIT_MS.get()
    timeout = DEFAULT_TIMEOUT_MS if given["timeout"] is None else float(given["timeout"])
    return timeout + LIMIT_MS.get() if timeout else None


async def _limited(call: Coroutine[Any, Any, Any], limit_ms: float) -> Any:
    try:
        async with asyncio.timeout(limit_ms / 1000) as clock:
            return await call
    except TimeoutError:
        if not clock.expired():
            raise
        raise PageSilent from None
