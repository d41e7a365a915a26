"""Putting arguments in the place of `{{name}}`."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from recipes_app.engine.errors import StepFailure
from recipes_app.engine.naming import PLACEHOLDER, WHOLE_PLACEHOLDER
from recipes_app.engine.shapes import Step
from recipes_app.engine.vocabulary import VOCABULARY

KEEP_TYPE = {"value", "values", "flag", "boolean", "integer", "items"}
UNTOUCHED = {"code", "steps", "branches", "key", "tool"}


class PageItem(dict[str, Any]):
    """An element that a loop is at: its text, and attributes by name. In a text it stands for its text."""


def look_up(name: str, arguments: Mapping[str, Any]) -> Any:
    """The argument, or the field of one (`_item.title`); None where there is none."""
    value: Any = arguments
    for part in name.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value


def as_words(value: Any) -> str:
    """An argument as it is typed into a page or put into a text."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, list | tuple):
        return ", ".join(as_words(entry) for entry in value)
    if isinstance(value, PageItem):
        return as_words(value.get("text"))
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else str(value)


def substitute(value: Any, arguments: Mapping[str, Any], *, url: bool = False) -> Any:
    """`value` with every placeholder filled, in one pass: an argument's own braces stay as they are.

    A text that is one placeholder keeps the argument's type; an omitted argument gives an empty text.
    Inside documents (Target, Condition …), where only texts are allowed, it is always made a text.
    """
    if isinstance(value, str):
        return fill_whole(value, arguments) if WHOLE_PLACEHOLDER.fullmatch(value) else fill(value, arguments, url=url)
    if isinstance(value, list | tuple):
        return type(value)(substitute(entry, arguments, url=url) for entry in value)
    if isinstance(value, Mapping):
        return {key: substitute(entry, arguments, url=url) for key, entry in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return substitute_shape(value, arguments)
    return value


def fill_whole(text: str, arguments: Mapping[str, Any]) -> Any:
    match = WHOLE_PLACEHOLDER.fullmatch(text)
    value = look_up(match.group(1), arguments) if match else text
    return "" if value is None else value


def fill(text: str, arguments: Mapping[str, Any], *, url: bool = False) -> str:
    def put(match: re.Match[str]) -> str:
        words = as_words(look_up(match.group(1), arguments))
        return quote(words, safe="") if url else words

    return PLACEHOLDER.sub(put, text)


def substitute_shape(shape: Any, arguments: Mapping[str, Any]) -> Any:
    changes = {
        field.name: substitute_inner(getattr(shape, field.name), arguments) for field in dataclasses.fields(shape)
    }
    for name, read in (("nth", as_position), ("x", as_pixels), ("y", as_pixels)):
        words = changes.get(f"{name}_argument")
        if words is not None:
            changes |= {name: read(words), f"{name}_argument": None}
    return dataclasses.replace(shape, **changes)


def as_position(words: str) -> int:
    if not words.isdecimal():
        raise StepFailure("bad_arguments", f"nth must be a whole number, not “{words[:40]}”")
    return int(words)


def as_pixels(words: str) -> float:
    try:
        return float(words)
    except ValueError:
        raise StepFailure("bad_arguments", f"a distance must be a number, not “{words[:40]}”") from None


def substitute_inner(value: Any, arguments: Mapping[str, Any]) -> Any:
    if isinstance(value, str):
        return fill(value, arguments)
    return substitute(value, arguments) if value is not None else None


def substitute_step(step: Step, arguments: Mapping[str, Any]) -> Step:
    """The step ready to run; nested steps and scripts are left as they are."""
    spec = VOCABULARY[step.op]
    fields: dict[str, object] = {}
    for name, value in step.fields.items():
        field = spec.field(name)
        fields[name] = substitute_field(field.type if field else "text", value, arguments)
    return dataclasses.replace(step, fields=fields, expect=substitute_inner(step.expect, arguments))


def substitute_field(kind: str, value: Any, arguments: Mapping[str, Any]) -> Any:
    if kind in UNTOUCHED:
        return value
    if kind in KEEP_TYPE or not isinstance(value, str):
        return substitute(value, arguments)
    if kind == "url" and WHOLE_PLACEHOLDER.fullmatch(value) is None:
        return fill(value, arguments, url=True)
    return fill(value, arguments)


def placeholders(value: Any) -> set[str]:
    """The names of all placeholders in a value, document or step; scripts have none."""
    if isinstance(value, str):
        return {match.group(1) for match in PLACEHOLDER.finditer(value)}
    if isinstance(value, Step):
        return step_placeholders(value)
    if isinstance(value, list | tuple):
        return set().union(*(placeholders(entry) for entry in value))
    if isinstance(value, Mapping):
        return set().union(*(placeholders(entry) for entry in value.values()))
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return set().union(*(placeholders(getattr(value, field.name)) for field in dataclasses.fields(value)))
    return set()


def step_placeholders(step: Step) -> set[str]:
    spec = VOCABULARY[step.op]
    found = placeholders(step.expect)
    for name, value in step.fields.items():
        field = spec.field(name)
        if field is None or field.type != "code":
            found |= placeholders(value)
    return found


def omitted(value: Any, arguments: Mapping[str, Any]) -> list[str]:
    """Which of the placeholders in `value` stand for an argument that was not given."""
    return sorted(name for name in placeholders(value) if look_up(name, arguments) is None)
