"""Whether something holds on the page, and waiting until it does."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from recipes_app.browser.answering import frames_that_answer
from recipes_app.browser.api import Error
from recipes_app.browser.session import BrowserSession
from recipes_app.engine.errors import StepFailure
from recipes_app.engine.finding.outcome import Found
from recipes_app.engine.naming import normalise
from recipes_app.engine.scripts import script
from recipes_app.engine.sentences import condition_words
from recipes_app.engine.shapes import Condition, Target
from recipes_app.engine.target import POLL_MS, Look, exists, look_once

Check = Callable[[BrowserSession, Condition, Look], bool]


def wait_until(session: BrowserSession, condition: Condition, timeout_ms: float, *, look: Look | None = None) -> None:
    """Returns as soon as the condition holds; StepFailure(verify_failed) when its time is over.

    The condition's own `timeout_ms` goes before the one given.
    """
    limit = timeout_ms if condition.timeout_ms is None else condition.timeout_ms
    if not comes_true(session, lambda: holds(session, condition, look), limit, look):
        raise StepFailure(
            "verify_failed", f"after {limit / 1000:g} s it does not hold that {condition_words(condition)}"
        )


def comes_true(session: BrowserSession, test: Callable[[], bool], timeout_ms: float, look: Look | None = None) -> bool:
    """Asks at once, then each POLL_MS, and once more when the time is over."""
    until = monotonic() + timeout_ms / 1000
    while True:
        if look is not None:
            look.on_poll()
        is_last = monotonic() >= until
        if test():
            return True
        if is_last:
            return False
        session.page.wait_for_timeout(POLL_MS)


def holds(session: BrowserSession, condition: Condition, look: Look | None = None) -> bool:
    """One look. A document that goes away meanwhile holds nothing."""
    try:
        return CHECKS[condition.kind](session, condition, look or Look())
    except Error as error:
        session.raise_if_lost(error)
        return False


def every_part(session: BrowserSession, condition: Condition, look: Look) -> bool:
    return all(CHECKS[part.kind](session, part, look) for part in condition.parts)


def some_part(session: BrowserSession, condition: Condition, look: Look) -> bool:
    return any(CHECKS[part.kind](session, part, look) for part in condition.parts)


def no_part(session: BrowserSession, condition: Condition, look: Look) -> bool:
    return not some_part(session, condition, look)


def says(session: BrowserSession, condition: Condition, _look: Look) -> bool:
    wanted = normalise(condition.value or "")
    for frame in frames_that_answer(session.page):
        try:
            text = normalise(frame.evaluate(script("says.js")))
        except Error:
            # A frame that is being replaced says nothing for the moment.
            continue
        if contains(text, wanted, fold=condition.case_insensitive):
            return True
    return False


def contains(text: str, wanted: str, *, fold: bool) -> bool:
    return wanted.casefold() in text.casefold() if fold else wanted in text


def address_contains(session: BrowserSession, condition: Condition, _look: Look) -> bool:
    return contains(session.page.url, condition.value or "", fold=condition.case_insensitive)


def address_matches(session: BrowserSession, condition: Condition, _look: Look) -> bool:
    return matches_glob(session.page.url, condition.value or "", fold=condition.case_insensitive)


def matches_glob(text: str, glob: str, *, fold: bool = False) -> bool:
    """Only `*` is special, any run of characters: addresses are full of `?` and brackets."""
    if fold:
        text, glob = text.casefold(), glob.casefold()
    first, *middle = glob.split("*")
    if not middle:
        return text == glob
    at = len(first)
    for part in middle[:-1]:
        found = text.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return text.startswith(first) and text.endswith(middle[-1]) and len(text) - len(middle[-1]) >= at


def is_there(session: BrowserSession, condition: Condition, look: Look) -> bool:
    return exists(session, needed(condition), look)


def is_absent(session: BrowserSession, condition: Condition, look: Look) -> bool:
    """Nothing is absent from a page that is not parsed yet."""
    ready = session.page.evaluate("() => document.readyState !== 'loading'")
    return bool(ready) and not exists(session, needed(condition), look)


def value_is(session: BrowserSession, condition: Condition, look: Look) -> bool:
    found = look_once(session, needed(condition), look, patient=True)
    if not isinstance(found, Found):
        return False
    held = normalise(str(found.locator.evaluate(script("value.js"), {}, timeout=1000)))
    wanted = normalise(condition.value or "")
    return held.casefold() == wanted.casefold() if condition.case_insensitive else held == wanted


def needed(condition: Condition) -> Target:
    if condition.target is None:
        raise StepFailure("verify_failed", f"{condition.kind} names no target")
    return condition.target


CHECKS: dict[str, Check] = {
    "all": every_part,
    "any": some_part,
    "not": no_part,
    "page_text_contains": says,
    "url_contains": address_contains,
    "url_matches": address_matches,
    "element_exists": is_there,
    "element_absent": is_absent,
    "value_is": value_is,
}
