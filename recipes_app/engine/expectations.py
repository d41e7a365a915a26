"""What must be seen after a step: watched from before it acts, checked after."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from recipes_app.browser.api import Error
from recipes_app.browser.page import settle
from recipes_app.engine.act import Act
from recipes_app.engine.conditions import comes_true, holds, matches_glob, wait_until
from recipes_app.engine.errors import StepFailure
from recipes_app.engine.sentences import dialog_words, target_words
from recipes_app.engine.shapes import Condition, Expect, Step, Target
from recipes_app.engine.substitution import substitute
from recipes_app.engine.target import exists
from recipes_app.engine.vocabulary import VOCABULARY

POPUP_MS = 3000
MAX_TOLD = 5
SENDING = frozenset({"click", "double_click", "press", "press_enter"})
WAITING = frozenset({"wait_for", "verify"})
QUESTIONS = frozenset({"confirm", "prompt"})


@dataclass(frozen=True, slots=True)
class Before:
    """How many pages, downloads and dialogs there had been when the step began."""

    pages: int
    downloads: int
    dialogs: int


def remember(act: Act) -> Before:
    session = act.session
    return Before(len(session.opened), len(session.downloads), len(session.dialogs.log))


@contextmanager
def dialogs_allowed(act: Act) -> Iterator[None]:
    expect = act.step.expect
    if expect is None or expect.dialog is None:
        yield
        return
    with act.session.dialogs.allowing(expect.dialog):
        yield


def check_expectations(act: Act, before: Before) -> None:
    """StepFailure: verify_failed, timeout or dialog."""
    follow_opened(act, before)
    expect = act.step.expect
    if expect is not None:
        check_events(act, expect, before)
        check_page(act, expect)
    if may_send(act.step) and not (says_what_is_seen(expect) or act.awaited):
        let_happen(act)
    report_dialogs(act, before)


def is_awaited(act: Act, following: Step | None) -> bool:
    """Whether the step that follows waits for what does not hold yet: it then tells when this one has done its work."""
    if following is None or following.op not in WAITING or following.optional or not may_send(act.step):
        return False
    if says_what_is_seen(act.step.expect):
        return False
    fields: Mapping[str, Any] = substitute(dict(following.fields), act.scene.arguments)
    if isinstance(fields.get("condition"), Condition):
        return not holds(act.session, fields["condition"], act.look())
    target = fields.get("target") or Target(css=fields.get("selector"))
    return not exists(act.session, target, act.look())


def let_happen(act: Act) -> None:
    """Nothing tells when it has been done: what it set going must not be cut short by what follows."""
    try:
        settle(act.session.page, arrived=act.arrived)
    except Error as error:
        # A window that closed itself has done all it will do.
        act.session.raise_if_lost(error)


def may_send(step: Step) -> bool:
    return step.op in SENDING or bool(step.fields.get("press_enter"))


def says_what_is_seen(expect: Expect | None) -> bool:
    return expect is not None and any((expect.condition, expect.url, expect.appears, expect.disappears))


def follow_opened(act: Act, before: Before) -> None:
    """Pages that opened are noted under the step; an expected one becomes the page in use."""
    session, expect = act.session, act.step.expect
    is_expected = expect is not None and expect.page_opened
    if is_expected or (act.scene.is_old and act.opens):
        page = session.wait_for_page(before.pages, timeout_ms=act.timeout_ms if is_expected else POPUP_MS)
        if page is None and is_expected:
            raise StepFailure("verify_failed", f"no page opened within {act.timeout_ms / 1000:g} s")
    new = list(session.opened[before.pages :])
    if not new:
        return
    act.scene.note_opened(act.path, new)
    if VOCABULARY[act.step.op].nests and not is_expected:
        # Each step inside has said so already, and has gone on in the page it opened or not.
        return
    if is_expected or act.scene.is_old:
        act.scene.pages_seen = before.pages
        switch_to_newest(act, before)
    elif any(not page.is_closed() for page in new):
        act.note("a new page opened, and no step follows it")


def switch_to_newest(act: Act, before: Before) -> None:
    session = act.session
    newest = next((page for page in reversed(session.opened[before.pages :]) if not page.is_closed()), None)
    act.scene.pages_seen = len(session.opened)
    if newest is None:
        return
    session.switch_to(newest)
    try:
        newest.wait_for_load_state("domcontentloaded", timeout=act.left_ms)
    except Error as error:
        # A popup may close itself at once; the page in use then falls back to its opener.
        session.raise_if_lost(error)


def check_events(act: Act, expect: Expect, before: Before) -> None:
    session = act.session
    if expect.download and session.wait_for_download(before.downloads, timeout_ms=act.left_ms) is None:
        raise StepFailure("verify_failed", "no file arrived")
    if expect.dialog is not None and not comes_true(session, lambda: was_answered(act, before), act.timeout_ms):
        raise StepFailure("dialog", f"expected that {dialog_words(expect.dialog)}, but none came")


def was_answered(act: Act, before: Before) -> bool:
    return any(seen.allowed for seen in act.session.dialogs.log[before.dialogs :])


def check_page(act: Act, expect: Expect) -> None:
    """Each part has the step's whole time."""
    session, look = act.session, act.look()
    if expect.url is not None:
        wanted = expect.url
        if not comes_true(session, lambda: matches_glob(session.page.url, wanted), act.timeout_ms, look):
            raise StepFailure("verify_failed", f"the address is {session.page.url}, not like {wanted}")
    if expect.appears is not None:
        appearing = expect.appears
        if not comes_true(session, lambda: exists(session, appearing, look), act.timeout_ms, look):
            raise StepFailure("verify_failed", f"{target_words(appearing)} did not appear")
    if expect.disappears is not None:
        leaving = expect.disappears
        if not comes_true(session, lambda: not exists(session, leaving, look), act.timeout_ms, look):
            raise StepFailure("verify_failed", f"{target_words(leaving)} did not go away")
    if expect.condition is not None:
        wait_until(session, expect.condition, act.timeout_ms, look=look)


def report_dialogs(act: Act, before: Before) -> None:
    if VOCABULARY[act.step.op].nests:
        return
    refused = [seen for seen in act.session.dialogs.log[before.dialogs :] if not seen.allowed]
    asked = next((seen for seen in refused if seen.type in QUESTIONS), None)
    if asked is not None and act.scene.may_write(act.step) and not act.scene.is_old:
        # The page did not do what was asked of it: to go on would be to report a success that was none.
        words = f"the page asked “{asked.message[:120]}” ({asked.type}) and no step answers it, so it was dismissed"
        raise StepFailure("dialog", words)
    for seen in refused[:MAX_TOLD]:
        act.note(f"a {seen.type} “{seen.message[:120]}” was dismissed: no step allows it")
    if len(refused) > MAX_TOLD:
        act.note(f"{len(refused) - MAX_TOLD} more dialogs were dismissed")
