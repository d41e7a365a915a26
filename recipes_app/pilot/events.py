"""What a flight tells while it goes on, beside the engine's own events of each step."""

from __future__ import annotations

from dataclasses import dataclass

from recipes_app.engine.events import Event


@dataclass(frozen=True, slots=True)
class Asked(Event):
    """The model answered. `words` say the call, `thought` what it gave as its reason."""

    turn: int
    tool: str
    words: str
    thought: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Told(Event):
    """What came of a call, in the words that the model gets."""

    turn: int
    tool: str
    ok: bool
    words: str
