"""A task in plain words, done with published tools: the model picks one, its result comes back, until it says done.

1. what the model has asked for is checked (a name and arguments that fit)   2. whoever runs the task allows what is
more than reading   3. the calls are made, those that only read together   4. what came back is told, bounded and
fenced   5. a tool that failed twice in a row is named. The model never sees a page, only what tools returned.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Protocol

from recipes_app.formats.published import PublishedTool
from recipes_app.llm.base import Asks, Message, Request, ToolCall
from recipes_app.llm.errors import ModelError
from recipes_app.llm.fencing import fence
from recipes_app.tasks.toolbox import DONE, Toolbox

RESULT_CHARS = 8_000
OLD_RESULT_CHARS = 600
FRESH_RESULTS = 4
ANSWER_TOKENS = 2_048
PURPOSE = "task"
INSTRUCTIONS = (
    "You do a person's task with the tools of websites. You see no page, only what tools return. Call tools with "
    "arguments taken from the task or from earlier results; make nothing up. Ask for several calls at once where none "
    "needs the result of another. A result with an `error` was not done, or only as far as `partial` says. End with "
    "done: success only if what was asked for has really happened or was found, and a summary with the answer itself."
)
NUDGE = (
    "This tool has failed twice in a row. Do not call it in the same way again: use other arguments or another tool, "
    "or end with done(success=false) and say why."
)
LAST = "No more calls may be made. End with done, by what is known."


@dataclass(frozen=True, slots=True)
class Wanted:
    """One call the model asked for; `number` counts from 1 over the task."""

    number: int
    tool: PublishedTool
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Result:
    """`data` of a call that succeeded; else `failure`: {"error", "kind", "failed_step", "op", "url", "partial"}."""

    data: Mapping[str, Any] | None = None
    failure: Mapping[str, Any] | None = None
    warnings: Sequence[str] = ()

    @property
    def ok(self) -> bool:
        return self.failure is None


class Hands(Protocol):
    """Whoever runs the task."""

    def allows(self, wanted: Wanted) -> bool:
        """Asked of each call that may change something, before it is made."""

    def make(self, wanted: Sequence[Wanted]) -> Sequence[Result]:
        """Several only where all of them only read: in any order, at the same time if that can be."""


@dataclass(frozen=True, slots=True)
class Made:
    wanted: Wanted
    result: Result


@dataclass(frozen=True, slots=True)
class Ended:
    """`success` is what the model says; with a `failure` (budget, no more calls, the model) it is false."""

    success: bool
    summary: str
    made: tuple[Made, ...] = ()
    failure: str = ""


@dataclass(slots=True)
class Task:
    """`hear` is told of each call as it has been made."""

    text: str
    toolbox: Toolbox
    hands: Hands
    max_calls: int = 20
    hear: Callable[[Made], None] = lambda _made: None
    made: list[Made] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)

    def run(self, asks: Asks) -> Ended:
        self.messages.append(Message("user", self.text))
        while True:
            try:
                answer = asks.ask(self.request())
            except ModelError as error:
                return Ended(False, "", tuple(self.made), str(error))
            done = next((call for call in answer.calls if call.name == DONE), None)
            if done is not None:
                said = done.arguments
                return Ended(said["success"] is True, str(said["summary"]), tuple(self.made), self.why_last())
            self.messages.append(Message("assistant", answer.text, calls=answer.calls))
            self.answer(answer.calls)

    def request(self) -> Request:
        is_last = len(self.made) >= self.max_calls
        return Request(
            system=(INSTRUCTIONS,),
            messages=tuple(shortened(self.messages)),
            tools=self.toolbox.defs,
            choice=DONE if is_last else "any",
            max_tokens=ANSWER_TOKENS,
            purpose=PURPOSE,
            parallel=not is_last,
        )

    def why_last(self) -> str:
        return f"all {self.max_calls} calls were used" if len(self.made) >= self.max_calls else ""

    def answer(self, calls: Sequence[ToolCall]) -> None:
        """Each call gets its own answer, in their order, also one there was no room for."""
        room = self.max_calls - len(self.made)
        told = iter(self.results(calls[:room]))
        for call in calls:
            made = next(told, None)
            text = self.told(made) if made else "Not made: no more calls may be made."
            self.messages.append(Message("tool", text, call_id=call.id))
        if len(self.made) >= self.max_calls:
            self.messages.append(Message("user", LAST))

    def results(self, calls: Sequence[ToolCall]) -> Iterator[Made]:
        first = len(self.made) + 1
        wanted = [
            Wanted(number, self.toolbox.by_name[call.name], call.arguments)
            for number, call in enumerate(calls, start=first)
        ]
        for reads, group in groupby(wanted, key=lambda each: each.tool.reads):
            alike = list(group)
            for batch in [alike] if reads else [[each] for each in alike]:
                yield from self.make(batch)

    def make(self, batch: Sequence[Wanted]) -> Iterator[Made]:
        if batch[0].tool.reads or self.hands.allows(batch[0]):
            results = self.hands.make(batch)
        else:
            results = [Result(failure={"error": "The person did not allow this call.", "kind": "not_allowed"})]
        for wanted, result in zip(batch, results, strict=True):
            made = Made(wanted, result)
            self.made.append(made)
            self.hear(made)
            yield made

    def told(self, made: Made) -> str:
        result = made.result
        what: dict[str, Any] = dict(result.failure) if result.failure is not None else {"data": result.data}
        if result.warnings:
            what["warnings"] = list(result.warnings)
        text = fence(bounded(json.dumps(what, ensure_ascii=False, default=str), RESULT_CHARS), "what the tool returned")
        return f"{text}\n{NUDGE}" if self.failed_twice(made) else text

    def failed_twice(self, made: Made) -> bool:
        """The last two calls of this tool, with no other between them."""
        last = self.made[: self.made.index(made) + 1][-2:]
        return len(last) == 2 and all(each.wanted.tool == made.wanted.tool and not each.result.ok for each in last)


def shortened(messages: Sequence[Message]) -> Iterator[Message]:
    """Results further back are cut: what mattered of them has been used, or said."""
    told = [index for index, message in enumerate(messages) if message.role == "tool"]
    old = set(told[:-FRESH_RESULTS])
    for index, message in enumerate(messages):
        if index in old and len(message.text) > OLD_RESULT_CHARS:
            text = fence(bounded(message.text, OLD_RESULT_CHARS), "an earlier result")
            yield Message("tool", text, call_id=message.call_id)
        else:
            yield message


def bounded(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}… ({len(text) - most:,} more characters are not shown)"
