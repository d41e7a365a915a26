"""Signing in to a site, and how one sees afterwards that it worked.

What counts is what a signed-in browser shows and a fresh one does not: a control that signs out, the account's name,
a page that is not sent away, no password asked for. It is proven three times: after signing in, false in a fresh
browser, true again in one that begins with the saved state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, TypedDict

from recipes_app.browser.api import Error
from recipes_app.browser.page import settle
from recipes_app.browser.session import BrowserSession
from recipes_app.browser.states import SavedState
from recipes_app.engine.document import Recipe
from recipes_app.engine.events import Event, Progress
from recipes_app.engine.parameters import MASK, secret_values
from recipes_app.engine.probing import CONTROLS, asks_password, place
from recipes_app.engine.runner import RunOptions, run
from recipes_app.mapping.errors import MappingError
from recipes_app.mapping.risks import LEAVING, phrase_in
from recipes_app.mapping.traces import Traces, errors, look

LOOK_EVERY_MS = 200
UNCHANGED = "nothing on the page shows that one is signed in: it looks the same in a fresh browser"

Open = Callable[[SavedState | None], AbstractContextManager[BrowserSession]]


class LoginFailed(MappingError):
    """One line for a person, without what was typed."""


class Probe(TypedDict, total=False):
    """At `url` all of what is named here holds while one is signed in."""

    url: str
    signs_out: str  # what a control says
    account: str  # the name is on the page
    stays: bool  # one is not sent to another page
    asks_nothing: bool  # no password is asked for


@dataclass(frozen=True, slots=True)
class LoggedIn:
    state: SavedState = field(repr=False)
    probe: Probe


@dataclass(frozen=True, slots=True)
class Signs:
    """What a page shows of being signed in."""

    url: str
    leaving: tuple[str, ...]
    traces: Traces
    asks_password: bool

    def names(self, account: str) -> bool:
        wanted = account.casefold()
        return any(wanted in text.casefold() for text in self.traces.texts)


def sign_in(
    recipe: Recipe, values: Mapping[str, Any], account: str, *, open_session: Open, emit: Callable[[Event], None]
) -> LoggedIn:
    """Do the steps once. LoginFailed with the site's own words where it has any."""
    with open_session(None) as session:
        emit(Progress("login", 0, 3, "Signing in"))
        outcome = run(recipe, values, session, emit=emit, options=RunOptions(picture_on_failure=False))
        if not outcome.ok:
            raise LoginFailed(str((outcome.error or {}).get("error", "the steps did not work")))
        after, state = _after(session)
    try:
        return _proven(after, account, state, open_session, emit)
    except LoginFailed as error:
        raise LoginFailed(_without(str(error), recipe, values)) from None


def sign_in_by_hand(
    url: str,
    account: str,
    *,
    is_done: Callable[[BrowserSession], bool],
    open_session: Open,
    emit: Callable[[Event], None],
) -> LoggedIn:
    """A person signs in by whatever the site wants, and says when that is done."""
    with open_session(None) as session:
        session.goto(url, status_any=True)
        while not is_done(session):
            session.page.wait_for_timeout(LOOK_EVERY_MS)
        after, state = _after(session)
    return _proven(after, account, state, open_session, emit)


def sign_in_by_state(
    url: str, account: str, state: SavedState, *, open_session: Open, emit: Callable[[Event], None]
) -> LoggedIn:
    """A state that another browser was left with: it has to show something that a fresh one does not."""
    with open_session(state) as session:
        after = _at(session, url)
    return _proven(after, account, state, open_session, emit)


def is_asked(session: BrowserSession, probe: Probe) -> bool:
    """Whether the page as it stands asks to sign in: a password is wanted, and nothing says that one is in. Cheap where
    no password is wanted."""
    try:
        if not asks_password(session):
            return False
    except Error as error:
        session.raise_if_lost(error)
        return False
    signs = _signs(session)
    return signs.asks_password and not _shows(signs, probe)


def is_still_in(session: BrowserSession, probe: Probe) -> bool:
    """By the page as it stands, wherever that is."""
    signs = _signs(session)
    if "signs_out" in probe or "account" in probe:
        return _shows(signs, probe)
    return not signs.asks_password


def _shows(signs: Signs, probe: Probe) -> bool:
    """A control that signs out, or the account's name."""
    if "signs_out" in probe and probe["signs_out"] in signs.leaving:
        return True
    return "account" in probe and signs.names(probe["account"])


def holds(signs: Signs, probe: Probe) -> bool:
    return all(
        (
            "signs_out" not in probe or probe["signs_out"] in signs.leaving,
            "account" not in probe or signs.names(probe["account"]),
            "stays" not in probe or place(signs.url) == place(probe["url"]),
            "asks_nothing" not in probe or not signs.asks_password,
        )
    )


def difference(url: str, signed_in: Signs, fresh: Signs, account: str) -> Probe:
    """What the one shows and the other does not; only `url` where they look the same."""
    probe: Probe = {"url": url}
    only_here = [each for each in signed_in.leaving if each not in fresh.leaving]
    if only_here:
        probe["signs_out"] = only_here[0]
    if account and signed_in.names(account) and not fresh.names(account):
        probe["account"] = account
    if place(signed_in.url) == place(url) != place(fresh.url):
        probe["stays"] = True
    if fresh.asks_password and not signed_in.asks_password:
        probe["asks_nothing"] = True
    return probe


def _proven(
    after: Signs, account: str, state: SavedState, open_session: Open, emit: Callable[[Event], None]
) -> LoggedIn:
    emit(Progress("login", 1, 3, "Looking at the same page in a fresh browser"))
    with open_session(None) as session:
        fresh = _at(session, after.url)
    emit(Progress("login", 2, 3, "Looking at it with the saved session"))
    with open_session(state) as session:
        again = _at(session, after.url)
    probe = difference(after.url, again, fresh, account)
    if probe.keys() == {"url"}:
        said = "; ".join(errors(fresh.traces, after.traces)[:2])
        raise LoginFailed(f"the site says “{said.rstrip('.')}”" if said else UNCHANGED)
    return LoggedIn(state, probe)


def _without(said: str, recipe: Recipe, values: Mapping[str, Any]) -> str:
    """A page may repeat what was typed."""
    for secret in secret_values(recipe.parameters, values):
        said = said.replace(secret, MASK)
    return said


def _after(session: BrowserSession) -> tuple[Signs, SavedState]:
    settle(session.page)
    return _signs(session), session.state()


def _at(session: BrowserSession, url: str) -> Signs:
    session.goto(url, status_any=True)
    settle(session.page)
    return _signs(session)


def _signs(session: BrowserSession) -> Signs:
    page = session.page
    try:
        controls = [str(each) for each in page.evaluate(CONTROLS)]
        asks = asks_password(session)
    except Error as error:
        session.raise_if_lost(error)
        raise LoginFailed("the page was replaced while it was looked at: try again") from error
    leaving = tuple(text for text in controls if phrase_in(text, LEAVING))
    return Signs(page.url, leaving, look(page), asks)
