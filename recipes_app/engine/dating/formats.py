"""In which form a field wants its date: from its placeholder, pattern, label or language."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from recipes_app.engine.dating.when import When

LETTERS = re.compile(
    r"(?<![a-z])([dtjgmyar]{1,4})([./\-\s]{1,2})([dtjgmyar]{1,4})([./\-\s]{1,2})([dtjgmyar]{1,4})(?![a-z])",
    re.IGNORECASE,
)
EXAMPLE = re.compile(r"(?<!\d)(\d{1,4})([./-])\s?(\d{1,2})\2\s?(\d{1,4})(?!\d)")
PATTERN = re.compile(r"(?:\\d|\[0-9\])\{(\d)\}([^\\\[{}()?]{0,2}|\\[./-])?")
TOKEN = re.compile(r"YYYY|YY|MM|M|DD|D|HH|mm|ss")
ISO = "YYYY-MM-DD"
PARTS = {"YYYY": ("year", 4), "MM": ("month", 2), "DD": ("day", 2), "HH": ("hour", 2), "mm": ("minute", 2)}
WIDTHS = {**PARTS, "M": ("month", 1), "D": ("day", 1), "ss": ("second", 2), "YY": ("year", 2)}


def formats_for(hints: Sequence[str], local: str) -> list[str]:
    """The formats to try, the likeliest first; `local` is the language's own, empty where that is not known."""
    found = [form for hint in hints for form in formats_in(hint, local)]
    found += [local, ISO] if local else [ISO, "DD.MM.YYYY"]
    return list(dict.fromkeys(found))


def formats_in(hint: str, local: str) -> Iterator[str]:
    for match in LETTERS.finditer(hint):
        tokens = [token_of(match[group]) for group in (1, 3, 5)]
        if {token[0] for token in tokens} == {"Y", "M", "D"}:
            yield tokens[0] + match[2] + tokens[1] + match[4] + tokens[2]
    for match in EXAMPLE.finditer(hint):
        yield from example_format(match, local)
    yield from pattern_format(hint, local)


def token_of(letters: str) -> str:
    """dd, TT, jj and gg are days, mm months, yyyy, JJJJ, aaaa and rrrr years."""
    letter, length = letters[0].lower(), len(letters)
    if letter == "m":
        return "MM" if length > 1 else "M"
    if letter in "yar" or length > 2:
        return "YY" if length == 2 else "YYYY"
    return "DD" if length > 1 else "D"


def example_format(match: re.Match[str], local: str) -> Iterator[str]:
    first, mark, second, third = match.groups()
    if len(first) == 4:
        yield f"YYYY{mark}MM{mark}DD"
    elif len(third) in (2, 4):
        year = "YYYY" if len(third) == 4 else "YY"
        day_first = int(first) > 12 or (int(second) <= 12 and not is_month_first(local, mark))
        yield f"DD{mark}MM{mark}{year}" if day_first else f"MM{mark}DD{mark}{year}"


def pattern_format(hint: str, local: str) -> Iterator[str]:
    """Of a regular expression such as \\d{2}/\\d{2}/\\d{4}: how many digits, and what stands between them."""
    groups = [(int(width), (mark or "").replace("\\", "")) for width, mark in PATTERN.findall(hint)]
    widths = [width for width, _ in groups]
    marks = [mark for _, mark in groups]
    if widths == [4, 2, 2]:
        yield f"YYYY{marks[0]}MM{marks[1]}DD"
    elif widths == [2, 2, 4]:
        first, second = ("MM", "DD") if is_month_first(local, marks[0]) else ("DD", "MM")
        yield f"{first}{marks[0]}{second}{marks[1]}YYYY"


def is_month_first(local: str, mark: str) -> bool:
    """Dots are never month first."""
    return mark != "." and local.startswith("M")


def render(form: str, when: When) -> str:
    def put(match: re.Match[str]) -> str:
        unit, width = WIDTHS[match[0]]
        number = when.part(unit) or 0
        return f"{number % 100 if match[0] == 'YY' else number:0{width}}"

    return TOKEN.sub(put, form)


def with_time(form: str, when: When) -> str:
    """The date's format, with the time of day behind it where one is given."""
    return form if when.hour is None else f"{form} HH:mm"
