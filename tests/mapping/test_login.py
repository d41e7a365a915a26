"""How one sees that one is signed in, and signing in by hand."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from examples.practice.server import PracticeSite
from recipes_app.browser.session import BrowserSession, ContextOptions
from recipes_app.browser.states import SavedState
from recipes_app.browser.thread import BrowserThread, Desk
from recipes_app.engine.document import parse_recipe
from recipes_app.engine.probing import is_signed_in
from recipes_app.mapping.login import (
    LoggedIn,
    LoginFailed,
    Open,
    Signs,
    difference,
    holds,
    sign_in,
    sign_in_by_hand,
)
from recipes_app.mapping.traces import Trace, Traces
from tests.conftest import loopback_policy

URL = "https://shop.test/account"


def signs(url: str = URL, *texts: str, leaving: tuple[str, ...] = (), asks: bool = False) -> Signs:
    pieces = tuple(Trace(0, "line", text, "main", "", (), False, "p") for text in texts)
    return Signs(url, leaving, Traces(url, pieces, ()), asks)


def test_what_a_fresh_browser_shows_as_well_says_nothing() -> None:
    here = signs(URL, "Hello anna", leaving=("Log out",))
    assert difference(URL, here, here, "anna") == {"url": URL}
    fresh = signs("https://shop.test/login", "Hello", leaving=(), asks=True)
    probe = difference(URL, here, fresh, "Anna")
    assert probe == {"url": URL, "signs_out": "Log out", "account": "Anna", "stays": True, "asks_nothing": True}
    assert holds(here, probe)
    assert not holds(fresh, probe)
    assert not holds(signs(URL, "Hello ben", leaving=("Log out",)), probe)


def opener(desk: Desk, url: str) -> Open:
    @contextmanager
    def opened(state: SavedState | None) -> Iterator[BrowserSession]:
        with desk.session(ContextOptions(policy=loopback_policy(url), state=state)) as session:
            yield session

    return opened


def test_a_person_signs_in_by_hand_and_says_when_it_is_done(browser: BrowserThread, practice: PracticeSite) -> None:
    rounds: list[int] = []

    def person(session: BrowserSession) -> bool:
        rounds.append(1)
        if len(rounds) == 1:
            session.page.get_by_label("Username").fill("ben")
            session.page.get_by_label("Password").fill("secret-ben")
        elif len(rounds) == 2:
            session.page.get_by_role("button", name="Sign in").click()
            session.page.get_by_role("heading", name="Your account").wait_for()
        return len(rounds) == 3

    def work(desk: Desk) -> tuple[LoggedIn, bool, bool]:
        opens = opener(desk, practice.url)
        found = sign_in_by_hand(f"{practice.url}/login", "ben", is_done=person, open_session=opens, emit=desk.emit)
        with opens(found.state) as session:
            before = is_signed_in(session, found.probe)
        practice.state.sessions.clear()
        with opens(found.state) as session:
            return found, before, is_signed_in(session, found.probe)

    found, before, after = browser.call(work)
    assert found.probe["account"] == "ben"
    assert (before, after) == (True, False)
    assert "sid" not in repr(found)


def test_a_form_that_changes_nothing_signs_nobody_in(browser: BrowserThread, practice: PracticeSite) -> None:
    steps = [{"op": "goto", "url": f"{practice.url}/products"}]
    recipe = parse_recipe({"name": "log_in", "parameters": {"type": "object"}, "side_effect": "write", "steps": steps})

    def work(desk: Desk) -> LoggedIn:
        return sign_in(recipe, {}, "anna", open_session=opener(desk, practice.url), emit=desk.emit)

    with pytest.raises(LoginFailed, match="looks the same in a fresh browser"):
        browser.call(work)
