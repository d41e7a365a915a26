"""JSON that every part of the house can keep, and texts of strangers made fit to be kept.

Lone halves of surrogate pairs cannot be encoded, U+0000 cannot be stored by every database, NaN is no JSON, and very
deep nesting or very long numbers break whoever reads them next. What people and programs send is refused; what pages
show is cleaned, since nobody there can mend it.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any

from recipes_app.engine.errors import DocumentError

DEEPEST = 250
LONGEST_NUMBER = 300  # digits; a longer one is no floating point number either
UNFIT = re.compile("[\x00\ud800-\udfff]")
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def clean_text(text: str) -> str:
    return UNFIT.sub(REPLACEMENT, text)


def clean(value: Any) -> Any:
    """Plain JSON with every text and every key fit to be kept."""
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, dict):
        return {clean_text(key): clean(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [clean(entry) for entry in value]
    return value


def load_json(text: str | bytes) -> Any:
    """DocumentError says in words what is wrong, and on which line where JSON itself is."""
    try:
        plain = text.decode("utf-8-sig") if isinstance(text, bytes) else text
        value = json.loads(plain, object_pairs_hook=unique_keys, parse_constant=refuse_constant, parse_int=whole)
    except UnicodeDecodeError:
        raise DocumentError("", "the file is not UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise DocumentError(f"line {error.lineno}", f"no valid JSON: {error.msg}") from None
    except RecursionError:
        raise DocumentError("", "nested too deeply to be read") from None
    check_plain(value)
    return value


def check_plain(value: Any, path: str = "") -> None:
    """DocumentError for the first value in it that could not be kept."""
    for at, depth, each in every_value(value, path):
        if depth > DEEPEST:
            raise DocumentError(at[:200], f"nested more than {DEEPEST} deep")
        if isinstance(each, str) and UNFIT.search(each):
            raise DocumentError(at, "holds a character that is none: U+0000, or half of a surrogate pair")
        if isinstance(each, float) and not math.isfinite(each):
            raise DocumentError(at, "is no number that JSON can hold")
        if isinstance(each, int) and each.bit_length() > LONGEST_NUMBER * 4:
            raise DocumentError(at, f"is a number of more than {LONGEST_NUMBER} digits")


def every_value(value: Any, path: str) -> Iterator[tuple[str, int, Any]]:
    """(path, depth, value) of it and all that it holds, keys included. Needs no stack of its own."""
    waiting = [(path, 0, value)]
    while waiting:
        at, depth, each = waiting.pop()
        yield at, depth, each
        if depth > DEEPEST:
            continue
        if isinstance(each, dict):
            for key, entry in each.items():
                shown = clean_text(str(key))[:80]
                waiting += [(at, depth + 1, key), (f"{at}.{shown}" if at else shown, depth + 1, entry)]
        elif isinstance(each, list | tuple):
            waiting += [(f"{at}[{index}]", depth + 1, entry) for index, entry in enumerate(each)]


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Of two equal keys one would be lost without a word."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise DocumentError(clean_text(key[:80]), "is given twice in one object")
        found[key] = value
    return found


def refuse_constant(word: str) -> Any:
    raise DocumentError("", f"no valid JSON: {word} is no number")


def whole(digits: str) -> int:
    if len(digits) > LONGEST_NUMBER:
        raise DocumentError("", f"no valid JSON: a number of more than {LONGEST_NUMBER} digits")
    return int(digits)
