"""Types of fields: a word of the first format ("string | null", "list[string]"), or an object that says more."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from evidence_app.spec.shapes import TYPES, FieldSpec
from recipes_app.engine.errors import DocumentError
from recipes_app.engine.parsing.reader import as_boolean, as_list, as_object, as_text, did_you_mean, join
from recipes_app.engine.patterns import BadPattern, read_pattern

WORDS = {
    "string": "str", "str": "str", "text": "str",
    "integer": "int", "int": "int",
    "number": "float", "float": "float", "decimal": "float",
    "boolean": "bool", "bool": "bool",
    "date": "date", "datetime": "datetime", "date-time": "datetime", "timestamp": "datetime",
    "url": "url", "uri": "url",
    "array": "list", "list": "list",
    "object": "object", "dict": "object",
    "enum": "enum", "any": "any",
}  # fmt: skip
NULL_WORDS = frozenset({"null", "none", "optional"})
LIST_OF = re.compile(r"^(?:list|array)\s*(?:\[(?P<a>.*)\]|<(?P<b>.*)>|\s+of\s+(?P<c>.+))$", re.IGNORECASE)
QUOTED = re.compile(r"""^(["']).*\1$""")
KEYS = frozenset({"type", "nullable", "pattern", "choices", "enum", "items", "fields", "properties", "description"})
MAX_DEPTH = 8


def parse_fields(value: object, path: str, *, depth: int = 0) -> tuple[FieldSpec, ...]:
    """One spec per member of an object {name: type}."""
    members = as_object(value, path)
    return tuple(parse_field(name, declared, join(path, name), depth=depth) for name, declared in members.items())


def parse_field(name: str, declared: object, path: str, *, depth: int = 0) -> FieldSpec:
    if depth > MAX_DEPTH:
        raise DocumentError(path, f"nested more than {MAX_DEPTH} deep")
    if not name.strip():
        raise DocumentError(path, "a field needs a name")
    if isinstance(declared, str):
        return _from_words(name, declared)
    if isinstance(declared, list):
        return _from_list(name, declared, path, depth)
    said = as_object(declared, path)
    return _from_object(name, said, path, depth) if "type" in said else _from_members(name, said, path, depth)


def _from_words(name: str, declared: str) -> FieldSpec:
    """Words nobody knows describe a value of any type: files of the first format say what they like."""
    parts = [part.strip() for part in re.split(r"\||\bor\b", declared) if part.strip()]
    kinds = [part for part in parts if part.lower() not in NULL_WORDS]
    nullable = len(kinds) < len(parts)
    quoted = tuple(part[1:-1] for part in kinds if QUOTED.match(part))
    if quoted and len(quoted) == len(kinds):
        return FieldSpec(name, "enum", nullable, choices=quoted, declared=declared)
    if len(kinds) != 1:
        return FieldSpec(name, "any", True, declared=declared)
    kind, items = _kind_of(kinds[0])
    return FieldSpec(name, kind, nullable, items=items, declared=declared)


def _kind_of(word: str) -> tuple[str, FieldSpec | None]:
    if match := LIST_OF.match(word):
        inner = next(part for part in match.groups() if part is not None)
        kind, items = _kind_of(inner.strip().removesuffix("s") if inner.strip().lower() not in WORDS else inner.strip())
        return "list", FieldSpec("", kind, False, items=items)
    first = re.split(r"[\s(,:;]", word.strip(), maxsplit=1)[0].lower()
    return WORDS.get(word.strip().lower(), WORDS.get(first, "any")), None


def _from_list(name: str, declared: list[object], path: str, depth: int) -> FieldSpec:
    """`[type]`: a list of that; an empty one, a list of anything."""
    if len(declared) > 1:
        raise DocumentError(path, "a list has one type of items, so name one")
    items = parse_field("items", declared[0], f"{path}[0]", depth=depth + 1) if declared else None
    return FieldSpec(name, "list", False, items=items, declared=declared)


def _from_members(name: str, said: Mapping[str, Any], path: str, depth: int) -> FieldSpec:
    """An object without `type` names its members."""
    return FieldSpec(name, "object", False, fields=parse_fields(said, path, depth=depth + 1), declared=dict(said))


def _from_object(name: str, said: Mapping[str, Any], path: str, depth: int) -> FieldSpec:
    _refuse_unknown(said, path)
    kind, nullable = _said_type(said["type"], join(path, "type"))
    choices = as_list(said.get("choices", said.get("enum", [])), join(path, "choices"))
    if choices and kind in ("str", "any"):
        kind = "enum"
    if kind == "enum" and not choices:
        raise DocumentError(path, "an enum needs its choices")
    items, members = said.get("items"), said.get("fields", said.get("properties"))
    return FieldSpec(
        name,
        kind,
        as_boolean(said.get("nullable", nullable), join(path, "nullable")),
        _pattern(said.get("pattern", ""), join(path, "pattern")),
        tuple(as_text(choice, f"{join(path, 'choices')}[{index}]") for index, choice in enumerate(choices)),
        None if items is None else parse_field("items", items, join(path, "items"), depth=depth + 1),
        () if members is None else parse_fields(members, join(path, "fields"), depth=depth + 1),
        as_text(said.get("description", ""), join(path, "description"), empty=True),
        declared=dict(said),
    )


def _refuse_unknown(said: Mapping[str, Any], path: str) -> None:
    for key in said:
        if key not in KEYS:
            raise DocumentError(join(path, key), f"unknown field{did_you_mean(key, KEYS)}")


def _said_type(value: object, path: str) -> tuple[str, bool]:
    """The type, and whether null may stand for it; as in JSON Schema, a list of types may name null."""
    names = [as_text(name, path) for name in (value if isinstance(value, list) else [value])]
    kinds = [name for name in names if name.lower() not in NULL_WORDS]
    if len(kinds) != 1:
        raise DocumentError(path, "name one type (and null, if it may be missing)")
    kind = kinds[0] if kinds[0] in TYPES else WORDS.get(kinds[0].lower())
    if kind is None:
        hint = did_you_mean(kinds[0], TYPES) or f"; one of {', '.join(TYPES)}"
        raise DocumentError(path, f"unknown type {kinds[0][:60]!r}{hint}")
    return kind, len(kinds) < len(names)


def _pattern(value: object, path: str) -> str:
    pattern = as_text(value, path, empty=True)
    if pattern:
        try:
            read_pattern(pattern)
        except BadPattern as error:
            raise DocumentError(path, str(error)) from error
    return pattern
