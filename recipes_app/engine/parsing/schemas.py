"""JSON Schemas inside a recipe, refused where they are wrong or could hurt the reader."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError

from recipes_app.engine.errors import DocumentError
from recipes_app.engine.parsing.fields import read_plain_json
from recipes_app.engine.parsing.reader import as_object, join

# A repeated group holding a repetition can take exponential time on a crafted argument.
DANGEROUS_PATTERN = re.compile(r"\([^)]*[+*}][^)]*\)\s*[+*{]")
MAX_PATTERN = 500
PARAMETER_NAME = re.compile(r"[A-Za-z_]\w{0,63}", re.ASCII)


def read_schema(value: object, path: str, *, must_be_object: bool) -> dict[str, Any]:
    schema: dict[str, Any] = read_plain_json(as_object(value, path), path)
    if must_be_object:
        check_parameters(schema, path)
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        where = ".".join(str(part) for part in error.absolute_path)
        raise DocumentError(
            join(path, where) if where else path, f"no valid JSON Schema: {error.message[:200]}"
        ) from None
    for at, keyword, content in keywords(schema, path):
        check_keyword(at, keyword, content)
    return schema


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
    for index, name in enumerate(schema.get("required") or ()):
        if name not in properties:
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
    if keyword in {"$ref", "$dynamicRef"} and isinstance(content, str) and not content.startswith("#/$defs/"):
        raise DocumentError(path, "may only point into the schema's own $defs")
    if keyword == "pattern" and isinstance(content, str):
        check_pattern(path, content)
    if keyword == "patternProperties" and isinstance(content, dict):
        for pattern in content:
            check_pattern(path, pattern)


def check_pattern(path: str, pattern: str) -> None:
    if len(pattern) > MAX_PATTERN or DANGEROUS_PATTERN.search(pattern):
        raise DocumentError(path, "a pattern that could take very long to match")
    try:
        re.compile(pattern)
    except re.error as error:
        raise DocumentError(path, f"no valid pattern: {error}") from None
