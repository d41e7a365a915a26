"""JSON Schemas inside a recipe, refused where they are wrong or could hurt the reader."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.exceptions import SchemaError

from recipes_app.engine.errors import DocumentError
from recipes_app.engine.parsing.fields import read_plain_json
from recipes_app.engine.parsing.reader import as_list, as_object, join
from recipes_app.engine.patterns import BadPattern, read_pattern

# How many parts a schema may have, each counted as often as something refers to it.
MAX_PARTS = 20_000
NO_FORMATS = FormatChecker(formats=())
PARAMETER_NAME = re.compile(r"[A-Za-z_]\w{0,63}", re.ASCII)


def read_schema(value: object, path: str, *, must_be_object: bool) -> dict[str, Any]:
    schema: dict[str, Any] = read_plain_json(as_object(value, path), path)
    if Size(schema).of(schema) > MAX_PARTS:
        raise DocumentError(path, f"more than {MAX_PARTS} parts, counted as often as they are referred to")
    if must_be_object:
        check_parameters(schema, path)
    for at, keyword, content in keywords(schema, path):
        check_keyword(at, keyword, content)
    try:
        Draft202012Validator.check_schema(schema, format_checker=NO_FORMATS)
    except SchemaError as error:
        where = ".".join(str(part) for part in error.absolute_path)
        raise DocumentError(
            join(path, where) if where else path, f"no valid JSON Schema: {error.message[:200]}"
        ) from None
    check_unevaluated(schema, path)
    return schema


@dataclass(slots=True)
class Size:
    """Counts the parts of a schema, those referred to again each time; a part inside itself is counted once."""

    root: Mapping[str, Any]
    known: dict[int, int] = field(default_factory=dict)

    def of(self, value: Any) -> int:
        if not isinstance(value, dict | list):
            return 1
        if id(value) not in self.known:
            self.known[id(value)] = 1
            inner = value.values() if isinstance(value, dict) else value
            self.known[id(value)] = 1 + sum(map(self.of, inner)) + self.referred(value)
        return self.known[id(value)]

    def referred(self, value: Any) -> int:
        links = [value.get(key) for key in REFERENCES] if isinstance(value, dict) else []
        return sum(self.of(pointed(self.root, link)) for link in links if isinstance(link, str))


REFERENCES = ("$ref", "$dynamicRef")


def pointed(root: Mapping[str, Any], pointer: str) -> Any:
    """What a pointer such as #/$defs/name points at; None for nothing."""
    at: Any = root
    for part in pointer.removeprefix("#/").split("/"):
        if isinstance(at, list) and part.isdecimal() and int(part[:6]) < len(at):
            at = at[int(part[:6])]
        elif isinstance(at, dict):
            at = at.get(unquote(part).replace("~1", "/").replace("~0", "~"))
        else:
            return None
    return at


def check_parameters(schema: dict[str, Any], path: str) -> None:
    if schema.setdefault("type", "object") != "object":
        raise DocumentError(join(path, "type"), "must be object")
    properties = as_object(schema.setdefault("properties", {}), join(path, "properties"))
    for name, content in properties.items():
        if not PARAMETER_NAME.fullmatch(name):
            raise DocumentError(
                join(path, f"properties.{name[:80]}"), "must be a name of letters, digits and _, at most 64"
            )
        as_object(content, join(path, f"properties.{name}"))
    for index, name in enumerate(as_list(schema.get("required", []), join(path, "required"))):
        if not isinstance(name, str) or name not in properties:
            raise DocumentError(join(path, f"required[{index}]"), f"no parameter is named {str(name)[:80]}")


def keywords(value: Any, path: str) -> Iterator[tuple[str, str, Any]]:
    if isinstance(value, dict):
        for key, content in value.items():
            yield join(path, key), key, content
            yield from keywords(content, join(path, key))
    elif isinstance(value, list):
        for index, content in enumerate(value):
            yield from keywords(content, f"{path}[{index}]")


def check_keyword(path: str, keyword: str, content: Any) -> None:
    if keyword in REFERENCES and isinstance(content, str) and not content.startswith("#/$defs/"):
        raise DocumentError(path, "may only point into the schema's own $defs")
    if keyword == "$id" and isinstance(content, str) and path.count(".") > 1:
        raise DocumentError(path, "only the schema as a whole may have an address of its own")
    if keyword == "pattern" and isinstance(content, str):
        check_pattern(path, content)
    if keyword == "patternProperties" and isinstance(content, dict):
        for pattern in content:
            check_pattern(path, pattern)


def check_pattern(path: str, pattern: str) -> None:
    try:
        read_pattern(pattern)
    except BadPattern as error:
        raise DocumentError(path, f"no usable pattern: {error}") from None


def check_unevaluated(schema: dict[str, Any], path: str) -> None:
    """jsonschema's way to find what was evaluated matches patterns by itself, in whatever time that takes."""
    used = {keyword for _, keyword, _ in keywords(schema, path)}
    if "patternProperties" in used and not used.isdisjoint({"unevaluatedProperties", "unevaluatedItems"}):
        raise DocumentError(path, "patternProperties and unevaluatedProperties cannot be used together")
