"""The date or time that a step sets, from ISO or from an unambiguous spelling."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from recipes_app.engine.errors import StepFailure
from recipes_app.engine.isodates import as_iso
from recipes_app.engine.naming import normalise
from recipes_app.engine.values.dates import Ambiguous, parse_date

# What stands between the two ends of a range: a hyphen, a dash of either length, a word.
TO = r"(?:-|\u2013|\u2014|~|to|bis)"
RANGE = re.compile(rf"\s*(\d{{4}}-\d\d(?:-\d\d)?(?:[T ][\d:]+)?)\s*(?:/|\.\.|\s{TO}\s)\s*(\d{{4}}-\d\d\S*)\s*")
ISO = re.compile(r"(\d{4})-(\d\d)(?:-(\d\d))?(?:[T ](\d\d):(\d\d)(?::(\d\d))?)?")
CLOCK = re.compile(r"(\d\d?):(\d\d)(?::(\d\d))?")
NUMBERS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class When:
    """`text` is as it was given; parts that were not given are None."""

    text: str
    year: int | None = None
    month: int | None = None
    day: int | None = None
    hour: int | None = None
    minute: int | None = None
    second: int | None = None

    @property
    def date(self) -> date | None:
        if self.year is None or self.month is None or self.day is None:
            return None
        return date(self.year, self.month, self.day)

    def part(self, unit: str) -> int | None:
        value: int | None = getattr(self, unit)
        return value


def split_range(text: str) -> tuple[str, ...]:
    """One value, or the two ends of a range such as 2026-02-03/2026-02-10."""
    match = RANGE.fullmatch(text)
    return match.groups() if match else (text.strip(),)


def parse_when(text: str) -> When:
    """StepFailure: value_not_kept, where it is no date or could be two."""
    if match := CLOCK.fullmatch(text):
        return When(text, hour=int(match[1]), minute=int(match[2]), second=as_number(match[3]))
    iso = text if re.match(r"\d{4}-\d\d(?!\d)", text) else as_iso(text, "date")
    match = ISO.match(iso)
    if match is None:
        raise StepFailure("value_not_kept", f"“{text}” is no date; give it as 2026-02-03")
    numbers = [as_number(part) for part in match.groups()]
    when = When(text, *numbers)
    try:
        date(when.year or 1, when.month or 1, when.day or 1)
    except ValueError as error:
        raise StepFailure("value_not_kept", f"“{text}” is no date: {error}") from None
    return when


def as_number(text: str | None) -> int | None:
    return None if text is None else int(text)


def says_date(text: str, when: When, lang: str | None) -> bool:
    """Whether this text names the date, as far as it can be told: day and month may stand in either order."""
    plain = normalise(text)
    if not plain or when.date is None:
        return False
    try:
        return parse_date(plain, lang or None) == when.date
    except Ambiguous:
        shown = {int(number) % 100 for number in NUMBERS.findall(plain)}
        return {when.date.day, when.date.month, when.date.year % 100} <= shown
    except ValueError:
        return False
