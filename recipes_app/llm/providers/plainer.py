"""Servers and models that do not take all of a request: what they refuse by name is put in a plainer way."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Body = dict[str, Any]

STRICT_WORDS = frozenset(
    {"type", "properties", "required", "additionalProperties", "items", "enum", "const", "description", "title"}
    | {"anyOf", "minimum", "maximum", "minItems", "maxItems", "pattern", "format"}
)


def answer_format(schema: Mapping[str, Any]) -> Body:
    """For a body's `response_format`; strict where the schema is one that can be."""
    return {
        "type": "json_schema",
        "json_schema": {"name": "answer", "schema": dict(schema), "strict": is_strict(schema)},
    }


def is_strict(schema: Any) -> bool:
    """Whether each object of it names all its members as required and allows no others, in words that may be used."""
    if isinstance(schema, list):
        return all(map(is_strict, schema))
    if not isinstance(schema, Mapping) or not set(schema) <= STRICT_WORDS:
        return False
    members = schema.get("properties", {})
    is_object = schema.get("type") == "object" or "properties" in schema
    if is_object and (
        schema.get("additionalProperties") is not False or set(schema.get("required", ())) != set(members)
    ):
        return False
    inner = [*members.values(), *schema.get("anyOf", ())]
    return all(map(is_strict, [*inner, schema["items"]] if "items" in schema else inner))


def _schema_in_words(body: Body) -> Body:
    schema = body["response_format"]["json_schema"]["schema"]
    said = "Answer with one JSON object of this JSON Schema, and nothing else:\n" + json.dumps(schema)
    messages = [*body["messages"], {"role": "system", "content": said}]
    return {**body, "messages": messages, "response_format": {"type": "json_object"}}


def _without(*names: str) -> Callable[[Body], Body]:
    return lambda body: {name: value for name, value in body.items() if name not in names}


def _older_limit(body: Body) -> Body:
    return {**_without("max_completion_tokens")(body), "max_tokens": body["max_completion_tokens"]}


def _format_is(kind: str) -> Callable[[Body], bool]:
    return lambda body: body.get("response_format", {}).get("type") == kind


@dataclass(frozen=True, slots=True)
class Feature:
    """`names`: one of these is in what a server says when it does not know the feature."""

    names: tuple[str, ...]
    is_used: Callable[[Body], bool]
    plainer: Callable[[Body], Body]


OF_COMPLETIONS = (
    Feature(("response_format", "json_schema", "schema"), _format_is("json_schema"), _schema_in_words),
    Feature(("response_format", "json_object"), _format_is("json_object"), _without("response_format")),
    Feature(("parallel_tool_calls",), lambda body: "parallel_tool_calls" in body, _without("parallel_tool_calls")),
    Feature(
        ("tool_choice",),
        lambda body: isinstance(body.get("tool_choice"), dict),
        lambda body: {**body, "tool_choice": "required"},
    ),
    Feature(("tool_choice",), lambda body: "tool_choice" in body, _without("tool_choice")),
    Feature(("max_completion_tokens",), lambda body: "max_completion_tokens" in body, _older_limit),
)


class Plainer:
    """Remembers what one server does not know, of the features it might not."""

    def __init__(self, features: tuple[Feature, ...] = OF_COMPLETIONS) -> None:
        self._features = features
        self._given_up: list[Feature] = []

    def apply(self, body: Body) -> Body:
        for feature in self._features:
            if feature in self._given_up and feature.is_used(body):
                body = feature.plainer(body)
        return body

    def give_up(self, body: Body, said: str) -> bool:
        """Whether what the server said names a feature of the body it got, which it will not get again."""
        for feature in self._features:
            if feature.is_used(body) and any(name in said for name in feature.names):
                self._given_up.append(feature)
                return True
        return False
