"""Questions that tests ask a model."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from recipes_app.llm.base import Message, Request, ToolDef

SERVICES = ("openai", "anthropic")
SEARCH = ToolDef(
    "search",
    "Find products.",
    {
        "type": "object",
        "properties": {"q": {"type": "string"}, "limit": {"type": "integer"}},
        "required": ["q", "limit"],
        "additionalProperties": False,
    },
)
OPEN = ToolDef("open", "Open a product.", {"type": "object", "properties": {"id": {"type": "integer"}}})
NAMES: dict[str, Any] = {
    "type": "object",
    "properties": {"names": {"type": "array", "items": {"type": "string"}}, "complete": {"type": "boolean"}},
    "required": ["names", "complete"],
    "additionalProperties": False,
}
CALL = Request(
    ("You work in a shop.",), (Message("user", "Find a lamp."),), (SEARCH, OPEN), choice="any", purpose="find"
)
OBJECT = Request(("You work in a shop.",), (Message("user", "Which lamps?"),), answer_schema=NAMES, purpose="names")
TEXT = Request(("You work in a shop.",), (Message("user", "Say something."),), purpose="talk")

FOUND = {"tool": "search", "arguments": {"q": "lamp", "limit": 3}}
NAMED = {"json": {"names": ["Lamp A", "Lamp B"], "complete": True}}


def asking(request: Request, text: str) -> Request:
    return replace(request, messages=(Message("user", text),))
