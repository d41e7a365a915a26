"""Values a site takes only once, made new for each recording: anna_example becomes anna_example_t5k2q9."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from recipes_app.engine.arguments import problems_of

# The keyword in a parameter's schema; validators leave keywords alone that they do not know.
UNIQUE = "x-unique"
EARLIER = re.compile(r"[._](?=[a-z]*\d)[0-9a-z]{6}$")
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def made_new(schema: Mapping[str, Any], values: Mapping[str, Any], *, stamp: str = "") -> dict[str, Any]:
    """The values with a mark of their own in those of unique parameters; one that must stay as it is stays."""
    mark = stamp or now_stamp()
    properties = schema.get("properties", {})
    return {name: _marked(properties.get(name, {}), value, mark) for name, value in values.items()}


def now_stamp() -> str:
    """Seconds since 1970 in base 36: six letters and digits, another one each second."""
    left, written = int(datetime.now(tz=UTC).timestamp()), ""
    while left:
        left, digit = divmod(left, len(DIGITS))
        written = DIGITS[digit] + written
    return written


def _marked(schema: Mapping[str, Any], value: Any, mark: str) -> Any:
    if not schema.get(UNIQUE) or not isinstance(value, str) or not value:
        return value
    fitting = (text for text in _candidates(value, mark, schema) if not problems_of(schema, text, "it"))
    return next(fitting, value)


def _candidates(value: str, mark: str, schema: Mapping[str, Any]) -> Iterator[str]:
    """An address keeps its host; then without a joining sign, with letters only, and shorter."""
    name, at, host = value.partition("@")
    name = EARLIER.sub("", name)
    letters = "".join(chr(ord("a") + DIGITS.index(digit) % 26) for digit in mark)
    limit = max(int(schema.get("maxLength") or 0) - len(mark), 1)
    yield f"{name}{'.' if at else '_'}{mark}{at}{host}"
    for end in (mark, letters):
        yield f"{name}{end}{at}{host}"
        yield f"{name[:limit]}{end}"
