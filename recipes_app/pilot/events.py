"""What a flight tells while it goes on, beside the engine's own events of each step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from recipes_app.engine.events import Event


@dataclass(frozen=True, slots=True)
class Asked(Event):
    """The model answered. `words` say the call, `thought` what it gave as its reason, `fields` the same by name."""

    turn: int
    tool: str
    words: str
    thought: str
    tokens: int
    fields: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Told(Event):
    """What came of a call, in the words that the model gets."""

    turn: int
    tool: str
    ok: bool
    words: str
