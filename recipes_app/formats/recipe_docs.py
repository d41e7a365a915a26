"""The op reference in docs/recipes.md, written from the op table."""

from __future__ import annotations

from collections.abc import Iterable

from recipes_app.engine.vocabulary import SPECS, VALUE_TYPES, Field, OpSpec, default_timeout_ms

BEGIN = "<!-- op reference: written by `manage.py recipe_docs`, do not edit -->"
END = "<!-- end of the op reference -->"

TYPE_WORDS = {
    "text": "text",
    "code": "script",
    "url": "address",
    "value": "text, number or boolean",
    "values": "one value, or a list",
    "flag": "true or false",
    "boolean": "true or false",
    "integer": "whole number",
    "key": "name",
    "target": "[target](#targets)",
    "condition": "[condition](#conditions)",
    "inline_condition": "[condition](#conditions)",
    "steps": "steps",
    "branches": "branches",
    "modifiers": "list",
    "offset": "object",
    "fields": "object",
    "columns": "object",
    "page": "page",
    "place": "[target](#targets) or object",
    "items": "array argument, list or [target](#targets)",
    "args": "object",
    "tool": "name",
}


def op_reference(specs: Iterable[OpSpec] = SPECS) -> str:
    """Markdown: one table of all ops, then the fields of each."""
    specs = tuple(specs)
    lines = [BEGIN, "", "| op | what it does | may change something | time |", "|---|---|---|---|"]
    lines += [overview_row(spec) for spec in specs]
    for spec in specs:
        lines += ["", *op_section(spec)]
    return "\n".join([*lines, "", END])


def overview_row(spec: OpSpec) -> str:
    seconds = default_timeout_ms(spec.name, optional=False) / 1000
    return f"| [`{spec.name}`](#{spec.name}) | {spec.help} | {'yes' if spec.writes else 'no'} | {seconds:g} s |"


def op_section(spec: OpSpec) -> list[str]:
    lines = [f"### {spec.name}", "", spec.help]
    if spec.one_of:
        lines += ["", f"Exactly one of {', '.join(f'`{name}`' for name in spec.one_of)} is given."]
    if spec.value_field:
        lines += ["", f"Does nothing when `{spec.value_field}` is an optional argument that was not given."]
    if spec.fields:
        lines += ["", "| field | | what it is |", "|---|---|---|", *map(field_row, spec.fields)]
    return lines


def field_row(field: Field) -> str:
    need = "required" if field.required else "optional"
    return f"| `{field.name}` | {need}, {type_words(field)} | {field.help} |"


def type_words(field: Field) -> str:
    if field.choices == VALUE_TYPES:
        return "[type](#types)"
    if field.choices:
        return " or ".join(f"`{choice}`" for choice in field.choices)
    return TYPE_WORDS[field.type]


def with_op_reference(document: str) -> str:
    """The document with the part between the two marks written anew. ValueError when the marks are missing."""
    head, begin, rest = document.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        raise ValueError("the document has no marks for the op reference")
    return head + op_reference() + tail
