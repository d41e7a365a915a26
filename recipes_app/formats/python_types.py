"""JSON Schemas as types of Python. Whatever a schema says that a type cannot say is Any: the application checks it."""

from __future__ import annotations

import keyword
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

DEEPEST = 12
SIMPLE = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}


@dataclass(slots=True)
class Types:
    """Classes come in the order in which they may be defined: the inner ones first."""

    taken: set[str] = field(default_factory=set)
    classes: list[str] = field(default_factory=list)

    def of(self, schema: Any, name: str, depth: int = 0) -> str:
        """The type in words; an object with known properties becomes a TypedDict called like `name`."""
        if not isinstance(schema, Mapping) or depth > DEEPEST or "$ref" in schema:
            return "Any"
        if found := literal(schema):
            return found
        kind = schema.get("type")
        if isinstance(kind, list):
            return self.one_of([{**schema, "type": each} for each in kind], name, depth)
        if any_of := schema.get("anyOf") or schema.get("oneOf"):
            return self.one_of(any_of, name, depth)
        return self.plain(schema, name, depth)

    def plain(self, schema: Mapping[str, Any], name: str, depth: int) -> str:
        kind = schema.get("type")
        if kind == "array":
            return f"list[{self.of(schema.get('items'), f'{name}Item', depth + 1)}]"
        return self.object(schema, name, depth) if kind == "object" else SIMPLE.get(str(kind), "Any")

    def one_of(self, schemas: Any, name: str, depth: int) -> str:
        each = [self.of(schema, name, depth + 1) for schema in schemas]
        return "Any" if "Any" in each else " | ".join(dict.fromkeys(each))

    def object(self, schema: Mapping[str, Any], name: str, depth: int) -> str:
        properties = schema.get("properties")
        if not isinstance(properties, Mapping) or not properties:
            return "dict[str, Any]"
        fields = {key: self.of(content, name + camel(key), depth + 1) for key, content in properties.items()}
        own = unused(name, self.taken)
        lines = "".join(f"        {key!r}: {kind!r},\n" for key, kind in fields.items())
        self.classes.append(f"{own} = TypedDict(\n    {own!r},\n    {{\n{lines}    }},\n    total=False,\n)")
        return own


def literal(schema: Mapping[str, Any]) -> str:
    values = schema.get("enum") or ([schema["const"]] if "const" in schema else [])
    if values and all(isinstance(each, str | bool | int) for each in values):
        return f"Literal[{', '.join(repr(each) for each in values)}]"
    return ""


def camel(text: str) -> str:
    return "".join(word[:1].upper() + word[1:] for word in re.split(r"[^A-Za-z0-9]+", text)) or "Field"


def identifier(text: str, taken: set[str]) -> str:
    """A name that Python allows and nobody has here yet; it is taken from now on."""
    name = re.sub(r"\W", "_", text, flags=re.ASCII)
    if keyword.iskeyword(name) or not name.isidentifier() or name.startswith("__"):
        name = f"{name.lstrip('_')}_" if name.strip("_")[:1].isalpha() else f"x{name}"
    return unused(name, taken)


def unused(name: str, taken: set[str]) -> str:
    own, number = name, 2
    while own in taken:
        own, number = f"{name}_{number}", number + 1
    taken.add(own)
    return own
