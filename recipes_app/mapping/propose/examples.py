"""Example values a site accepts: realistic for what the field means, valid for what it allows."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any

from recipes_app.engine.patterns import BadPattern, Pattern, read_pattern
from recipes_app.mapping.facts import FieldFacts
from recipes_app.mapping.risks import words_of
from recipes_app.mapping.vocabulary import meanings, pattern_tries

FILES = (
    ("txt", "text/plain"),
    ("csv", "text/csv"),
    ("png", "image/png"),
    ("json", "application/json"),
    ("pdf", "application/pdf"),
)
# One transparent pixel.
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
MAX_HINT = 1000
PLAIN = ("Example text", "Sample text")


@dataclass(frozen=True, slots=True)
class Values:
    """A value to record with, another to verify with."""

    first: Any
    second: Any


def text_values(field: FieldFacts) -> Values:
    given = _pattern_values(field) if field.pattern else _meant(field)
    return Values(_fitted(given[0], field), _fitted(given[1], field))


def _meant(field: FieldFacts) -> tuple[str, str]:
    for text in (field.autocomplete, field.label or field.beside, field.attribute_name, field.placeholder):
        words = {word for word in words_of(text) if word not in {"on", "off", "new"}}
        for meant, values in meanings():
            if words & meant:
                return values
    return PLAIN


def _pattern_values(field: FieldFacts) -> tuple[str, str]:
    """Values that fit the pattern, looked for in the field's own hints first; the usual ones where none fits."""
    try:
        wanted = read_pattern(field.pattern, whole=True)
    except BadPattern:
        return _meant(field)
    hints = [field.placeholder, *re.findall(r"[\w#+@.-]+", f"{field.title} {field.help} {field.label}")]
    digits = ["1234567890123456"[:n] for n in range(1, 17)] + ["2345678901234567"[:n] for n in range(1, 17)]
    found = [text for text in (*hints, *_meant(field), *pattern_tries(), *digits) if text and _fits(wanted, text)]
    if not found:
        return _meant(field)
    return found[0], next((text for text in found if text != found[0]), found[0])


def _fits(pattern: Pattern, text: str) -> bool:
    return len(text) <= MAX_HINT and pattern.found_in(text)


def _fitted(text: str, field: FieldFacts) -> str:
    if field.min_length and len(text) < field.min_length:
        text = (text + " " + "example " * field.min_length)[: field.min_length + 8].strip()
        text = text.ljust(field.min_length, "x")
    return text[: field.max_length].strip() if field.max_length else text


def decimal(text: str) -> Decimal | None:
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def is_whole(field: FieldFacts) -> bool:
    """HTML's own rule: without a step a number field takes whole numbers, a range too."""
    step = decimal(field.step) if field.step and field.step != "any" else Decimal(1)
    start = decimal(field.minimum) or decimal(field.default) or Decimal(0)
    return field.step != "any" and step is not None and step % 1 == 0 and start % 1 == 0


def number_values(field: FieldFacts) -> Values:
    """Near the lower limit, on the step, and small: a quantity of 2 rather than 424242."""
    low, high = decimal(field.minimum), decimal(field.maximum)
    step = decimal(field.step) if field.step and field.step != "any" else Decimal(1)
    step = step if step and step > 0 else Decimal(1)
    start = low if low is not None else (Decimal(0) if high is None or high >= 0 else high - 2 * step)
    span = (high - start) / step if high is not None else Decimal(1000)
    steps = [n for n in (2, 3, 1, 0) if n <= span] or [0]
    steps = [int(span // 3), int(span // 2)] if field.type == "range" and span >= 6 else steps
    chosen = [start + step * n for n in (steps + steps)[:2]]
    return Values(*(int(value) if is_whole(field) else float(value) for value in chosen))


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None


def day_values(field: FieldFacts, today: date | None = None) -> tuple[date, date]:
    now = today or datetime.now(tz=UTC).date()
    low, high = _day(field.minimum), _day(field.maximum)
    first = max(low or now, min(now, high or now))
    one = min(first + timedelta(days=7), high) if high else first + timedelta(days=7)
    two = one + timedelta(days=1)
    if high and two > high:
        two = max(one - timedelta(days=1), low or one - timedelta(days=1))
    return one, two


def date_values(field: FieldFacts) -> Values:
    one, two = day_values(field)
    if field.type == "time":
        return Values("10:30", "14:00")
    if field.type in {"month", "week"}:
        two = one + timedelta(days=31) if _day(field.maximum) is None else two
    return Values(_written(one, field.type), _written(two, field.type))


def _written(day: date, kind: str) -> str:
    if kind == "week":
        return f"{day.isocalendar().year}-W{day.isocalendar().week:02}"
    return {"month": f"{day:%Y-%m}", "datetime-local": f"{day.isoformat()}T10:30"}.get(kind, day.isoformat())


def file_values(field: FieldFacts) -> Values:
    """Two small files of a type the field accepts, as data URLs."""
    wanted = field.accept.lower()
    kinds = (
        (ending, media_type) for ending, media_type in FILES if not wanted or ending in wanted or media_type in wanted
    )
    ending, media_type = next(kinds, ("png", "image/png") if "image" in wanted else FILES[0])
    return Values(*(_data_url(f"{word}.{ending}", media_type, word) for word in ("example", "sample")))


def _data_url(name: str, media_type: str, word: str) -> str:
    content = {
        "image/png": PNG,
        "application/json": f'{{"{word}": 1}}'.encode(),
        "text/csv": f"name,value\n{word},1\n".encode(),
    }
    data = content.get(media_type, f"An {word} file.\n".encode())
    return f"data:{media_type};name={name};base64,{base64.b64encode(data).decode()}"
