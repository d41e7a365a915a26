"""Bodies: read strictly, and refused with the shape that was expected."""

import json
import math
from collections.abc import Iterator
from typing import Any, ClassVar, NoReturn

from django.http import HttpRequest
from ninja.parser import Parser
from pydantic import BaseModel, ConfigDict, model_validator

DEEPEST = 100


class Unreadable(ValueError):
    """One line for a person."""


class StrictParser(Parser):
    """JSON that every database can keep: finite numbers, whole characters, no endless nesting."""

    def parse_body(self, request: HttpRequest) -> Any:
        try:
            data = json.loads(request.body, parse_constant=_no_constant)
        except RecursionError as error:
            raise Unreadable("The body is nested too deeply.") from error
        except ValueError as error:
            raise Unreadable(f"The body is no JSON: {error}.") from error
        for value in each_value(data):
            _check(value)
        return data


def each_value(data: Any) -> Iterator[Any]:
    """Every value and every key in it; Unreadable past DEEPEST."""
    waiting = [(data, 0)]
    while waiting:
        value, depth = waiting.pop()
        yield value
        if depth > DEEPEST:
            raise Unreadable(f"The body is nested more than {DEEPEST} deep.")
        inner = (
            [*value.keys(), *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else []
        )
        waiting += [(each, depth + 1) for each in inner]


def _check(value: Any) -> None:
    if isinstance(value, float) and not math.isfinite(value):
        raise Unreadable("The body holds a number that is too large.")
    if isinstance(value, str) and ("\0" in value or any("\ud800" <= letter <= "\udfff" for letter in value)):
        raise Unreadable("The body holds a character that is none: U+0000, or half of a surrogate pair.")


def _no_constant(name: str) -> NoReturn:
    raise Unreadable(f"{name} is no JSON number")


class Given(BaseModel):
    """What an operation takes; `shape` is said where something else came."""

    model_config = ConfigDict(extra="forbid", strict=True)
    shape: ClassVar[str] = ""

    @model_validator(mode="before")
    @classmethod
    def _has_the_shape(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            raise ValueError(f"expected {cls.shape}")  # noqa: TRY004 - pydantic's way of saying it
        if unknown := sorted(data.keys() - cls.model_fields.keys()):
            names, verb = ", ".join(unknown[:12]), "is" if len(unknown) == 1 else "are"
            raise ValueError(f"{names} {verb} not known here; expected {cls.shape}")
        return data
