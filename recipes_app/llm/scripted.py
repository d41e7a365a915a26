"""A provider whose answers are written beforehand, or by a function: for trials, tests and demonstrations."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import replace

from recipes_app.llm.base import Answer, Request, Usage
from recipes_app.llm.errors import ModelError
from recipes_app.llm.sizes import size_of, tokens_of

Script = Callable[[Request], Answer | ModelError]


class ScriptEnded(AssertionError):
    """It was asked more often than there are answers."""


class Scripted:
    """A Provider. An entry that is an error is raised. `requests` has every request, in order.

    An answer without a usage gets the size of the question and of the answer, roughly.
    """

    def __init__(self, answers: Iterable[Answer | ModelError] | Script, *, model: str = "scripted") -> None:
        self.name = "scripted"
        self.requests: list[Request] = []
        self._model = model
        self._script: Script = answers if callable(answers) else _one_by_one(tuple(answers))

    def model_of(self, *, fast: bool) -> str:
        return f"{self._model}-fast" if fast else self._model

    def ask(self, request: Request) -> Answer:
        self.requests.append(request)
        answer = self._script(request)
        if isinstance(answer, ModelError):
            raise answer
        usage = answer.usage if answer.usage.requests else _usage(request, answer)
        return replace(answer, usage=usage, model=self.model_of(fast=request.fast))


def _one_by_one(answers: tuple[Answer | ModelError, ...]) -> Script:
    left = list(answers)

    def next_of(request: Request) -> Answer | ModelError:
        if not left:
            said = request.messages[-1].text[-300:] if request.messages else ""
            raise ScriptEnded(f"all {len(answers)} answers are given; asked for {request.purpose!r}: {said!r}")
        return left.pop(0)

    return next_of


def _usage(request: Request, answer: Answer) -> Usage:
    said = answer.text + "".join(call.name + json.dumps(dict(call.arguments)) for call in answer.calls)
    data = "" if answer.data is None else json.dumps(dict(answer.data))
    return Usage(requests=1, input_tokens=size_of(request), output_tokens=tokens_of(said + data), cost_micros=None)
