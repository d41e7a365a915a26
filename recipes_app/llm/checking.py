"""Whether an answer is one that was asked for. Each problem is a line the model can act on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from jsonschema import Draft202012Validator

from recipes_app.llm.base import Answer, Request, ToolCall

MOST = 8
LONGEST = 240


def problems_of(request: Request, answer: Answer) -> list[str]:
    """Nothing where the answer will do. A refusal is not looked at here."""
    if answer.stop == "length":
        return ["Your answer was cut off at its limit. Answer in fewer words."]
    if answer.fault:
        return [answer.fault]
    found = [*_wrong_calls(request, answer)] if answer.calls else [*_nothing_said(request, answer)]
    if request.answer_schema is not None and not answer.calls:
        found += _wrong_data(request.answer_schema, answer.data)
    return found[:MOST]


def schema_problems(value: Any, schema: Mapping[str, Any], name: str) -> list[str]:
    errors = sorted(Draft202012Validator(dict(schema)).iter_errors(value), key=lambda error: list(map(str, error.path)))
    return [f"{_place(name, error.absolute_path)}: {_short(error.message)}" for error in errors[:MOST]]


def _nothing_said(request: Request, answer: Answer) -> Iterator[str]:
    if request.choice == "any":
        yield f"Call a tool: {_names(request)}."
    elif request.choice not in ("auto", "none"):
        yield f"Call the tool {request.choice}."
    elif not answer.text.strip() and answer.data is None:
        yield "Your answer was empty."


def _wrong_calls(request: Request, answer: Answer) -> Iterator[str]:
    if request.choice == "none":
        yield "Call no tool: answer in words."
        return
    if len(answer.calls) > 1 and not request.parallel:
        yield "Make exactly one call."
    if request.choice not in ("auto", "any") and answer.calls[0].name != request.choice:
        yield f"Call the tool {request.choice}."
    for call in answer.calls:
        yield from _wrong_call(request, call)


def _wrong_call(request: Request, call: ToolCall) -> list[str]:
    tool = next((tool for tool in request.tools if tool.name == call.name), None)
    if tool is None:
        return [f"There is no tool {call.name[:60]!r}. The tools are: {_names(request)}."]
    if call.problem:
        return [f"{call.name}: {call.problem}"]
    return schema_problems(dict(call.arguments), tool.parameters, call.name)


def _wrong_data(schema: Mapping[str, Any], data: Mapping[str, Any] | None) -> list[str]:
    if data is None:
        return ["Answer with one JSON object and nothing else."]
    return schema_problems(dict(data), schema, "answer")


def _names(request: Request) -> str:
    return ", ".join(tool.name for tool in request.tools)


def _place(name: str, path: Any) -> str:
    return name + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)


def _short(message: str) -> str:
    return message if len(message) <= LONGEST else message[: LONGEST // 2] + " … " + message[-LONGEST // 2 :]
