"""The op set_date: any kind of date control, one value or a range."""

from __future__ import annotations

from datetime import date
from functools import partial

from recipes_app.browser.api import Error
from recipes_app.browser.looking import Wish
from recipes_app.engine.act import Act
from recipes_app.engine.conditions import comes_true
from recipes_app.engine.dating.calendars import Calendar, open_calendar, shut, split_words, words_of
from recipes_app.engine.dating.controls import DateControl, control_of
from recipes_app.engine.dating.segments import set_parts
from recipes_app.engine.dating.texts import not_kept, type_date
from recipes_app.engine.dating.when import When, parse_when, says_date, split_range
from recipes_app.engine.errors import StepFailure
from recipes_app.engine.fields import Field, field_of, labelled, put, read_field
from recipes_app.engine.finding.outcome import Found
from recipes_app.engine.pressing import what_became
from recipes_app.engine.scripts import script
from recipes_app.engine.substitution import as_words

SHOWN_MS = 1500


def set_date(act: Act) -> None:
    texts = split_range(as_words(act.get("value", "")))
    found = act.find(wish=Wish(("field",)))
    if len(texts) == 1 and texts != ("",) and is_native(found):
        set_native(act, field_of(act, found), texts[0])
        return
    found = labelled(act, found)
    if texts == ("",):
        put(act, field_of(act, found), "")
        return
    control = control_of(act, found)
    SETTERS[control.kind](act, found, control, texts)


def set_fields(act: Act, found: Found, control: DateControl, texts: tuple[str, ...]) -> None:
    """Each end of a range in a field of its own, or both in one."""
    fields = control.fields
    if len(fields) > 1 and len(fields) != len(texts):
        raise act.fail("ambiguous", f"{act.words} has {len(fields)} date fields, but {len(texts)} dates are given")
    shares = [[text] for text in texts] if len(fields) == len(texts) else [list(texts)]
    for field, share in zip(fields, shares, strict=True):
        if field.is_native:
            set_native(act, read_field(field.node, act), "/".join(share))
            continue
        whens = [parse_when(text) for text in share]
        if not type_date(act, control, field, whens):
            by_its_calendar(act, found, control, whens, not_kept(act, field, whens), alone=len(fields) == 1)


def is_native(found: Found) -> bool:
    """Whether what was found is itself a field for one date."""
    return bool(found.facts.get("field", {}).get("kind") == "date")


def set_native(act: Act, field: Field, text: str) -> None:
    put(act, field, text)
    invalid = what_became(act, field.found, ("invalid",)).facts.get("invalid") if field.found else None
    if invalid is None:
        invalid = field.node.evaluate(script("invalid.js"), timeout=act.left_ms)
    if invalid:
        act.note(f"{act.words} marks {text} as not valid")


def by_its_calendar(
    act: Act, found: Found, control: DateControl, whens: list[When], failure: Exception, *, alone: bool
) -> None:
    """Some fields take clicks only; the failure of typing stands where there is no calendar either."""
    if not alone or whens[0].date is None:
        raise failure
    try:
        pick(act, found, control, whens)
    except StepFailure as second:
        if second.kind == "option_not_offered":
            raise
        raise failure from second
    except Error as second:
        act.session.raise_if_lost(second)
        raise failure from second


def set_in_parts(act: Act, _found: Found, control: DateControl, texts: tuple[str, ...]) -> None:
    set_parts(act, control, [parse_when(text) for text in texts])


def set_by_opening(act: Act, found: Found, control: DateControl, texts: tuple[str, ...]) -> None:
    pick(act, found, control, [parse_when(text) for text in texts])


def pick(act: Act, opener: Found, control: DateControl, whens: list[When]) -> None:
    calendar = open_calendar(act, opener)
    for when in whens:
        if not calendar.is_open():
            calendar = open_calendar(act, opener)
        pick_day(act, calendar, when)
    if not becomes_shown(act, opener, control, whens):
        calendar.confirm(day_of(act, whens[-1]))
        if not becomes_shown(act, opener, control, whens):
            raise act.fail(
                "value_not_kept",
                f"{act.words} shows “{words_of(opener)[:80]}” instead of {' to '.join(when.text for when in whens)}",
            )
    shut(act, calendar, opener)
    if not shows(opener, control, whens):
        raise act.fail("value_not_kept", f"{act.words} gave its date up again")


def set_in_calendar(act: Act, found: Found, _control: DateControl, texts: tuple[str, ...]) -> None:
    """A calendar that is on the page all the time."""
    root = found.locator.element_handle(timeout=act.left_ms)
    calendar = Calendar(act, found.frame, root=root)
    act.send()
    for text in texts:
        when = parse_when(text)
        pick_day(act, calendar, when)
        day = day_of(act, when)
        if not comes_true(act.session, partial(calendar.has_selected, day), SHOWN_MS):
            act.note(f"{act.words} does not show whether {day} was taken")


def pick_day(act: Act, calendar: Calendar, when: When) -> None:
    calendar.pick(day_of(act, when))


def day_of(act: Act, when: When) -> date:
    if when.date is None or when.hour is not None:
        raise act.fail("drifted", f"{act.words} takes a day of a calendar, not {when.text}")
    return when.date


def becomes_shown(act: Act, opener: Found, control: DateControl, whens: list[When]) -> bool:
    return comes_true(act.session, lambda: shows(opener, control, whens), min(SHOWN_MS, act.left_ms))


def shows(opener: Found, control: DateControl, whens: list[When]) -> bool:
    parts = split_words(words_of(opener), len(whens))
    return all(any(says_date(part, when, control.lang) for part in parts) for when in whens)


SETTERS = {
    "fields": set_fields,
    "parts": set_in_parts,
    "opener": set_by_opening,
    "calendar": set_in_calendar,
}
