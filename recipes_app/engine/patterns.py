"""Patterns of strangers (recipes, web pages), matched in time that grows with the text alone: no pattern can hang us.

The engine is RE2. What it cannot do in linear time (back-references, look-around inside a pattern) is refused; the
look-aheads at the start of a pattern, with which sites say what a password needs, are patterns of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import re2

MAX_PATTERN = 500
# RE2 takes time with the size of the compiled pattern times that of the text; this much takes a fraction of a second.
MAX_WORK = 20_000_000
MAX_SIZE = 5_000
UNICODE_ESCAPE = re.compile(r"\\(?:u\{([0-9A-Fa-f]{1,6})\}|u([0-9A-Fa-f]{4})|(.))", re.DOTALL)
AHEAD = ("(?=", "(?!")


class BadPattern(ValueError):
    """The message says what is wrong with the pattern, or with matching a text against it."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """All of `needed` and none of `refused` have to be found in a text."""

    needed: tuple[Any, ...]
    refused: tuple[Any, ...] = ()

    def found_in(self, text: str) -> bool:
        """BadPattern for a text too long for it."""
        text = text.encode("utf-8", "replace").decode()
        size = sum(part.programsize for part in (*self.needed, *self.refused))
        if size * len(text) > MAX_WORK:
            raise BadPattern("a text too long to be matched against it")
        return all(part.search(text) for part in self.needed) and not any(part.search(text) for part in self.refused)


@lru_cache(maxsize=512)
def read_pattern(text: str, *, whole: bool = False) -> Pattern:
    """A pattern as in JSON Schema, found anywhere, or (whole) as in an HTML field, of the whole text.

    BadPattern where it is none, or could take long.
    """
    if len(text) > MAX_PATTERN:
        raise BadPattern(f"longer than {MAX_PATTERN} characters")
    is_anchored, body = whole, text
    if not whole and body.startswith("^"):
        is_anchored, body = True, body[1:]
    if is_anchored and body.startswith("(?:") and body.endswith(")$") and _end_of_group(body) == len(body) - 1:
        whole, body = True, body[3:-2]
    if not is_anchored or not body.startswith(AHEAD):
        return Pattern((_compiled(f"^(?:{body})$" if whole else text),))
    return _with_conditions(body, whole=whole)


def _with_conditions(body: str, *, whole: bool) -> Pattern:
    needed: list[Any] = []
    refused: list[Any] = []
    while body.startswith(AHEAD):
        end = _end_of_group(body)
        (needed if body[2] == "=" else refused).append(_compiled(f"^(?:{body[3 : end - 1]})"))
        body = body[end:]
    if _has_alternatives(body):
        raise BadPattern("alternatives beside a look-ahead")
    return Pattern((*needed, _compiled(f"^(?:{body})$" if whole else f"^{body}")), tuple(refused))


def _compiled(text: str) -> Any:
    options = re2.Options()
    options.log_errors = False
    options.max_mem = 1 << 20
    try:
        compiled = re2.compile(UNICODE_ESCAPE.sub(_escape, text), options)
    except (re2.error, UnicodeEncodeError) as error:
        said = (
            error.args[0].decode("utf-8", "replace") if error.args and isinstance(error.args[0], bytes) else "bad text"
        )
        raise BadPattern(f"a pattern that cannot be matched in linear time: {said}") from None
    if compiled.programsize > MAX_SIZE:
        raise BadPattern("a pattern with too many repetitions")
    return compiled


def _escape(match: re.Match[str]) -> str:
    r"""JavaScript's \uXXXX in the words of RE2."""
    code = match[1] or match[2]
    return f"\\x{{{code}}}" if code else match[0]


def _end_of_group(text: str) -> int:
    """Where the group that `text` begins with has ended; the length of a text whose group never ends."""
    depth = 0
    for at, letter in _syntax(text):
        depth += (letter == "(") - (letter == ")")
        if not depth:
            return at + 1
    return len(text)


def _has_alternatives(text: str) -> bool:
    depth = 0
    for _, letter in _syntax(text):
        depth += (letter == "(") - (letter == ")")
        if letter == "|" and not depth:
            return True
    return False


def _syntax(text: str) -> Iterator[tuple[int, str]]:
    """Each letter with its place; without what is escaped or stands in a class of letters."""
    in_class = False
    at = 0
    while at < len(text):
        letter = text[at]
        if letter == "\\":
            at += 1
        elif in_class:
            in_class = letter != "]"
        elif letter == "[":
            in_class = True
        else:
            yield at, letter
        at += 1
