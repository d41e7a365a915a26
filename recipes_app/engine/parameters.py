"""A call's arguments: checked, completed, masked, varied, and put into the steps."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from typing import Any

from recipes_app.engine.arguments import problems_of, unknown_names
from recipes_app.engine.errors import ArgumentsError
from recipes_app.engine.parsing.schemas import pointed
from recipes_app.engine.shapes import Recipe
from recipes_app.engine.substitution import omitted, placeholders, substitute, substitute_step

__all__ = [
    "MASK",
    "check_arguments",
    "mask",
    "omitted",
    "other_arguments",
    "placeholders",
    "secret_names",
    "secret_values",
    "substitute",
    "substitute_step",
]

MASK = "••••••"
SECRET_WORDS = {"password", "passwd", "passphrase", "passcode", "secret", "otp", "totp", "pin", "token"}
WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+")


def check_arguments(recipe: Recipe, args: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments with defaults filled in; ArgumentsError lists every problem in plain words.

    A null for a parameter that is not required counts as not given.
    """
    if not isinstance(args, Mapping):
        raise ArgumentsError(["the arguments must be an object of names and values"])
    schema = recipe.parameters
    required = set(schema.get("required") or ())
    given = {name: value for name, value in args.items() if value is not None or name in required}
    complete = with_defaults(schema, given)
    problems = unknown_names(schema, complete)
    known = {name: value for name, value in complete.items() if name in properties(schema) or not problems}
    problems += problems_of(schema, known, "the arguments")
    if problems:
        raise ArgumentsError(hide_secrets(problems, schema, complete))
    return complete


def properties(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    found = schema.get("properties") or {}
    return found if isinstance(found, Mapping) else {}


def with_defaults(schema: Mapping[str, Any], args: Mapping[str, Any]) -> dict[str, Any]:
    complete = dict(args)
    for name, content in properties(schema).items():
        if name not in complete and isinstance(content, Mapping) and "default" in content:
            complete[name] = copy.deepcopy(content["default"])
    return complete


def hide_secrets(problems: list[str], schema: Mapping[str, Any], args: Mapping[str, Any]) -> list[str]:
    wholes = [args[name] for name in secret_names(schema) if args.get(name) not in (None, "", {}, [])]
    for value in (*wholes, *secret_values(schema, args)):
        problems = [problem.replace(repr(value), MASK).replace(str(value), MASK) for problem in problems]
    return problems


def secret_names(schema: Mapping[str, Any]) -> set[str]:
    """Parameters of format password, texts whose name holds one of SECRET_WORDS as a whole word, and whatever has one
    of those anywhere inside, be it behind a reference."""
    return {
        name
        for name, content in properties(schema).items()
        if isinstance(content, Mapping) and (has_secret_name(name, content) or hides(content, schema, set()))
    }


def hides(part: Any, root: Mapping[str, Any], seen: set[str]) -> bool:
    """Whether a secret may lie in a value of this part of a schema."""
    if isinstance(part, list):
        return any(hides(each, root, seen) for each in part)
    if not isinstance(part, Mapping):
        return False
    if is_password(part) or any(
        isinstance(content, Mapping) and has_secret_name(name, content) for name, content in properties(part).items()
    ):
        return True
    link = part.get("$ref")
    if isinstance(link, str) and link not in seen:
        seen.add(link)
        if hides(pointed(root, link), root, seen):
            return True
    return any(hides(content, root, seen) for key, content in part.items() if key not in VALUES)


VALUES = frozenset({"default", "examples", "enum", "const"})


def secret_values(schema: Mapping[str, Any], args: Mapping[str, Any]) -> tuple[str, ...]:
    """The longest first, so that one secret inside another leaves nothing behind."""
    values = {text for name in secret_names(schema) for text in texts_in(args.get(name))}
    return tuple(sorted(values, key=len, reverse=True))


def texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping | list | tuple):
        for inner in value.values() if isinstance(value, Mapping) else value:
            yield from texts_in(inner)
    elif value not in (None, "") and not isinstance(value, bool):
        yield str(value)


def is_password(content: Mapping[str, Any]) -> bool:
    return content.get("format") == "password" or content.get("writeOnly") is True


def has_secret_name(name: str, content: Mapping[str, Any]) -> bool:
    if content.get("type", "string") != "string" or "enum" in content:
        return False
    return not SECRET_WORDS.isdisjoint(word.lower() for word in WORDS.findall(name))


def mask(schema: Mapping[str, Any], args: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments with every secret replaced: what may be stored, logged and shown."""
    hidden = secret_names(schema)
    return {name: MASK if name in hidden and value is not None else value for name, value in args.items()}


def other_arguments(schema: Mapping[str, Any], args: Mapping[str, Any]) -> dict[str, Any]:
    """A second valid set, different from `args` wherever a different valid value is known.

    Secrets, files and addresses stay: another value of those would fail for reasons of its own.
    """
    keep = secret_names(schema)
    others = dict(args)
    for name, content in properties(schema).items():
        if name in args and name not in keep and isinstance(content, Mapping):
            others[name] = next(valid_others(content, args[name]), args[name])
    return others


def valid_others(schema: Mapping[str, Any], value: Any) -> Iterator[Any]:
    for candidate in candidates(schema, value):
        if candidate != value and not problems_of(schema, candidate, "it"):
            yield candidate


def candidates(schema: Mapping[str, Any], value: Any) -> Iterator[Any]:
    for keyword in ("enum", "examples"):
        listed = schema.get(keyword)
        yield from listed if isinstance(listed, list) else ()
    if "enum" in schema or "const" in schema:
        return
    yield from [schema["default"]] if "default" in schema else []
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int | float):
        yield from (value + 1, value - 1, value + (schema.get("multipleOf") or 1))
    elif isinstance(value, str):
        yield from other_texts(schema.get("format"), value)


def other_texts(kind: object, value: str) -> Iterator[str]:
    if kind == "date":
        yield from shifted(value)
    elif kind == "date-time":
        yield from (day + value[10:] for day in shifted(value[:10]))
    elif kind == "email":
        yield "other." + value
    elif kind is None and value.isdecimal():
        yield str(int(value) + 1).zfill(len(value))
    elif kind is None and value:
        yield from (f"{value} 2", f"{value}2", value[:-1])


def shifted(day: str) -> Iterator[str]:
    try:
        yield (date.fromisoformat(day) + timedelta(days=1)).isoformat()
    except (ValueError, OverflowError):
        return
