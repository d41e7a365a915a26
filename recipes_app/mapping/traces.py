"""What a page says before and after a step, and what the step therefore did."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import unquote, urlsplit

from recipes_app.browser.answering import frames_that_answer
from recipes_app.browser.api import Error, Frame, Page
from recipes_app.mapping.bind import mentions, shown_values

MIN_PIECE = 6
MAX_PIECE = 90
ORDER = {"notice": 0, "heading": 1, "line": 2}


@dataclass(frozen=True, slots=True)
class Trace:
    """One piece of what a frame says. `frame` is its number among the page's frames."""

    frame: int
    kind: str
    text: str
    place: str
    role: str
    classes: tuple[str, ...]
    live: bool
    tag: str


@dataclass(frozen=True, slots=True)
class Traces:
    url: str
    pieces: tuple[Trace, ...]
    complaints: tuple[str, ...]

    @property
    def texts(self) -> frozenset[str]:
        return frozenset(piece.text for piece in self.pieces)


@cache
def _script() -> str:
    source = files("recipes_app.mapping") / "js"
    walk, own = ((source / part).read_text(encoding="utf-8") for part in ("walk.js", "traces.js"))
    return f"(opts) => {{\n{walk}\n{own}\n}}"


def look(page: Page) -> Traces:
    pieces: list[Trace] = []
    complaints: list[str] = []
    readable = frames_that_answer(page)
    for number, frame in enumerate(page.frames):
        if frame not in readable:
            continue
        told = _told(frame)
        complaints += told["complaints"]
        pieces += [Trace(frame=number, **{**piece, "classes": tuple(piece["classes"])}) for piece in told["pieces"]]
    return Traces(page.url, tuple(pieces), tuple(complaints))


def _told(frame: Frame) -> Mapping[str, Any]:
    """A frame that is being replaced says nothing for the moment."""
    try:
        told: Mapping[str, Any] = frame.evaluate(_script(), {"maxElements": 20000})
    except Error:
        return {"pieces": [], "complaints": []}
    return told


def appeared(before: Traces, after: Traces) -> list[Trace]:
    """The pieces that were not there before, notices first."""
    new = [piece for piece in after.pieces if piece.text not in before.texts and piece.kind != "error"]
    return sorted(new, key=lambda piece: (ORDER[piece.kind], not piece.live))


def errors(before: Traces, after: Traces) -> list[str]:
    """Complaints beside fields and new error notices, in the page's words."""
    new = [piece.text for piece in after.pieces if piece.kind == "error" and piece.text not in before.texts]
    return list(dict.fromkeys([*(c for c in after.complaints if c not in before.complaints), *new]))


def lasting_piece(traces: list[Trace], arguments: Mapping[str, Any], absent: frozenset[str]) -> str:
    """The best new text that does not depend on the values: no value and no number in it; "" if there is none.

    What the page had said before (a product's name) counts as a value: another call may start on another page.
    """
    whole = "\n".join(absent)
    for trace in traces:
        known = [text for text in absent if MIN_PIECE <= len(text) < len(trace.text) and _has(trace.text, text)]
        for part in _parts(trace.text, [*shown_values(arguments), *known]):
            if part not in whole and not mentions(part, arguments):
                return part
    return ""


def _parts(text: str, values: list[str]) -> list[str]:
    """The text without these values and without numbers, longest part first."""
    ordered = sorted(values, key=len, reverse=True)
    pattern = "|".join([*(re.escape(value) for value in ordered), r"\S*\d\S*"])
    parts = [part.strip(" \t.,:;!?()[]\"'“”„#-\u2013\u2014") for part in re.split(pattern, text, flags=re.IGNORECASE)]
    fit = [part for part in parts if len(part) >= MIN_PIECE and re.search(r"[^\W\d_]{3}", part)]
    return sorted((_cut(part) for part in fit), key=len, reverse=True)


def _has(text: str, part: str) -> bool:
    """As whole words: “Reserve” is no part of “Reserved”."""
    return part in text and re.search(rf"(?<!\w){re.escape(part)}(?!\w)", text) is not None


def _cut(part: str) -> str:
    return part if len(part) <= MAX_PIECE else part[:MAX_PIECE].rsplit(" ", 1)[0]


def url_glob(before: str, after: str, arguments: Mapping[str, Any]) -> str | None:
    """The address one came to, with `*` for what varies; None where it stayed the same page."""
    here, there = urlsplit(before), urlsplit(after)
    if (here.netloc, here.path, bool(here.query)) == (there.netloc, there.path, bool(there.query)):
        return None
    segments = [_varied(segment, arguments) for segment in there.path.split("/")]
    query = "?*" if there.query else ""
    tail = "*" if there.fragment and not query else ""
    return f"{there.scheme}://{there.netloc}{'/'.join(segments)}{query}{tail}"


def _varied(segment: str, arguments: Mapping[str, Any]) -> str:
    plain = unquote(segment)
    return "*" if re.search(r"\d", plain) or (plain and mentions(plain, arguments)) else segment
