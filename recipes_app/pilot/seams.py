"""The parts of a flight and where each can be replaced: who builds another agent replaces parts, not the loop.

    observe   Observes     what the model is shown of the page          scene.look_around
    brief     Briefs       the question it is asked                     briefing.Briefing
    toolset   Toolset      what it may call, and what a call does       toolset.Toolset
    memory    Remembers    what it is told of earlier turns             memory.History
    reflect   Reflection   what it has to think before each call        none
    inspect   Inspects     looks at a deed before it counts             none
    vigil     Watches      notices that nothing moves any more          vigil.Vigil
    keep      Keeps        told after every turn, for checkpoints       none

A turn is: observe, ask for one call (or a few, where Limits.calls allows it), act, inspect, remember, keep.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from recipes_app.browser.session import BrowserSession
from recipes_app.browser.snapshot import Element
from recipes_app.engine.shapes import Step
from recipes_app.llm.base import Request, ToolCall, ToolDef, Usage

Ended = Literal["done", "failed", "stuck", "limit", "budget"]


@dataclass(frozen=True, slots=True)
class Scene:
    """One look at the page. `text` is all the model gets of it; each number in it is a key of `elements`.

    `mark` is equal for two scenes exactly when the page looks the same. `more` is free for other observers.
    """

    url: str
    text: str
    mark: str
    elements: Mapping[int, Element] = field(default_factory=dict)
    more: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Deed:
    """What a call did. `said` goes back to the model; `step` is what was done, None where nothing was.

    `ends` ends the flight, `result` is then what it brought. `bad` says that the call itself could not be understood:
    it is told so and nothing has happened. `facts` is free for the toolset's owner.
    """

    said: str
    ok: bool = True
    step: Step | None = None
    bad: bool = False
    ends: Literal["done", "failed"] | None = None
    result: Mapping[str, Any] = field(default_factory=dict)
    facts: Any = None


@dataclass(frozen=True, slots=True)
class Taken:
    """One call of one turn, as it is remembered. `thought` holds what `Reflection` asked for."""

    turn: int
    call: ToolCall
    deed: Deed
    url: str
    mark: str
    url_after: str = ""
    thought: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Limits:
    """`bad_answers` and `failures` count in a row; `calls` is how many of one answer's calls are done."""

    turns: int = 20
    seconds: float = 300
    failures: int = 5
    bad_answers: int = 3
    calls: int = 1


@dataclass(slots=True)
class Turn:
    """Where the flight is: what parts are given to decide by. `notices` are told once, in the next question."""

    goal: str
    limits: Limits
    number: int = 0
    elapsed_s: float = 0
    taken: list[Taken] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)

    @property
    def is_last(self) -> bool:
        return self.number >= self.limits.turns

    @property
    def failures(self) -> int:
        """How many calls in a row, up to now, did not work."""
        count = 0
        for taken in reversed(self.taken):
            if taken.deed.ok:
                break
            count += 1
        return count


@dataclass(frozen=True, slots=True)
class Flight:
    """How it ended and everything that was done. `result` is what `done` was called with."""

    ended: Ended
    summary: str
    taken: tuple[Taken, ...] = ()
    result: Mapping[str, Any] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)

    @property
    def ok(self) -> bool:
        return self.ended == "done"


class Observes(Protocol):
    def __call__(self, session: BrowserSession, turn: Turn, /) -> Scene: ...


class Toolset(Protocol):
    """`act` never raises for what a page did or a model wrote. Aborted and BrowserLost pass."""

    def definitions(self, scene: Scene, turn: Turn, /) -> tuple[ToolDef, ...]:
        """What is offered at this turn; a call of anything else is bad."""
        ...

    def act(self, call: ToolCall, scene: Scene, /) -> Deed: ...


class Briefs(Protocol):
    def __call__(self, scene: Scene, tools: tuple[ToolDef, ...], turn: Turn, memory: str, /) -> Request: ...


class Remembers(Protocol):
    """Bounded, whatever happens: `told` is never longer than the memory was allowed to be."""

    def note(self, taken: Taken, /) -> None: ...

    def told(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Reflection:
    """Fields put into every tool's arguments, in front of its own, and taken out again before the call is made."""

    fields: Mapping[str, Mapping[str, Any]]
    required: tuple[str, ...] = ()


class Inspects(Protocol):
    """The deed itself, or another one in its place: a `done` that is not done becomes a deed that ends nothing."""

    def __call__(self, deed: Deed, call: ToolCall, scene: Scene, turn: Turn, /) -> Deed: ...


class Watches(Protocol):
    """Called after each call; a text ends the flight as stuck. It may put notices into the turn."""

    def __call__(self, turn: Turn, /) -> str | None: ...


Keeps = Callable[[Turn], None]
