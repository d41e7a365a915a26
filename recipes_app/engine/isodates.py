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


def key_order(iso: str, order: tuple[str, ...]) -> str:
    """The digits of an ISO date in the order in which the browser's locale takes them."""
    parts = dict(zip(("year", "month", "day"), iso[:10].split("-"), strict=False))
    return "".join(parts.get(name, "") for name in order)
