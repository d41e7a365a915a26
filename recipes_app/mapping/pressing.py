"""Buttons that only open something, and pressing them while nothing that could change the site leaves the page."""

from __future__ import annotations

from collections.abc import Sequence

from recipes_app.browser.guarding import only_reading
from recipes_app.browser.page import settle
from recipes_app.browser.session import BrowserSession
from recipes_app.engine.document import Recipe, Step
from recipes_app.engine.runner import RunOptions, run
from recipes_app.mapping.facts import ButtonFacts, PageSurvey
from recipes_app.mapping.propose.draft import object_schema
from recipes_app.mapping.propose.targets import button_target
from recipes_app.mapping.risks import phrase_in, words_of
from recipes_app.mapping.survey import survey_page
from recipes_app.mapping.vocabulary import words

OPENS = words("links", "opening")
PRESS_MS = 2000
SETTLE_MS = 1500


def press(button: ButtonFacts) -> Step:
    return Step("click", {"target": button_target(button, ())}, timeout_ms=PRESS_MS)


def settled(session: BrowserSession) -> None:
    settle(session.page, limit_ms=SETTLE_MS)


def carried_out(session: BrowserSession, steps: Sequence[Step]) -> PageSurvey | None:
    """The page as it stands after these steps; None where one of them fails."""
    if not done(session, steps):
        return None
    with only_reading(session):
        settled(session)
        return survey_page(session.page, picture=False)


def done(session: BrowserSession, steps: Sequence[Step]) -> bool:
    with only_reading(session):
        plan = Recipe(name="explore", parameters=object_schema({}), side_effect="read", steps=tuple(steps))
        return run(plan, {}, session, emit=lambda _event: None, options=RunOptions(picture_on_failure=False)).ok


def opens_something(button: ButtonFacts) -> bool:
    """By its markup or its first words, and no word of it does anything."""
    said = words_of(button.name)
    starts = {" ".join(said[:n]) for n in (1, 2)}
    opens = bool(starts & OPENS)
    if "toggle" in said:
        return False
    return button.type != "submit" and not phrase_in(button.name) and (button.opens or opens or button.role == "tab")
