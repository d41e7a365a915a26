"""Dates typed into text fields: masked, framework-controlled or plain."""

from __future__ import annotations

import re
from collections.abc import Iterator

from recipes_app.browser.api import Error
from recipes_app.engine.act import Act
from recipes_app.engine.dating.controls import DateControl, DateField
from recipes_app.engine.dating.formats import formats_for, render, with_time
from recipes_app.engine.dating.when import TO, When, says_date
from recipes_app.engine.fields import fill, read_field, read_value, shown, type_keys

NUMBERS = re.compile(r"\d+")
BETWEEN = re.compile(rf"[ymdtjgar\d]\s+({TO})\s+[ymdtjgar\d]", re.IGNORECASE)
INVALID = "(e) => e.matches(':invalid') || e.getAttribute('aria-invalid') === 'true'"


def type_date(act: Act, control: DateControl, field: DateField, whens: list[When]) -> bool:
    """Tries the formats the field may want, by filling and by real keys; whether one was kept."""
    act.send()
    for number, text in enumerate(texts_for(control, field, whens)):
        if number and act.is_over:
            return False
        for write, leave in ((by_filling, tab), (by_keys, tab), (by_digits, tab), (by_keys, enter)):
            write(act, field, text)
            leave(act, field)
            if keeps(act, control, field, text, whens):
                return True
    return False


def texts_for(control: DateControl, field: DateField, whens: list[When]) -> Iterator[str]:
    if whens[0].year is None:
        yield f"{whens[0].hour:02}:{whens[0].minute:02}"
        return
    between = next((f" {match[1]} " for hint in field.hints if (match := BETWEEN.search(hint))), " - ")
    for form in formats_for(field.hints, control.local):
        yield between.join(render(with_time(form, when), when) for when in whens)


def by_filling(act: Act, field: DateField, text: str) -> None:
    fill(act, read_field(field.node, act), text)


def by_keys(act: Act, field: DateField, text: str) -> None:
    type_keys(act, read_field(field.node, act), text)


def by_digits(act: Act, field: DateField, text: str) -> None:
    """Masks that set the separators themselves."""
    type_keys(act, read_field(field.node, act), "".join(NUMBERS.findall(text)))


def tab(act: Act, field: DateField) -> None:
    """Many fields take a date, or take it back, when they lose the focus."""
    field.node.press("Tab", timeout=act.left_ms, no_wait_after=True)


def enter(act: Act, field: DateField) -> None:
    """Some take it with Enter only; in a form that could send it off."""
    if not field.node.evaluate("(e) => Boolean(e.form)", timeout=act.left_ms):
        field.node.press("Enter", timeout=act.left_ms, no_wait_after=True)
    tab(act, field)


def keeps(act: Act, control: DateControl, field: DateField, text: str, whens: list[When]) -> bool:
    try:
        held = read_value(field.node, settle=True)
        is_invalid = bool(field.node.evaluate(INVALID, timeout=1000))
    except Error as error:
        act.session.raise_if_lost(error)
        act.note(f"{act.words} was redrawn after typing, so its date could not be read back")
        return True
    if is_invalid or not held:
        return False
    return numbers(held) == numbers(text) or all(
        says_date(part, when, control.lang) for part, when in zip(parts_of(held, len(whens)), whens, strict=True)
    )


def numbers(text: str) -> list[int]:
    return [int(number) for number in NUMBERS.findall(text)]


def parts_of(held: str, count: int) -> list[str]:
    parts = re.split(rf"\s+{TO}\s+", held)
    return parts if len(parts) == count else [held] * count


def not_kept(act: Act, field: DateField, whens: list[When]) -> Exception:
    held = read_value(field.node)
    wanted = " to ".join(when.text for when in whens)
    return act.fail("value_not_kept", f"{act.words} holds {shown(act, held)} instead of {shown(act, wanted)}")
