"""Dates as native controls take them (ISO), from ISO or from an unambiguous spelling."""

from __future__ import annotations

import re
from datetime import date, datetime

from recipes_app.engine.errors import StepFailure
from recipes_app.engine.values.dates import Ambiguous, parse_date

ISO_OF_TYPE = {
    "date": re.compile(r"\d{4,6}-\d\d-\d\d"),
    "datetime-local": re.compile(r"\d{4,6}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?"),
    "time": re.compile(r"\d\d:\d\d(:\d\d(\.\d{1,3})?)?"),
    "month": re.compile(r"\d{4,6}-\d\d"),
    "week": re.compile(r"\d{4,6}-W\d\d"),
}


def as_iso(text: str, kind: str) -> str:
    """The value for a native control of this type. StepFailure(value_not_kept) where the text cannot be sure."""
    wanted = ISO_OF_TYPE.get(kind)
    if wanted is None or wanted.fullmatch(text):
        return text
    try:
        return from_words(text.strip(), kind)
    except Ambiguous as error:
        raise StepFailure("value_not_kept", f"{error}; give it as 2026-02-03") from None
    except ValueError:
        raise StepFailure("value_not_kept", f"“{text}” is no value for a {kind} field; give it in ISO form") from None


def from_words(text: str, kind: str) -> str:
    if kind == "time":
        return datetime.fromisoformat(f"2000-01-01T{text}").strftime("%H:%M")
    if kind == "datetime-local":
        moment = datetime.fromisoformat(text.replace(" ", "T", 1))
        return moment.strftime("%Y-%m-%dT%H:%M")
    day = date.fromisoformat(text[:10]) if re.match(r"\d{4}-\d\d-\d\d", text) else parse_date(text, None)
    if kind == "month":
        return day.strftime("%Y-%m")
    if kind == "week":
        year, week, _ = day.isocalendar()
        return f"{year}-W{week:02}"
    return day.isoformat()


ORDERS = (("month", "day", "year"), ("day", "month", "year"), ("year", "month", "day"))


def key_sequences(iso: str, kind: str, order: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Ways to type an ISO value into a native control: each is texts to type and, as `>`, moves to the next part.

    In which order the parts stand is up to the browser's own language, which no page can see; `order` is a guess.
    """
    day, _, clock = (
        iso.partition("T") if kind == "datetime-local" else ("", "", iso) if kind == "time" else (iso, "", "")
    )
    days = [in_parts(parts, kind) for parts in day_parts(day, kind, order)] if day else [()]
    clocks = clock_keys(clock) if clock else [()]
    return [(*first, *((">",) if first and second else ()), *second) for first in days for second in clocks]


def day_parts(day: str, kind: str, order: tuple[str, ...]) -> list[tuple[tuple[str, str], ...]]:
    numbers = dict(zip(("year", "week" if kind == "week" else "month", "day"), re.findall(r"\d+", day), strict=False))
    orders = dict.fromkeys((order, *ORDERS)) if kind != "week" else (("week", "year"), ("year", "week"))
    ways = [tuple((name, numbers[name]) for name in names if name in numbers) for names in orders]
    return list(dict.fromkeys(ways))


def in_parts(parts: tuple[tuple[str, str], ...], kind: str) -> tuple[str, ...]:
    """A year has no fixed number of digits, nor has a month that is shown by name: what follows is gone to."""
    keys: list[str] = []
    for index, (name, number) in enumerate(parts):
        keys.append(number)
        if (name == "year" or kind in {"month", "week"}) and index < len(parts) - 1:
            keys.append(">")
    return tuple(keys)


def clock_keys(clock: str) -> list[tuple[str, ...]]:
    """With halves of the day, as English has them, and without."""
    hour, *rest = clock.split(":")
    halved = f"{(int(hour) - 1) % 12 + 1:02}"
    return [(halved, *rest, "p" if int(hour) >= 12 else "a"), (hour, *rest)]
