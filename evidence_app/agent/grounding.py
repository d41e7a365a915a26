"""Whether a value that was taken down really stood on a page, and where: looked for in the text and the controls."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from evidence_app.agent.layout import Box, Layout, Piece
from recipes_app.engine.naming import normalise

MAX_HITS = 50
MAX_VALUE = 5000
DATE_FORMS = (
    "{y}-{m:02}-{d:02}", "{y}/{m:02}/{d:02}", "{d:02}/{m:02}/{y}", "{m:02}/{d:02}/{y}", "{d}/{m}/{y}", "{m}/{d}/{y}",
    "{d:02}.{m:02}.{y}", "{d}.{m}.{y}", "{d:02}-{m:02}-{y}", "{d} {month} {y}", "{d:02} {month} {y}",
    "{month} {d}, {y}", "{month} {d:02}, {y}", "{d} {mon} {y}", "{d:02} {mon} {y}", "{mon} {d}, {y}",
    "{mon} {d:02}, {y}", "{d}-{mon}-{y}", "{d:02}-{mon}-{y}", "{d}. {month} {y}", "{month} {d} {y}", "{mon} {d} {y}",
)  # fmt: skip
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July",
    "August", "September", "October", "November", "December",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Grounded:
    """`how` is "text", "control", "not_found" or "unchecked"; `box` in CSS pixels of the layout's page."""

    how: str
    layout: Layout | None = None
    box: Box | None = None
    words: str = ""


@dataclass(slots=True)
class _Index:
    """The pieces of one kind as one folded text, and where in it each begins."""

    text: str
    starts: list[int]
    pieces: Sequence[Piece]

    def pieces_at(self, start: int, end: int) -> list[Piece]:
        first, last = bisect_right(self.starts, start) - 1, bisect_right(self.starts, end - 1) - 1
        return list(self.pieces[first : last + 1])

    def hits(self, form: str) -> list[list[Piece]]:
        return [self.pieces_at(start, start + len(form)) for start in _occurrences(self.text, form)]


@dataclass(slots=True)
class Pages:
    """What the agent saw, newest last. Values are looked for in the newest pages first."""

    layouts: list[Layout] = field(default_factory=list)
    _indexes: dict[tuple[int, bool], _Index] = field(default_factory=dict)

    def saw(self, layout: Layout) -> None:
        self.layouts.append(layout)

    def ground(self, value: Any, *, near: Iterable[Box] = ()) -> Grounded:
        """Of several places on a page the one nearest to `near` (where its row's other values stand) is taken."""
        if value is None or isinstance(value, bool) or not str(value).strip():
            return Grounded("unchecked")
        forms = [folded(form) for form in forms_of(value)]
        places = tuple(near)
        for at in range(len(self.layouts) - 1, -1, -1):
            for is_control in (False, True):
                found = self._find(at, is_control, forms, places)
                if found is not None:
                    return found
        return Grounded("not_found")

    def places(self, value: Any) -> tuple[Layout, list[tuple[str, list[Piece]]]] | None:
        """Every place of a value, however it is written, on the newest page that shows it; each with its `how`."""
        forms = dict.fromkeys(folded(form) for form in forms_of(value))
        for at in range(len(self.layouts) - 1, -1, -1):
            found: dict[Box, tuple[str, list[Piece]]] = {}
            for how, is_control in (("text", False), ("control", True)):
                index = self._index(at, is_control)
                for pieces in (hit for form in forms for hit in index.hits(form)):
                    found.setdefault(union(pieces), (how, pieces))
            if found:
                return self.layouts[at], list(found.values())
        return None

    def _find(self, at: int, is_control: bool, forms: Sequence[str], near: Sequence[Box]) -> Grounded | None:
        index = self._index(at, is_control)
        for form in forms:
            hits = [index.pieces_at(start, start + len(form)) for start in _occurrences(index.text, form)]
            if hits:
                pieces = min(hits, key=lambda hit: _distance(union(hit), near)) if near else hits[0]
                how = "control" if is_control else "text"
                return Grounded(how, self.layouts[at], union(pieces), " ".join(piece.text for piece in pieces)[:300])
        return None

    def _index(self, at: int, is_control: bool) -> _Index:
        key = (at, is_control)
        if key not in self._indexes:
            pieces = [piece for piece in self.layouts[at].pieces if (piece.kind != "text") == is_control]
            self._indexes[key] = _indexed(pieces)
        return self._indexes[key]


def forms_of(value: Any) -> Iterator[str]:
    """The ways a page may write this value; the value's own words first."""
    text = str(value)[:MAX_VALUE]
    yield text
    if isinstance(value, int | float):
        yield f"{value:,}"
        yield f"{value:,}".replace(",", " ")
        yield f"{value:,}".replace(",", "\u2019")
        yield f"{value:,}".replace(",", "~").replace(".", ",").replace("~", ".")
        if isinstance(value, float):
            yield from (f"{value:.2f}", f"{value:,.2f}", f"{value:.2f}".replace(".", ","))
        return
    if isinstance(value, str) and (day := _day(value)):
        month = MONTHS[day.month - 1]
        for form in DATE_FORMS:
            yield form.format(y=day.year, m=day.month, d=day.day, month=month, mon=month[:3])


def folded(text: str) -> str:
    """As pages and people are compared: compatibility forms, marks nobody sees and the case of letters do not count."""
    return unicodedata.normalize("NFKC", normalise(text)).casefold()


def union(pieces: Sequence[Piece]) -> Box:
    left = min(piece.box[0] for piece in pieces)
    top = min(piece.box[1] for piece in pieces)
    right = max(piece.box[0] + piece.box[2] for piece in pieces)
    bottom = max(piece.box[1] + piece.box[3] for piece in pieces)
    return (left, top, right - left, bottom - top)


def _indexed(pieces: Sequence[Piece]) -> _Index:
    parts, starts, length = [], [], 0
    for piece in pieces:
        text = folded(piece.text)
        starts.append(length)
        parts.append(text)
        length += len(text) + 1
    return _Index(" ".join(parts), starts, pieces)


def _occurrences(text: str, form: str) -> Iterator[int]:
    """Whole words only: 7 does not stand in 17, nor “Ann” in “Annual”."""
    if not form:
        return
    found, start = 0, text.find(form)
    while start >= 0 and found < MAX_HITS:
        if _stands_alone(text, start, start + len(form)):
            found += 1
            yield start
        start = text.find(form, start + 1)


def _stands_alone(text: str, start: int, end: int) -> bool:
    before, after = text[start - 1 : start], text[end : end + 1]
    if before.isalnum() and text[start].isalnum():
        return False
    if after.isalnum() and text[end - 1].isalnum():
        return False
    return not (text[start].isdigit() and _in_number(text, start, end))


def _in_number(text: str, start: int, end: int) -> bool:
    """Whether the digits go on beyond a mark: 12 in 12.50, 204 in 1,204."""
    before = start >= 2 and text[start - 1] in ".,\u2019'" and text[start - 2].isdigit()
    goes_on = end + 1 < len(text) and text[end - 1].isdigit() and text[end] in ".,\u2019'" and text[end + 1].isdigit()
    return before or goes_on


def _distance(box: Box, near: Sequence[Box]) -> float:
    return min(abs(box[1] - other[1]) * 4 + abs(box[0] - other[0]) for other in near)


def _day(text: str) -> date | None:
    try:
        return datetime.fromisoformat(text).date() if len(text) >= 10 and text[4] == "-" else None
    except ValueError:
        return None
