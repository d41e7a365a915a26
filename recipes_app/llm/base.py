"""The one seam to language models: what is asked, what is answered, what it cost."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

Choice = Literal["auto", "any", "none"]


@dataclass(frozen=True, slots=True)
class ToolDef:
    """`parameters` is a JSON Schema of type object."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call the model asked for. `problem` says why its arguments could not be read as an object."""

    id: str
    name: str
    arguments: Mapping[str, Any]
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Image:
    data: bytes
    media_type: str = "image/png"


@dataclass(frozen=True, slots=True)
class Message:
    """`calls` stand in an assistant's message; `call_id` names the call that a message of role `tool` answers."""

    role: Literal["user", "assistant", "tool"]
    text: str = ""
    images: tuple[Image, ...] = ()
    calls: tuple[ToolCall, ...] = ()
    call_id: str = ""


@dataclass(frozen=True, slots=True)
class Request:
    """One question.

    `choice` is "auto", "any" (some tool must be called), "none", or the name of the one tool that must be called.
    `answer_schema` asks for one JSON object of that schema instead of text. `fast` asks the smaller model.
    `cached` is how many leading blocks of `system` are the same in every request of a run. `purpose` labels its cost.
    """

    system: tuple[str, ...]
    messages: tuple[Message, ...]
    tools: tuple[ToolDef, ...] = ()
    choice: str = "auto"
    answer_schema: Mapping[str, Any] | None = None
    max_tokens: int = 1024
    fast: bool = False
    cached: int = 1
    purpose: str = ""
    parallel: bool = False


@dataclass(frozen=True, slots=True)
class Usage:
    """As the service counted it. `input_tokens` include `cached_tokens` (read from its cache) and `written_tokens` (put
    into it); `cost_micros` is millionths of a US dollar, None where no price is known.
    """

    requests: int = 0
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    cost_micros: int | None = 0
    written_tokens: int = 0

    def plus(self, other: Usage) -> Usage:
        unpriced = self.cost_micros is None or other.cost_micros is None
        return Usage(
            requests=self.requests + other.requests,
            input_tokens=self.input_tokens + other.input_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cost_micros=None if unpriced else (self.cost_micros or 0) + (other.cost_micros or 0),
            written_tokens=self.written_tokens + other.written_tokens,
        )

    @property
    def tokens(self) -> int:
        return self.input_tokens + self.output_tokens


@dataclass(frozen=True, slots=True)
class Used:
    """What one request cost, and what it was for."""

    purpose: str
    provider: str
    model: str
    usage: Usage


OnUse = Callable[[Used], None]


@dataclass(frozen=True, slots=True)
class Answer:
    """`data` is the object asked for by `answer_schema`, None where the answer holds no such object; `stop` is "end",
    "tools", "length" (cut at a limit) or "refusal". `fault` says what of it could not be read.
    """

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    data: Mapping[str, Any] | None = None
    usage: Usage = field(default_factory=Usage)
    model: str = ""
    stop: str = "end"
    fault: str = ""


class Provider(Protocol):
    """One service. `ask` makes one request: no retry, no repair, no budget (these are `model.Model`'s).

    Raises Unavailable, NotConfigured, Rejected, or BadAnswer for an answer that is not of the service's own form.
    """

    @property
    def name(self) -> str: ...

    def ask(self, request: Request) -> Answer: ...

    def model_of(self, *, fast: bool) -> str: ...


class Checking(Protocol):
    def __call__(self, answer: Answer, /) -> None: ...


class Asks(Protocol):
    """What loops and proposers are given: a provider with its retries, repair round, masking and budget around it.

    `check`, if given, raises ValueError with a line for the model where an answer will not do: it is asked once more.
    Raises ModelError.
    """

    def ask(self, request: Request, *, check: Checking | None = None) -> Answer: ...

    @property
    def spent(self) -> Usage: ...
