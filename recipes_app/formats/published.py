"""A published tool as the programs of others meet it: name, schemas and effect, and nothing of its steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

LONGEST_DESCRIPTION = 1024  # with OpenAI
NO_PARAMETERS: Mapping[str, Any] = {"type": "object", "properties": {}}
EFFECTS = {
    "read": "It only reads.",
    "write": "It changes something on the site.",
    "destructive": "It removes something on the site, or changes it for good.",
}


@dataclass(frozen=True, slots=True)
class PublishedTool:
    """`parameters` and `returns` are JSON Schemas (2020-12): of the arguments, and of the data where that is known."""

    site: str
    name: str
    description: str
    effect: str
    parameters: Mapping[str, Any]
    returns: Mapping[str, Any] | None = None
    version: int = 1
    hidden: frozenset[str] = frozenset()  # parameters that are secrets

    @property
    def reads(self) -> bool:
        return self.effect == "read"


@dataclass(frozen=True, slots=True)
class PublishedSite:
    """`url` is where the application answers."""

    slug: str
    name: str
    base_url: str
    url: str
    tools: tuple[PublishedTool, ...]


def words_of(tool: PublishedTool) -> str:
    """For whoever picks: what it does, and to what effect. 1,024 characters at most."""
    effect = EFFECTS[tool.effect]
    text = " ".join((tool.description or tool.name.replace("_", " ")).split())
    text = text if text.endswith((".", "!", "?", "…")) else f"{text}."
    most = LONGEST_DESCRIPTION - len(effect) - 1
    return f"{text if len(text) <= most else text[: most - 1] + '…'} {effect}"


def arguments_schema(tool: PublishedTool) -> dict[str, Any]:
    """An object with properties, whatever was left out of the recipe."""
    schema = {name: value for name, value in tool.parameters.items() if name != "$schema"}
    return {**NO_PARAMETERS, **schema}
