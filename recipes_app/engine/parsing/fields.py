"""How the value of each field type of the op table is read."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar
from urllib.parse import urlsplit

from recipes_app.engine.errors import DocumentError
from recipes_app.engine.parsing.conditions import read_condition
from recipes_app.engine.parsing.reader import (
    MAX_CODE,
    Reader,
    as_boolean,
    as_choice,
    as_integer,
    as_list,
    as_number,
    as_object,
    as_text,
    is_placeholder,
    join,
    wrong_type,
)
from recipes_app.engine.parsing.targets import read_page, read_target
from recipes_app.engine.shapes import Column, ExtractField, Offset
from recipes_app.engine.vocabulary import VALUE_TYPES, Field

MODIFIERS = ("Alt", "Control", "ControlOrMeta", "Meta", "Shift")
KEY = re.compile(r"[^\x00-\x1f]{1,80}")
ANY_TOOL_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
LIMITS = {"ms": (0, 60_000), "max_rounds": (1, 10_000), "max_seconds": (1, 3600)}

T = TypeVar("T")
FieldReader: TypeAlias = Callable[[object, str, Reader, Field], object]


def read_text(value: object, path: str, _reader: Reader, _field: Field) -> str:
    return as_text(value, path)


def read_code(value: object, path: str, _reader: Reader, _field: Field) -> str:
    return as_text(value, path, limit=MAX_CODE)


def read_url(value: object, path: str, _reader: Reader, _field: Field) -> str:
    text = as_text(value, path)
    try:
        scheme = urlsplit(text).scheme
    except ValueError as error:
        raise DocumentError(path, f"is no address: {error}") from None
    if scheme and scheme not in {"http", "https"} and not text.startswith("{{"):
        raise DocumentError(path, f"only http and https are allowed, not {scheme}")
    return text


def read_value(value: object, path: str, _reader: Reader, _field: Field) -> str | int | float | bool:
    if isinstance(value, str):
        return as_text(value, path, empty=True)
    if isinstance(value, bool | int | float):
        return value
    raise wrong_type(path, "a text, number or boolean", value)


def read_values(value: object, path: str, reader: Reader, field: Field) -> object:
    if isinstance(value, list | tuple):
        return tuple(
            read_value(entry, f"{path}[{index}]", reader, field) for index, entry in enumerate(as_list(value, path))
        )
    return read_value(value, path, reader, field)


def read_boolean(value: object, path: str, _reader: Reader, _field: Field) -> object:
    return value if is_placeholder(value) else as_boolean(value, path)


def read_integer(value: object, path: str, _reader: Reader, field: Field) -> object:
    if is_placeholder(value):
        return value
    low, high = LIMITS.get(field.name, (0, 10_000_000))
    return as_integer(value, path, low=low, high=high)


def read_choice(value: object, path: str, _reader: Reader, field: Field) -> str:
    return as_choice(value, path, field.choices)


def read_key(value: object, path: str, _reader: Reader, _field: Field) -> str:
    text = as_text(value, path)
    if not KEY.fullmatch(text):
        raise DocumentError(path, "must be a name of at most 80 printable characters")
    return text


def read_modifiers(value: object, path: str, _reader: Reader, _field: Field) -> tuple[str, ...]:
    return tuple(as_choice(entry, f"{path}[{index}]", MODIFIERS) for index, entry in enumerate(as_list(value, path)))


def read_offset(value: object, path: str, parent: Reader, _field: Field) -> Offset:
    reader = Reader.of(value, path, parent.context, parent.depth + 1)
    given = {name: reader.take(name, required=True) for name in ("x", "y")}
    reader.finish()
    named = {f"{name}_argument": str(pixels) for name, pixels in given.items() if is_placeholder(pixels)}
    x, y = (0 if is_placeholder(pixels) else as_number(pixels, reader.at(name)) for name, pixels in given.items())
    return Offset(x, y, **named)


def read_extract_fields(value: object, path: str, parent: Reader, field: Field) -> dict[str, ExtractField]:
    return read_named(value, path, parent, field, one_extract_field)


def read_columns(value: object, path: str, parent: Reader, field: Field) -> dict[str, Column]:
    return read_named(value, path, parent, field, one_column)


def read_named(
    value: object,
    path: str,
    parent: Reader,
    field: Field,
    read_one: Callable[[Reader, Field], T],
) -> dict[str, T]:
    entries = as_object(value, path)
    if not entries or len(entries) > 200:
        raise DocumentError(path, "must hold between 1 and 200 names")
    found: dict[str, T] = {}
    for name, entry in entries.items():
        read_key(name, join(path, name[:80]), parent, field)
        reader = Reader.of(entry, join(path, name), parent.context, parent.depth + 1)
        found[name] = read_one(reader, field)
        reader.finish()
    return found


def one_extract_field(reader: Reader, field: Field) -> ExtractField:
    nested = reader.take("fields")
    return ExtractField(
        css=reader.text("css"),
        role=reader.text("role"),
        name=reader.text("name"),
        text=reader.text("text"),
        attr=reader.text("attr") or "text",
        type=take_type(reader),
        fields={} if nested is None else read_extract_fields(nested, reader.at("fields"), reader, field),
    )


def one_column(reader: Reader, _field: Field) -> Column:
    return Column(header=reader.text("header"), type=take_type(reader))


def take_type(reader: Reader) -> str:
    return reader.read("type", lambda value, path: as_choice(value, path, VALUE_TYPES)) or "string"


def read_target_field(value: object, path: str, reader: Reader, _field: Field) -> object:
    return read_target(value, path, reader.context, reader.depth + 1)


def read_place(value: object, path: str, reader: Reader, field: Field) -> object:
    """An offset, or a target."""
    is_offset = isinstance(value, dict) and set(value) <= {"x", "y"}
    return (read_offset if is_offset else read_target_field)(value, path, reader, field)


def read_items(value: object, path: str, reader: Reader, field: Field) -> object:
    """An array argument, a list of plain values, or a target."""
    if is_placeholder(value):
        return value
    if isinstance(value, list | tuple):
        return tuple(read_plain_json(entry, f"{path}[{index}]") for index, entry in enumerate(as_list(value, path)))
    if isinstance(value, str):
        raise DocumentError(path, "must be one placeholder such as {{names}}, a list, or a target")
    return read_target_field(value, path, reader, field)


def read_args(value: object, path: str, _reader: Reader, _field: Field) -> dict[str, Any]:
    return {name: read_plain_json(item, join(path, name[:80])) for name, item in as_object(value, path).items()}


def read_tool(value: object, path: str, _reader: Reader, _field: Field) -> str:
    """Never a placeholder: what a tool may call can be seen in its file."""
    text = as_text(value, path)
    if not ANY_TOOL_NAME.fullmatch(text):
        raise DocumentError(path, "must be the name of a tool")
    return text


def read_condition_field(value: object, path: str, reader: Reader, _field: Field) -> object:
    return read_condition(value, path, reader.context, reader.depth + 1)


def read_page_field(value: object, path: str, _reader: Reader, _field: Field) -> object:
    return read_page(value, path)


READERS: dict[str, FieldReader] = {
    "text": read_text,
    "code": read_code,
    "url": read_url,
    "value": read_value,
    "values": read_values,
    "flag": read_boolean,
    "boolean": read_boolean,
    "integer": read_integer,
    "choice": read_choice,
    "key": read_key,
    "modifiers": read_modifiers,
    "offset": read_offset,
    "fields": read_extract_fields,
    "columns": read_columns,
    "target": read_target_field,
    "condition": read_condition_field,
    "page": read_page_field,
    "place": read_place,
    "items": read_items,
    "args": read_args,
    "tool": read_tool,
}


def read_plain_json(value: Any, path: str, depth: int = 0) -> Any:
    """Any JSON, copied, with the limits of the format held."""
    if depth > 40:
        raise DocumentError(path, "nested deeper than 40 levels")
    if isinstance(value, dict):
        return {
            key: read_plain_json(item, join(path, key[:80]), depth + 1) for key, item in as_object(value, path).items()
        }
    if isinstance(value, list | tuple):
        entries = as_list(value, path)
        return [read_plain_json(item, f"{path}[{index}]", depth + 1) for index, item in enumerate(entries)]
    if isinstance(value, str):
        return as_text(value, path, empty=True)
    if value is None or isinstance(value, bool | int | float):
        return value
    raise DocumentError(path, f"is no JSON: {type(value).__name__}")
