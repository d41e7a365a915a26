"""A flight over pages of a test, with answers written beforehand."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from recipes_app.browser.session import BrowserSession
from recipes_app.engine.events import Event
from recipes_app.engine.shapes import Recipe
from recipes_app.llm.base import Answer, Request, ToolCall
from recipes_app.llm.budget import Budget
from recipes_app.llm.model import Model
from recipes_app.llm.scripted import Scripted
from recipes_app.pilot.hands import hands_for
from recipes_app.pilot.loop import Pilot
from recipes_app.pilot.seams import Flight, Limits
from recipes_app.pilot.toolset import BrowserTools

Answering = Callable[[str], ToolCall]


def call(name: str, /, **arguments: Any) -> Answer:
    return Answer(calls=(ToolCall("c1", name, arguments),), stop="tools")


def number(request: Request, words: str) -> int:
    """The number of the one element whose line on the page shown says this."""
    text = request.messages[0].text
    lines = [line for line in text.splitlines() if words in line and re.match(r"\d+ [a-z]+ ", line)]
    assert lines, f"nothing says {words} in:\n{text}"
    return int(lines[0].split()[0])


@dataclass
class Script:
    """Answers one after the other; an argument given as `on="words"` becomes the number of that element.

    `data` answers whatever asks for an object; without it, such a question is answered by an empty list of fields.
    """

    moves: Sequence[tuple[str, Mapping[str, Any]]]
    requests: list[Request] = field(default_factory=list)
    data: Callable[[Request], Mapping[str, Any]] = lambda _request: {"fields": []}

    def __call__(self, request: Request) -> Answer:
        if request.answer_schema is not None:
            return Answer(data=self.data(request))
        name, given = self.moves[min(len(self.requests), len(self.moves) - 1)]
        self.requests.append(request)
        arguments = {("element" if key == "on" else key): value for key, value in given.items()}
        if "row" in given:
            arguments = {"element": number_in_row(request, given["row"], given["words"])}
        if "on" in given:
            arguments["element"] = number(request, given["on"])
        return call(name, **arguments)


def number_in_row(request: Request, row: str, words: str) -> int:
    """The number of the first such element after the one that names the row."""
    lines = [line for line in request.messages[0].text.splitlines() if re.match(r"\d+ [a-z]+ ", line)]
    start = next(at for at, line in enumerate(lines) if f'"{row}"' in line)
    return int(next(line for line in lines[start:] if f'"{words}"' in line).split()[0])


def in_row(row: str, words: str) -> tuple[str, Mapping[str, Any]]:
    return "click", {"row": row, "words": words}


def move(name: str, /, **given: Any) -> tuple[str, Mapping[str, Any]]:
    return name, given


def done(summary: str = "finished") -> tuple[str, Mapping[str, Any]]:
    return move("done", success=True, summary=summary)


def quiet(_event: Event) -> None:
    return


def fly(
    session: BrowserSession,
    script: Callable[[Request], Answer],
    *,
    goal: str = "do it",
    start: str = "",
    arguments: Mapping[str, Any] | None = None,
    limits: Limits | None = None,
    tokens: int | None = None,
    emit: Callable[[Event], None] = quiet,
    **parts: Any,
) -> Flight:
    given = arguments or {}
    recipe = Recipe("tool", parameters={"type": "object", "properties": {name: {} for name in given}})
    if start:
        session.goto(start)
    model = Model(Scripted(script), budget=Budget(tokens=tokens))
    tools = BrowserTools(hands_for(recipe, given, session, emit), **parts.pop("tools", {}))
    return Pilot(goal, session, model, tools, emit, limits=limits or Limits(), **parts).fly()
