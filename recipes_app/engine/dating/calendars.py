"""Calendars: grids of days that are turned month by month and clicked."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from time import monotonic
from typing import Any

from recipes_app.browser.api import ElementHandle, Error, Frame, JSHandle
from recipes_app.engine.act import Act
from recipes_app.engine.conditions import comes_true
from recipes_app.engine.dating.when import TO
from recipes_app.engine.finding.outcome import Found
from recipes_app.engine.scripts import script

OPENS_MS = 2000
TURNS_MS = 1500
MAX_TURNS = 600
MAX_SECONDS = 60
FACTS = """(s) => ({ months: s.months, has_day: Boolean(s.day), is_disabled: s.disabled, is_selected: s.selected,
  unit: s.unit, years: [s.unit_from, s.unit_to] })"""


@dataclass(frozen=True, slots=True)
class Shown:
    """What the calendar shows: its months as year * 12 + month - 1, and the day wanted if it is among them.

    Where it shows no days but years or months to choose from: `unit` is "year" or "month", `years` the first and the
    last year it offers, of a page of months the year above it (0 where none stands there).
    """

    handle: JSHandle
    months: tuple[int, ...]
    has_day: bool
    is_disabled: bool
    is_selected: bool
    unit: str = ""
    years: tuple[int, int] = (0, 0)

    def part(self, name: str) -> ElementHandle | None:
        return self.handle.get_property(name).as_element()

    @property
    def page(self) -> tuple[tuple[int, ...], str, tuple[int, int]]:
        """What is another one once the calendar has been turned."""
        return self.months, self.unit, self.years


@dataclass(slots=True)
class Calendar:
    """`root`: an element around it, or None for the whole frame; grids in `known` were there before it opened."""

    act: Act
    frame: Frame
    root: JSHandle | None = None
    known: JSHandle | None = None

    def look(self, day: date) -> Shown:
        given = {"year": day.year, "month": day.month, "day": day.day, "root": self.root, "known": self.known}
        handle = self.frame.evaluate_handle(script("calendar.js"), given)
        facts: dict[str, Any] = handle.evaluate(FACTS)
        return Shown(handle, **{**facts, "months": tuple(facts["months"]), "years": tuple(facts["years"])})

    def is_open(self) -> bool:
        shown = self.look(date(2000, 1, 1))
        return bool(shown.months or shown.unit)

    def has_selected(self, day: date) -> bool:
        return self.look(day).is_selected

    def pick(self, day: date) -> None:
        """StepFailure: missing, option_not_offered."""
        started = monotonic()
        for _ in range(MAX_TURNS):
            shown = self.look(day)
            if not (shown.months or shown.unit):
                raise self.act.fail("missing", f"{self.act.words} shows no calendar")
            if shown.has_day:
                self.press_day(shown, day)
                return
            if monotonic() - started > MAX_SECONDS:
                break
            self.turn(shown, day)
        raise self.act.fail("option_not_offered", f"{day} was not reached in the calendar of {self.act.words}")

    def press_day(self, shown: Shown, day: date) -> None:
        if shown.is_disabled:
            raise self.act.fail("option_not_offered", f"{self.act.words} does not let {day} be chosen")
        self.press(shown.part("day"))

    def press(self, node: ElementHandle | None) -> None:
        if node is None:
            raise self.act.fail("drifted", f"the calendar of {self.act.words} has no button to turn it")
        node.click(timeout=self.act.left_ms + TURNS_MS, no_wait_after=True)

    def turn(self, shown: Shown, day: date) -> None:
        if self.jump(shown, day):
            return
        button = shown.part("unit_node") if is_on_page(shown, day) else None
        if button is not None and shown.handle.get_property("unit_disabled").json_value():
            raise self.act.fail("option_not_offered", f"{self.act.words} does not let {day} be chosen")
        self.press(button or self.turner(shown, day))
        if not comes_true(self.act.session, lambda: self.look(day).page != shown.page, TURNS_MS):
            raise self.act.fail("option_not_offered", f"the calendar of {self.act.words} does not go to {day:%Y-%m}")

    def turner(self, shown: Shown, day: date) -> ElementHandle | None:
        wanted, last = (day.year, shown.years[1]) if shown.unit else (day.year * 12 + day.month - 1, shown.months[-1])
        name = "next" if wanted > last else "previous"
        if shown.handle.get_property(f"{name}_disabled").json_value():
            raise self.act.fail("option_not_offered", f"the calendar of {self.act.words} does not go to {day:%Y-%m}")
        return shown.part(name)

    def jump(self, shown: Shown, day: date) -> bool:
        """By its lists of years and months, if it has any that offer the month wanted."""
        changed = False
        for unit in ("years", "months_list"):
            index = shown.handle.get_property(f"{unit}_index").json_value()
            chooser = shown.part(unit)
            if chooser is None or index is None or index < 0:
                continue
            chooser.select_option(index=int(index), timeout=self.act.left_ms)
            changed = True
            shown = self.look(day)
        return changed

    def confirm(self, day: date) -> bool:
        """Some calendars take a day only with a button of their own."""
        button = self.look(day).part("confirm")
        if button is None:
            return False
        self.press(button)
        return True


def is_on_page(shown: Shown, day: date) -> bool:
    """Whether the years or months shown are those to choose from; a page of months may not say its year."""
    first, last = shown.years
    return bool(shown.unit) and (not first or first <= day.year <= last)


def open_calendar(act: Act, control: Found) -> Calendar:
    """Clicks what opens it. Grids that were there before count only if no other comes."""
    opener = opener_in(control)
    known = opener.frame.evaluate_handle(script("calendar.js"), {"list": True})
    calendar = Calendar(act, opener.frame, known=known)
    act.reach(opener)
    act.send()
    opener.locator.click(timeout=act.left_ms, no_wait_after=True)
    if not comes_true(act.session, calendar.is_open, min(OPENS_MS, act.left_ms)):
        raise act.fail("missing", f"{act.words} opened no calendar")
    return calendar


def opener_in(control: Found) -> Found:
    """The control itself; of a group the one button in it, else its one field."""
    if control.locator.evaluate("(e) => e.matches('input, button, a, [role=button], [role=combobox]')"):
        return control
    for inside in ("css=button, [role=button]", "css=input:not([type=hidden])"):
        found = control.locator.locator(inside).filter(visible=True)
        if found.count() == 1:
            return Found(found, control.matched, control.frame)
    return control


def is_inside_dialog(found: Found) -> bool:
    return bool(found.locator.evaluate("(e) => Boolean(e.closest('dialog, [role=dialog], [aria-modal=true]'))"))


def shut(act: Act, calendar: Calendar, opener: Found) -> None:
    """An open calendar would lie over what comes next. Escape would close a dialog around it too."""
    try:
        if calendar.is_open() and not is_inside_dialog(opener):
            act.page.keyboard.press("Escape")
    except Error as error:
        # It went away, and its document with it.
        act.session.raise_if_lost(error)


def words_of(found: Found) -> str:
    """What an opener shows, with the values of fields inside and beside it."""
    return str(found.locator.evaluate(script("date_words.js"), timeout=1000))


def split_words(text: str, count: int) -> list[str]:
    parts = re.split(rf"\s+{TO}\s+|\n", text)
    return parts if len(parts) >= count else [text] * count
