"""One text of a page as a value of one of the types of extraction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin

from recipes_app.engine.naming import normalise
from recipes_app.engine.values.dates import parse_date, parse_datetime
from recipes_app.engine.values.numbers import parse_money, parse_number
from recipes_app.engine.values.states import HAD, NOT_HAD

TRUE_WORDS = {"true", "yes", "on", "1", "checked", "✓", "✔", "ja", "oui", "sí", "si", "sim"}
FALSE_WORDS = {"false", "no", "off", "0", "unchecked", "✗", "✘", "nein", "non", "não", "-", "\u2013"}


@dataclass(frozen=True, slots=True)
class Read:
    """What was read: the text, the element's language, and what relative addresses refer to."""

    text: str | None
    lang: str = ""
    base: str = ""


def typed(read: Read, kind: str, locale: str | None) -> Any:
    """None where nothing was there. ValueError says in plain words why a text is no such value."""
    if read.text is None:
        return None
    if kind == "string":
        return read.text.strip()
    if not normalise(read.text):
        return None
    return CONVERTERS[kind](read, (read.lang or None) if locale == "@lang" else locale)


def to_integer(read: Read, locale: str | None) -> int:
    number = parse_number(read.text or "", locale)
    if number != number.to_integral_value():
        raise ValueError(f"“{read.text}” is no whole number")
    return int(number)


def to_number(read: Read, locale: str | None) -> int | float:
    number = parse_number(read.text or "", locale)
    return int(number) if number == number.to_integral_value() else float(number)


def to_boolean(read: Read, _locale: str | None) -> bool:
    word = normalise(read.text or "").lower()
    if word in TRUE_WORDS or word in FALSE_WORDS:
        return word in TRUE_WORDS
    if word.startswith((*HAD, *NOT_HAD)):
        return word.startswith(HAD)
    raise ValueError(f"“{word[:60]}” is neither true nor false")


CONVERTERS: dict[str, Callable[[Read, str | None], Any]] = {
    "integer": to_integer,
    "number": to_number,
    "boolean": to_boolean,
    "date": lambda read, locale: parse_date(read.text or "", locale).isoformat(),
    "datetime": lambda read, locale: parse_datetime(read.text or "", locale).isoformat(),
    "money": lambda read, locale: parse_money(read.text or "", locale),
    "url": lambda read, _locale: urljoin(read.base, (read.text or "").strip()),
}
