"""A JSON Schema validator that a crafted schema or value cannot keep busy.

Patterns go through recipes_app.engine.patterns; every keyword looked at is counted, and all of a check together may
take so much of the processor's time and no more.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import wraps
from itertools import islice
from time import thread_time
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend

from recipes_app.engine.patterns import BadPattern, read_pattern

MAX_LOOKS = 500_000
MAX_SECONDS = 2.0
MAX_PROBLEMS = 50

Errors = Iterator[ValidationError]
Keyword = Callable[[Any, Any, Any, Any], Errors | None]


class TooMuch(Exception):
    """The check would take too long; the message says of what."""


@dataclass(slots=True)
class Budget:
    looks: int = MAX_LOOKS
    until: float = field(default_factory=lambda: thread_time() + MAX_SECONDS)

    def spend(self) -> None:
        self.looks -= 1
        if self.looks < 0 or thread_time() > self.until:
            raise TooMuch("the schema asks for more than can be looked at")


BUDGET: ContextVar[Budget] = ContextVar("budget of a check")


@contextmanager
def budgeted() -> Iterator[None]:
    token = BUDGET.set(Budget())
    try:
        yield
    finally:
        BUDGET.reset(token)


def errors_in(schema: Mapping[str, Any], value: Any, formats: FormatChecker) -> list[ValidationError]:
    """The first MAX_PROBLEMS of them, in a stable order. Raises TooMuch, RecursionError."""
    validator = BoundedValidator(dict(schema), format_checker=formats)
    with budgeted():
        found = list(islice(validator.iter_errors(value), MAX_PROBLEMS))
    return sorted(found, key=lambda error: [str(part) for part in error.absolute_path])


def counted(keyword: Keyword) -> Keyword:
    @wraps(keyword)
    def check(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:
        BUDGET.get().spend()
        yield from keyword(validator, value, instance, schema) or ()

    return check


def matches(pattern: str, text: str) -> bool:
    BUDGET.get().spend()
    try:
        return read_pattern(pattern).found_in(text)
    except BadPattern as error:
        raise TooMuch(f"the pattern {pattern[:80]} is {error}") from None


def pattern(_validator: Any, wanted: str, instance: Any, _schema: Any) -> Errors:
    if isinstance(instance, str) and not matches(wanted, instance):
        yield ValidationError(f"{instance[:100]!r} does not match {wanted!r}")


def pattern_properties(validator: Any, wanted: Mapping[str, Any], instance: Any, _schema: Any) -> Errors:
    if not isinstance(instance, dict):
        return
    for text, schema in wanted.items():
        for key, value in instance.items():
            if matches(text, key):
                yield from validator.descend(value, schema, path=key, schema_path=text)


def additional_properties(validator: Any, allowed: Any, instance: Any, schema: Mapping[str, Any]) -> Errors:
    if not isinstance(instance, dict):
        return
    listed, patterns = schema.get("properties", {}), schema.get("patternProperties", {})
    extras = [key for key in instance if key not in listed and not any(matches(text, key) for text in patterns)]
    if isinstance(allowed, dict):
        for key in extras:
            yield from validator.descend(instance[key], allowed, path=key)
    elif not allowed and extras:
        names = ", ".join(str(key)[:80] for key in extras[:5])
        yield ValidationError(f"{names} {'is' if len(extras) == 1 else 'are'} not foreseen")


def unique_items(_validator: Any, wanted: Any, instance: Any, _schema: Any) -> Errors:
    """jsonschema compares every entry with every other one where they cannot be sorted."""
    if wanted and isinstance(instance, list):
        seen = {json.dumps(_comparable(entry), sort_keys=True, default=str) for entry in instance}
        if len(seen) < len(instance):
            yield ValidationError("has equal entries")


def _comparable(value: Any) -> Any:
    """1 and 1.0 are one number in JSON, 1 and true are not."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: _comparable(item) for key, item in value.items()}
    return [_comparable(item) for item in value] if isinstance(value, list) else value


OWN: dict[str, Keyword] = {
    "pattern": pattern,
    "patternProperties": pattern_properties,
    "additionalProperties": additional_properties,
    "uniqueItems": unique_items,
}
KEYWORDS = {
    name: counted(keyword)
    for name, known in Draft202012Validator.VALIDATORS.items()
    if (keyword := OWN.get(name, known)) is not None
}
# Derived by jsonschema itself: a subclass of ours would not stay one in `evolve`.
BoundedValidator = extend(Draft202012Validator, KEYWORDS)  # type: ignore[no-untyped-call]
