"""Names and types for what a tool returns, asked of a model: the rules have found the fields and can read them.

The model sees field names and a few values; it can rename a field and say how its text is read, nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from recipes_app.engine.document import Column, ExtractField, Recipe, Step
from recipes_app.engine.values.typed import Read, typed
from recipes_app.engine.vocabulary import VALUE_TYPES
from recipes_app.llm.base import Answer, Asks, Message, Request
from recipes_app.llm.errors import ModelError
from recipes_app.llm.fencing import fence
from recipes_app.mapping.propose.columns import rows_schema
from recipes_app.mapping.propose.draft import object_schema
from recipes_app.mapping.propose.words import snake
from recipes_app.mapping.record import Recorded

SAMPLES = 3
SAMPLE_CHARACTERS = 60
MAX_NAME = 40
RULES = """Name the fields of what a tool returns: short snake_case English nouns that say what each value is.
type is how its text is read: string unless every sample is clearly of another type."""
FIELD = {
    "type": "object",
    "properties": {
        "field": {"type": "string"},
        "name": {"type": "string"},
        "type": {"type": "string", "enum": list(VALUE_TYPES)},
    },
    "required": ["field", "name", "type"],
    "additionalProperties": False,
}
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"fields": {"type": "array", "items": FIELD}},
    "required": ["fields"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Rows:
    """The step that reads rows, where it stands, and what it read."""

    index: int
    step: Step
    key: str
    rows: Sequence[Mapping[str, Any]]

    @property
    def fields(self) -> Mapping[str, ExtractField | Column]:
        found = self.step.fields.get("fields") or self.step.fields.get("columns")
        return found if isinstance(found, Mapping) else {}

    def samples(self, name: str) -> list[Any]:
        values = [row.get(name) for row in self.rows if row.get(name) not in (None, "")]
        return values[:SAMPLES]


def named(recorded: Recorded, model: Asks) -> Recorded:
    """With the model's names and types, as far as they fit; unchanged where it is of no help."""
    rows = _rows_of(recorded)
    if rows is None or not rows.fields:
        return recorded
    try:
        answer = model.ask(_request(recorded.recipe, rows), check=_check(rows))
    except ModelError:
        # What the rules call the fields is right as well, only plainer.
        return recorded
    return _renamed(recorded, rows, (answer.data or {}).get("fields", []))


def _rows_of(recorded: Recorded) -> Rows | None:
    for index, step in enumerate(recorded.recipe.steps):
        key = str(step.fields.get("key", ""))
        rows = recorded.result.data.get(key)
        if step.op in {"extract_list", "extract_table"} and isinstance(rows, list) and rows:
            return Rows(index, step, key, rows)
    return None


def _request(recipe: Recipe, rows: Rows) -> Request:
    lines = [f"{name}: {json.dumps(_short(rows.samples(name)), ensure_ascii=False)}" for name in rows.fields]
    text = f"Tool {recipe.name}: {recipe.description}\n{fence(chr(10).join(lines), 'fields and samples')}"
    return Request((RULES,), (Message("user", text),), answer_schema=SCHEMA, max_tokens=600, fast=True, purpose="name")


def _short(values: Sequence[Any]) -> list[str]:
    return [str(value)[:SAMPLE_CHARACTERS] for value in values]


@dataclass(frozen=True, slots=True)
class _check:  # noqa: N801 - a check is called
    rows: Rows

    def __call__(self, answer: Answer, /) -> None:
        entries = (answer.data or {}).get("fields", [])
        unknown = [entry["field"] for entry in entries if entry["field"] not in self.rows.fields]
        if unknown:
            raise ValueError(f"There is no field {', '.join(unknown)[:100]}; there are {', '.join(self.rows.fields)}.")


def _renamed(recorded: Recorded, rows: Rows, entries: Sequence[Mapping[str, str]]) -> Recorded:
    names, types = _names(rows, entries), _types(rows, entries)
    shapes = {names[name]: replace(shape, type=types[name]) for name, shape in rows.fields.items()}
    place = "fields" if "fields" in rows.step.fields else "columns"
    step = replace(rows.step, fields={**rows.step.fields, place: shapes})
    steps = (*recorded.recipe.steps[: rows.index], step, *recorded.recipe.steps[rows.index + 1 :])
    schema = rows_schema((names[name], types[name]) for name in rows.fields)
    known = dict((recorded.recipe.returns or {}).get("properties", {}))
    recipe = replace(recorded.recipe, steps=steps, returns=object_schema({**known, rows.key: schema}))
    read = [{names.get(key, key): value for key, value in row.items()} for row in rows.rows]
    result = replace(recorded.result, data={**recorded.result.data, rows.key: read})
    return replace(recorded, recipe=recipe, result=result)


def _names(rows: Rows, entries: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """No two alike: a name that is taken leaves the field its own."""
    wanted = {entry["field"]: snake(entry["name"])[:MAX_NAME] for entry in entries}
    names: dict[str, str] = {}
    for name in rows.fields:
        new = wanted.get(name, "")
        taken = new in names.values() or (new != name and new in rows.fields)
        names[name] = new if new and new[0].isalpha() and not taken else name
    return names


def _types(rows: Rows, entries: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """Only a text is read otherwise, and only where all that was read can be."""
    wanted = {entry["field"]: entry["type"] for entry in entries}
    return {name: _type(shape.type, wanted.get(name, ""), rows, name) for name, shape in rows.fields.items()}


def _type(now: str, wanted: str, rows: Rows, name: str) -> str:
    if now != "string" or wanted not in VALUE_TYPES or wanted == "url":
        return now
    try:
        for row in rows.rows:
            typed(Read(row.get(name)), wanted, None)
    except (ValueError, TypeError):
        return now
    return wanted
