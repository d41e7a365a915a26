"""JSON Schema for arguments and results: formats checked, problems said in plain words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime, time
from typing import Any
from urllib.parse import urlsplit

from jsonschema import FormatChecker
from jsonschema.exceptions import ValidationError

from recipes_app.engine.checking import TooMuch, errors_in
from recipes_app.engine.parsing.reader import did_you_mean

FORMATS = FormatChecker(formats=())
EMAIL = re.compile(r"[^@\s]+@[^@\s.]+(?:\.[^@\s.]+)*")
DATA_URL = re.compile(r"data:[^,]*,", re.ASCII)


def parses(parse: Callable[[str], object], value: str) -> bool:
    try:
        parse(value)
    except ValueError:
        return False
    return True


@FORMATS.checks("date")
def is_date(value: object) -> bool:
    return not isinstance(value, str) or (len(value) == 10 and parses(date.fromisoformat, value))


@FORMATS.checks("date-time")
def is_date_time(value: object) -> bool:
    return not isinstance(value, str) or ("T" in value.upper() and parses(datetime.fromisoformat, value))


@FORMATS.checks("time")
def is_time(value: object) -> bool:
    return not isinstance(value, str) or parses(time.fromisoformat, value)


@FORMATS.checks("email")
def is_email(value: object) -> bool:
    return not isinstance(value, str) or EMAIL.fullmatch(value) is not None


@FORMATS.checks("uri")
def is_uri(value: object) -> bool:
    return not isinstance(value, str) or parses(absolute_address, value)


@FORMATS.checks("x-file")
def is_file(value: object) -> bool:
    """A data URL, or an object of name, media_type and base64: never a path on the worker."""
    if isinstance(value, Mapping):
        return isinstance(value.get("base64"), str) and isinstance(value.get("name", ""), str)
    return not isinstance(value, str) or DATA_URL.match(value) is not None


def absolute_address(value: str) -> None:
    parts = urlsplit(value)
    if not parts.scheme or not (parts.netloc or parts.path) or re.search(r"\s", value):
        raise ValueError(value)


def problems_of(schema: Mapping[str, Any], value: Any, what: str) -> list[str]:
    """Every way in which `value` breaks `schema`, one plain sentence each, in a stable order."""
    try:
        errors = errors_in(schema, value, FORMATS)
    except RecursionError:
        return [f"{what} cannot be checked: the schema refers to itself without end, or they are nested too deep"]
    except TooMuch as error:
        return [f"{what} cannot be checked: {error}"]
    return [sentence for error in errors for sentence in sentences(error, what)]


def sentences(error: ValidationError, what: str) -> Iterator[str]:
    subject = place(error, what)
    writer = WRITERS.get(str(error.validator))
    yield from [writer(error, subject)] if writer else [f"{subject}: {shortened(error.message)}"]


def place(error: ValidationError, what: str) -> str:
    path = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.absolute_path)
    return path.lstrip(".") or what


def shortened(message: str) -> str:
    return message if len(message) <= 200 else message[:200] + "…"


def shown(value: Any) -> str:
    words = {True: "true", False: "false"}[value] if isinstance(value, bool) else repr(value)
    return shortened(words) if value is not None else "null"


def missing_words(error: ValidationError, subject: str) -> str:
    instance = error.instance if isinstance(error.instance, dict) else {}
    required = error.validator_value if isinstance(error.validator_value, list) else []
    names = [name for name in required if name not in instance and repr(name) in error.message]
    name = names[0] if names else error.message
    return f"{name} is required" if subject in {"the arguments", "the result"} else f"{subject}.{name} is required"


def type_words(error: ValidationError, subject: str) -> str:
    wanted = error.validator_value
    kinds = " or ".join(wanted) if isinstance(wanted, list) else str(wanted)
    return f"{subject} must be of type {kinds}, not {shown(error.instance)}"


FORMAT_WORDS = {
    "date": "a date such as 2026-02-03",
    "date-time": "a date and time such as 2026-02-03T14:30:00Z",
    "time": "a time such as 14:30:00",
    "email": "an e-mail address",
    "uri": "an absolute address such as https://example.com/",
    "x-file": "a file as a data: URL, or an object of name, media_type and base64",
}


def format_words(error: ValidationError, subject: str) -> str:
    wanted = FORMAT_WORDS.get(str(error.validator_value), str(error.validator_value))
    return f"{subject} must be {wanted}, not {shown(error.instance)}"


def enum_words(error: ValidationError, subject: str) -> str:
    values = error.validator_value if isinstance(error.validator_value, list) else [error.validator_value]
    offered = ", ".join(shown(value) for value in values[:20])
    return f"{subject} must be one of {offered}, not {shown(error.instance)}"


def contains_words(error: ValidationError, subject: str) -> str:
    wanted = error.validator_value if isinstance(error.validator_value, dict) else {}
    names = ", ".join(map(str, wanted.get("required") or ()))
    return f"{subject}: no entry has {names}" if names else f"{subject} has no entry that fits"


def limit_words(wording: str) -> Callable[[ValidationError, str], str]:
    return lambda error, subject: f"{subject} {wording.format(error.validator_value)}, not {shown(error.instance)}"


WRITERS: dict[str, Callable[[ValidationError, str], str]] = {
    "required": missing_words,
    "type": type_words,
    "format": format_words,
    "enum": enum_words,
    "const": enum_words,
    "minimum": limit_words("must be at least {}"),
    "maximum": limit_words("must be at most {}"),
    "exclusiveMinimum": limit_words("must be more than {}"),
    "exclusiveMaximum": limit_words("must be less than {}"),
    "minLength": limit_words("must have at least {} characters"),
    "maxLength": limit_words("must have at most {} characters"),
    "pattern": limit_words("must match the pattern {}"),
    "minItems": limit_words("must have at least {} entries"),
    "maxItems": limit_words("must have at most {} entries"),
    "contains": contains_words,
}


def unknown_names(schema: Mapping[str, Any], args: Mapping[str, Any]) -> list[str]:
    """A name nobody declared is a slip, unless the schema explicitly allows further ones."""
    if schema.get("additionalProperties") or schema.get("patternProperties"):
        return []
    known = list(schema.get("properties") or {})
    return [f"{name} is no parameter{did_you_mean(str(name), known)}" for name in args if name not in known]
