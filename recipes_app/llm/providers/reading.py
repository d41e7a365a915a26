"""JSON as models write it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NoReturn

from recipes_app.llm.base import Answer, Request

FENCED = re.compile(r"^\s*```(?:json)?\s*(.*?)\s*```\s*$", re.DOTALL)


class NotAnObject(ValueError):
    """The message is a line for the model."""


def object_of(text: str) -> dict[str, Any]:
    """The one JSON object a text is, be it in a Markdown block."""
    match = FENCED.match(text)
    try:
        value = json.loads(match[1] if match else text, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise NotAnObject(f"This was no valid JSON ({error}). Give one JSON object.") from error
    if not isinstance(value, dict):
        raise NotAnObject(f"This was JSON, but a {type(value).__name__}. Give one JSON object.")
    return value


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


def with_data(request: Request, answer: Answer) -> Answer:
    """With the object its text holds, where one was asked for and the answer is whole."""
    if request.answer_schema is None or answer.calls or answer.stop != "end":
        return answer
    try:
        return replace(answer, data=object_of(answer.text))
    except NotAnObject as error:
        return replace(answer, fault=str(error) if answer.text.strip() else "Your answer was empty.")


def as_json(value: Mapping[str, Any]) -> str:
    return json.dumps(dict(value), ensure_ascii=False)
