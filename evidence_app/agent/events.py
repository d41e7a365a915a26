"""What the agent tells while it collects. Each is in the database before the agent goes on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from evidence_app.agent.capturing import Capture
from recipes_app.engine.events import Event
from recipes_app.llm.base import Used


@dataclass(frozen=True, slots=True)
class Confided(Event):
    """Something secret is about to be typed: whoever writes anything down blots it out from now on."""

    values: tuple[str, ...]

    @property
    def needs_ack(self) -> bool:
        return True

    def as_dict(self) -> dict[str, Any]:
        return {"kind": "Confided", "values": len(self.values)}


@dataclass(frozen=True, slots=True)
class Decided(Event):
    """An action was chosen and is about to be done. `mark` says how the page looked when it was chosen."""

    seq: int
    action: str
    params: Mapping[str, Any]
    mark: str
    url: str
    thought: Mapping[str, str] = field(default_factory=dict)  # thinking, evaluation, memory_update, next_goal
    input_tokens: int = 0
    output_tokens: int = 0

    @property
    def needs_ack(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class Acted(Event):
    """What came of it. `step` is the recipe step that was run, as plain JSON, None where none was."""

    seq: int
    ok: bool
    result: str
    url: str
    ms: int
    step: Mapping[str, Any] | None = None

    @property
    def needs_ack(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class Captured(Event):
    """Files to keep, hashed first. Whoever hears it has them until it is done with the event."""

    seq: int
    capture: Capture

    @property
    def needs_ack(self) -> bool:
        return True

    def as_dict(self) -> dict[str, Any]:
        names = [f"{each.kind} {each.media_type}" for each in self.capture.files]
        return {"kind": "Captured", "seq": self.seq, "label": self.capture.label, "files": names}


@dataclass(frozen=True, slots=True)
class Saved(Event):
    """Where the agent has come to, after every step: all that is needed to go on from here in a fresh browser."""

    checkpoint: Mapping[str, Any]
    step: int
    max_steps: int
    thought: str
    url: str

    @property
    def needs_ack(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class Spent(Event):
    """One question to a model was paid for."""

    used: Used
