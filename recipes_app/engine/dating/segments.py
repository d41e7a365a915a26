"""Dates set part by part: three inputs, three lists, or spin buttons of one custom field."""

from __future__ import annotations

from collections.abc import Sequence

from recipes_app.engine.act import Act
from recipes_app.engine.dating.controls import DateControl, DateField
from recipes_app.engine.dating.when import When
from recipes_app.engine.fields import MAX_KEYS, number_of, put, read_field, read_value, shown
from recipes_app.engine.values.dates import month_number

ORDER = ("year", "month", "day", "hour", "minute", "second", "ampm")
NUMBER = "(e) => e.getAttribute('aria-valuenow') || (e.getAttribute('aria-valuetext') || e.innerText || '').trim()"


def set_parts(act: Act, control: DateControl, whens: list[When]) -> None:
    """The fields of one date, or of two dates one behind the other."""
    size = len(control.fields) // len(whens)
    for number, when in enumerate(whens):
        fields = control.fields[number * size : (number + 1) * size]
        set_one(act, fields, when)


def set_one(act: Act, fields: Sequence[DateField], when: When) -> None:
    """The year first: a day may only be offered in some months and years."""
    present = {field.unit for field in fields}
    unknown = [unit for unit in ORDER[:4] if when.part(unit) is not None and unit not in present]
    if unknown:
        raise act.fail("drifted", f"{act.words} has no part for the {', '.join(unknown)}")
    numbers = [(field, number_for(field, when, has_halves="ampm" in present)) for field in fields]
    wanted = [(field, number) for field, number in numbers if number is not None]
    act.send()
    for field, number in sorted(wanted, key=lambda pair: ORDER.index(pair[0].unit)):
        set_part(act, field, number)
    for field, number in wanted:
        if shown_number(field) != number:
            held = read_value(field.node)
            raise act.fail("value_not_kept", f"the {field.unit} of {act.words} shows {shown(act, held)}, not {number}")


def number_for(field: DateField, when: When, *, has_halves: bool) -> int | None:
    if field.unit == "ampm":
        return None if when.hour is None else int(when.hour >= 12)
    number = when.part(field.unit) if field.unit else None
    if number is not None and field.unit == "hour" and has_halves:
        return (number - 1) % 12 + 1
    return number


def set_part(act: Act, field: DateField, number: int) -> None:
    if field.tag == "select":
        field.node.select_option(index=option_for(act, field, number), timeout=act.left_ms)
    elif field.tag == "input":
        put(act, read_field(field.node, act), padded(field, number))
    else:
        spin(act, field, number)


def padded(field: DateField, number: int) -> str:
    if field.unit == "ampm":
        return "PM" if number else "AM"
    width = 1 if field.type == "number" or field.width == 1 else 2
    return f"{number:04}" if field.unit == "year" else f"{number:0{width}}"


def option_for(act: Act, field: DateField, number: int) -> int:
    """By what is shown; values may count months from 0."""
    for option in field.options:
        if number_shown(field, str(option["label"])) == number:
            return int(option["index"])
    offered = [str(option["label"]) for option in field.options]
    raise act.fail(
        "option_not_offered",
        f"the {field.unit} {number} is not offered; there are: {', '.join(offered[:40])}",
        offered[:40],
    )


def number_shown(field: DateField, text: str) -> int | None:
    if field.unit == "ampm":
        return {"a": 0, "p": 1}.get(text.strip()[:1].lower())
    number = number_of(text)
    if number is not None:
        return int(number)
    if field.unit != "month" or not text:
        return None
    try:
        return month_number(text.rstrip("."), None)
    except ValueError:
        return None


def spin(act: Act, field: DateField, number: int) -> None:
    """Typed first, as people do; what does not take digits takes arrow keys."""
    keyboard = act.page.keyboard
    field.node.focus(timeout=act.left_ms)
    keyboard.type(padded(field, number)[:1].lower() if field.unit == "ampm" else padded(field, number))
    for _ in range(MAX_KEYS):
        now = shown_number(field)
        if now == number:
            return
        field.node.press("ArrowUp" if now is None or now < number else "ArrowDown", timeout=act.left_ms)
        if shown_number(field) == now:
            return


def shown_number(field: DateField) -> int | None:
    if field.tag == "select":
        return number_shown(field, str(field.node.evaluate("(e) => e.selectedOptions[0]?.text || ''", timeout=1000)))
    if field.tag == "input":
        return number_shown(field, read_value(field.node, settle=True))
    return number_shown(field, str(field.node.evaluate(NUMBER, timeout=1000)))
