"""Reading one JSON object field by field, knowing the path, refusing what nobody asked for."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, TypeVar

from recipes_app.engine.errors import DocumentError
from recipes_app.engine.naming import WHOLE_PLACEHOLDER

T = TypeVar("T")

MAX_DEPTH = 24
MAX_STEPS = 1000
MAX_TEXT = 20_000
MAX_CODE = 200_000
MAX_LIST = 2_000
MAX_LOOKALIKES = 50


@dataclass(slots=True)
class Context:
    """What holds for a whole document: its format, and how many steps it may still have."""

    format: int = 2
    steps_left: int = MAX_STEPS

    def take_step(self, path: str) -> None:
        self.steps_left -= 1
        if self.steps_left < 0:
            raise DocumentError(path, f"more than {MAX_STEPS} steps in one recipe")


def join(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def did_you_mean(word: str, known: Iterable[str]) -> str:
    folded = {name.lower(): name for name in known}
    close = difflib.get_close_matches(word[:80].lower(), folded, n=1, cutoff=0.6)
    return f", did you mean {folded[close[0]]}?" if close else ""


def json_type(value: object) -> str:
    """The JSON word for a Python value."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, int | float):
        return "a number"
    names: dict[type, str] = {str: "a text", list: "a list", dict: "an object"}
    return names.get(type(value), type(value).__name__)


def wrong_type(path: str, wanted: str, value: object) -> DocumentError:
    return DocumentError(path, f"must be {wanted}, not {json_type(value)}")


def as_object(value: object, path: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise wrong_type(path, "an object", value)
    if not all(isinstance(key, str) for key in value):
        raise DocumentError(path, "every key must be a text")
    return value


def as_list(value: object, path: str) -> list[Any]:
    if not isinstance(value, list | tuple):
        raise wrong_type(path, "a list", value)
    if len(value) > MAX_LIST:
        raise DocumentError(path, f"a list of {len(value)} entries; at most {MAX_LIST} are allowed")
    return list(value)


def as_text(value: object, path: str, *, limit: int = MAX_TEXT, empty: bool = False) -> str:
    if not isinstance(value, str):
        raise wrong_type(path, "a text", value)
    if len(value) > limit:
        raise DocumentError(path, f"a text of {len(value)} characters; at most {limit} are allowed")
    if not value and not empty:
        raise DocumentError(path, "must not be empty")
    return value


def as_integer(value: object, path: str, *, low: int = 0, high: int = 10_000_000) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise wrong_type(path, "a whole number", value)
    if not low <= value <= high:
        raise DocumentError(path, f"must be between {low} and {high}, not {value}")
    return value


def as_number(value: object, path: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise wrong_type(path, "a number", value)
    if not abs(value) < 1e9:
        raise DocumentError(path, "is too large a number")
    return value


def as_boolean(value: object, path: str) -> bool:
    if not isinstance(value, bool):
        raise wrong_type(path, "true or false", value)
    return value


def as_choice(value: object, path: str, choices: Iterable[str]) -> str:
    known = tuple(choices)
    if not isinstance(value, str):
        raise wrong_type(path, "a text", value)
    if value not in known:
        hint = did_you_mean(value, known) or f"; one of {', '.join(known)}"
        raise DocumentError(path, f"unknown value {value[:80]!r}{hint}")
    return value


def is_placeholder(value: object) -> bool:
    return isinstance(value, str) and WHOLE_PLACEHOLDER.fullmatch(value) is not None


@dataclass(slots=True)
class Reader:
    """Takes fields off one object; `finish` refuses what is left over.

    In files of the first Agentify a field of value null counts as not given.
    """

    data: dict[str, Any]
    path: str
    context: Context
    depth: int = 0
    known: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, value: object, path: str, context: Context, depth: int = 0) -> Reader:
        if depth > MAX_DEPTH:
            raise DocumentError(path, f"nested deeper than {MAX_DEPTH} levels")
        data = as_object(value, path)
        if context.format == 1:
            data = {key: item for key, item in data.items() if item is not None}
        return cls(data=data, path=path, context=context, depth=depth)

    def has(self, key: str) -> bool:
        return key in self.data

    def at(self, key: str) -> str:
        return join(self.path, key)

    def take(self, key: str, *, required: bool = False) -> object:
        """The raw value, or None where it is not given."""
        self.known.append(key)
        if key not in self.data:
            if required:
                raise DocumentError(self.at(key), "is missing" + self.lookalike(key))
            return None
        if self.data[key] is None:
            raise DocumentError(self.at(key), "must not be null; leave the field out")
        return self.data[key]

    def lookalike(self, key: str) -> str:
        unknown = islice((other for other in self.data if other not in self.known), MAX_LOOKALIKES)
        close = difflib.get_close_matches(key, list(unknown), n=1, cutoff=0.7)
        return f" (there is an unknown field {close[0]})" if close else ""

    def read(self, key: str, convert: Callable[[object, str], T], *, required: bool = False) -> T | None:
        value = self.take(key, required=required)
        return None if value is None else convert(value, self.at(key))

    def text(self, key: str, *, empty: bool = False) -> str | None:
        return self.read(key, lambda value, path: as_text(value, path, empty=empty))

    def needed_text(self, key: str) -> str:
        return as_text(self.take(key, required=True), self.at(key))

    def boolean(self, key: str) -> bool:
        return bool(self.read(key, as_boolean))

    def integer(self, key: str) -> int | None:
        return self.read(key, as_integer)

    def also_known(self, keys: Iterable[str]) -> None:
        self.known.extend(keys)

    def finish(self) -> None:
        for key in self.data:
            if key not in self.known:
                raise DocumentError(self.at(key[:80]), "unknown field" + did_you_mean(key, self.known))
