"""Dates as people write them."""

from __future__ import annotations

import re
from datetime import date, datetime

from recipes_app.engine.naming import normalise

MONTHS = {
    "en": "january february march april may june july august september october november december",
    "de": "januar februar märz april mai juni juli august september oktober november dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "nl": "januari februari maart april mei juni juli augustus september oktober november december",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "pl": "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
    "sv": "januari februari mars april maj juni juli augusti september oktober november december",
}
MONTH_FIRST = {"en", "en-us", "en-ph", "es-us"}
ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
NUMBERS = re.compile(r"(\d{1,4})\s*[./-]\s*(\d{1,2})\s*[./-]\s*(\d{1,4})")
DAY_MONTH = re.compile(r"(\d{1,2})(?:\.|st|nd|rd|th|º|er)?\s+(?:de\s+|of\s+)?([^\W\d]{3,})\.?,?\s+(?:de\s+)?(\d{4})")
MONTH_DAY = re.compile(r"([^\W\d]{3,})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})")
EAST_ASIAN = re.compile(r"(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]?")
CLOCK = re.compile(r"\b(\d{1,2}):(\d\d)(?::(\d\d))?\s*([ap])?\.?m?\b", re.IGNORECASE)


class Ambiguous(ValueError):
    """Day and month cannot be told apart without knowing the language."""


def parse_date(text: str, locale: str | None) -> date:
    """ValueError when it is no date, Ambiguous when day and month could be either."""
    plain = normalise(text)
    for pattern in (ISO, EAST_ASIAN):
        if match := pattern.search(plain):
            return date(*map(int, match.groups()))
    if match := DAY_MONTH.search(plain):
        return date(int(match[3]), month_number(match[2], locale), int(match[1]))
    if match := MONTH_DAY.search(plain):
        return date(int(match[3]), month_number(match[1], locale), int(match[2]))
    if match := NUMBERS.search(plain):
        return from_numbers(match, locale)
    raise ValueError(f"“{plain[:60]}” is no date")


def month_number(word: str, locale: str | None) -> int:
    """By name or by its first letters, in the language given or in any that is known."""
    wanted = word.lower()
    own = MONTHS.get((locale or "").split("-")[0].lower())
    found: set[int] = set()
    for names in [own] if own else MONTHS.values():
        found |= {number for number, name in enumerate(names.split(), start=1) if name.startswith(wanted)}
    if len(found) != 1:
        raise ValueError(f"“{word[:30]}” is no month")
    return found.pop()


def from_numbers(match: re.Match[str], locale: str | None) -> date:
    first, second, third = (int(part) for part in match.groups())
    if len(match[1]) == 4:
        return date(first, second, third)
    if len(match[3]) not in (2, 4):
        raise ValueError(f"“{match[0]}” is no date")
    year = third if len(match[3]) == 4 else 2000 + third
    day, month = in_order(first, second, match[0], locale)
    return date(year, month, day)


def in_order(first: int, second: int, text: str, locale: str | None) -> tuple[int, int]:
    """(day, month). Dots are never month first."""
    if second > 12 or first > 12 or first == second:
        return (second, first) if second > 12 else (first, second)
    if "." in text:
        return first, second
    if locale is None:
        raise Ambiguous(f"“{text}” could be read with the day or the month first")
    tag = locale.lower()
    return (second, first) if tag in MONTH_FIRST else (first, second)


def parse_datetime(text: str, locale: str | None) -> datetime:
    """With an offset where the text has one, otherwise without."""
    plain = normalise(text)
    try:
        return datetime.fromisoformat(plain.replace("Z", "+00:00"))
    except ValueError:
        day = parse_date(plain, locale)
    clock = CLOCK.search(plain)
    if clock is None:
        raise ValueError(f"“{plain[:60]}” has no time of day")
    hour = int(clock[1])
    if clock[4]:
        hour = hour % 12 + (12 if clock[4].lower() == "p" else 0)
    return datetime(day.year, day.month, day.day, hour, int(clock[2]), int(clock[3] or 0))  # noqa: DTZ001 - as written
