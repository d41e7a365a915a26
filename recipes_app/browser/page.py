"""When a page is ready, and the banner that stands in front of it."""

from contextlib import suppress
from time import monotonic

from playwright.sync_api import Error, Frame, Page
from playwright.sync_api import TimeoutError as TooSlow

from recipes_app.browser.answering import PageSilent, answer_within, frames_that_answer
from recipes_app.browser.consent import dismiss_consent
from recipes_app.browser.scripts import script

__all__ = ["dismiss_consent", "settle"]

SETTLE = script("settle.js")
FRAME_SHARE_MS = 1000
LATE_MS = 500


def settle(page: Page, *, limit_ms: float = 4000, arrived: bool = False) -> None:
    """Until the page and its frames are quiet: parsed, no changes, no request or short timer pending.

    A navigation that begins meanwhile is followed. Never raises for a page that stays busy: limit_ms is the end.
    `arrived`: its document has just taken another's place, so that it is not about to be left for what was done there;
    one that has nothing in it that could run is then quiet as soon as it is whole.
    """
    until = monotonic() + limit_ms / 1000
    while monotonic() < until:
        if _is_quiet(page.main_frame, _left_ms(until), arrived=arrived):
            break
        _follow(page, _left_ms(until))
        arrived = True
    for frame in frames_that_answer(page)[1:]:
        _is_quiet(frame, min(_left_ms(until), FRAME_SHARE_MS))


def _is_quiet(frame: Frame, limit_ms: float, *, arrived: bool = False) -> bool:
    """False when the document went away while we looked."""
    if limit_ms <= 0:
        return True
    try:
        with answer_within(limit_ms + LATE_MS):
            frame.evaluate(SETTLE, {"limit_ms": limit_ms, "arrived": arrived})
    except PageSilent:
        return True
    except Error:
        return frame.is_detached()
    return True


def _follow(page: Page, limit_ms: float) -> None:
    with suppress(TooSlow):
        page.wait_for_load_state("domcontentloaded", timeout=max(1, limit_ms))


def _left_ms(until: float) -> float:
    return max(0.0, (until - monotonic()) * 1000)
