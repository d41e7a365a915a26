"""Extracted values against the types their task asks for: made to fit where nothing is guessed, else called wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from evidence_app.spec.shapes import FieldSpec
from recipes_app.engine.patterns import BadPattern, read_pattern
from recipes_app.engine.values.dates import Ambiguous, parse_date, parse_datetime
from recipes_app.engine.values.numbers import parse_number
from recipes_app.engine.values.typed import FALSE_WORDS, TRUE_WORDS

MAX_PROBLEM = 200


@dataclass(frozen=True, slots=True)
class Checked:
    """`value` as it is kept; `problem` is empty where it is of its type."""

    value: Any
    problem: str = ""


def check_value(value: Any, field: FieldSpec) -> Checked:
    """A value that is not of its type is kept as it came, with what is wrong about it."""
    if value is None:
        return Checked(None, "" if field.nullable else "is null")
    fitted = FITTING.get(field.type, _any)(value, field)
    if fitted.problem or not field.pattern:
        return fitted
    return _matching(fitted, field.pattern)


def is_empty(value: Any) -> bool:
    """Nothing that could be evidence: null, a blank text, an empty list or object. Zero and false are values."""
    return (
        value is None
        or (isinstance(value, str) and not value.strip())
        or (isinstance(value, list | dict) and not value)
    )


def leaves(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Every scalar inside with its path: "rows[2].title"."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from leaves(inner, f"{path}.{name}" if path else str(name))
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from leaves(inner, f"{path}[{at}]")
    else:
        yield path, value


def _any(value: Any, _field: FieldSpec) -> Checked:
    return Checked(value)


def _text(value: Any, _field: FieldSpec) -> Checked:
    if isinstance(value, str):
        return Checked(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return Checked(str(value))
    return _wrong(value, "a text")


def _whole(value: Any, _field: FieldSpec) -> Checked:
    number = _number_in(value)
    if number is None or number != int(number):
        return _wrong(value, "a whole number")
    return Checked(int(number))


def _number(value: Any, _field: FieldSpec) -> Checked:
    number = _number_in(value)
    return _wrong(value, "a number") if number is None else Checked(int(number) if number == int(number) else number)


def _number_in(value: Any) -> float | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return value
    if not isinstance(value, str):
        return None
    try:
        return float(parse_number(value, None))
    except ValueError:
        return None


def _boolean(value: Any, _field: FieldSpec) -> Checked:
    if isinstance(value, bool):
        return Checked(value)
    word = value.strip().lower() if isinstance(value, str) else ""
    return Checked(word in TRUE_WORDS) if word in TRUE_WORDS or word in FALSE_WORDS else _wrong(value, "true or false")


def _date(value: Any, _field: FieldSpec) -> Checked:
    try:
        return Checked(parse_date(value, None).isoformat()) if isinstance(value, str) else _wrong(value, "a date")
    except Ambiguous:
        return Checked(value, "day and month could be either; write it as YYYY-MM-DD")
    except ValueError:
        return _wrong(value, "a date")


def _datetime(value: Any, _field: FieldSpec) -> Checked:
    try:
        return Checked(parse_datetime(value, None).isoformat()) if isinstance(value, str) else _wrong(value, "a time")
    except Ambiguous:
        return Checked(value, "day and month could be either; write it as YYYY-MM-DDTHH:MM")
    except ValueError:
        return _wrong(value, "a date with a time")


def _url(value: Any, _field: FieldSpec) -> Checked:
    parts = urlsplit(value.strip()) if isinstance(value, str) else None
    if parts is None or parts.scheme not in ("http", "https") or not parts.hostname:
        return _wrong(value, "a whole http(s) address")
    return Checked(value.strip())


def _choice(value: Any, field: FieldSpec) -> Checked:
    folded = {choice.strip().lower(): choice for choice in field.choices}
    choice = folded.get(value.strip().lower()) if isinstance(value, str) else None
    return Checked(choice) if choice is not None else _wrong(value, "one of " + ", ".join(field.choices))


def _list(value: Any, field: FieldSpec) -> Checked:
    if not isinstance(value, list):
        return _wrong(value, "a list")
    if field.items is None:
        return Checked(value)
    checked = [check_value(item, field.items) for item in value]
    problem = next((f"[{at}] {each.problem}" for at, each in enumerate(checked) if each.problem), "")
    return Checked([each.value for each in checked], problem)


def _object(value: Any, field: FieldSpec) -> Checked:
    if not isinstance(value, dict):
        return _wrong(value, "an object")
    checked = {each.name: check_value(value.get(each.name), each) for each in field.fields}
    problem = next((f"{name} {each.problem}" for name, each in checked.items() if each.problem), "")
    return Checked({**value, **{name: each.value for name, each in checked.items()}}, problem)


def _matching(checked: Checked, pattern: str) -> Checked:
    try:
        fits = read_pattern(pattern).found_in(str(checked.value))
    except BadPattern as error:
        return Checked(checked.value, str(error))
    return checked if fits else Checked(checked.value, f"does not match {pattern}")


def _wrong(value: Any, wanted: str) -> Checked:
    return Checked(value, f"is not {wanted}"[:MAX_PROBLEM])


FITTING = {
    "str": _text, "int": _whole, "float": _number, "bool": _boolean, "date": _date, "datetime": _datetime,
    "url": _url, "enum": _choice, "list": _list, "object": _object, "any": _any,
}  # fmt: skip
