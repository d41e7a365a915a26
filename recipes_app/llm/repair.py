"""The second question, after an answer that would not do."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from recipes_app.llm.base import Answer, Message, Request

MORE_ROOM = 2
LONGEST_SAID = 4000


def asked_again(request: Request, answer: Answer, problems: Sequence[str]) -> Request:
    """The same question with the answer and what is wrong with it; an answer that was cut gets twice the room."""
    said = "That will not do:\n" + "\n".join(f"- {problem}" for problem in problems) + "\nAnswer again."
    room = request.max_tokens * (MORE_ROOM if answer.stop == "length" else 1)
    return replace(request, messages=(*request.messages, *_exchange(request, answer, said)), max_tokens=room)


def _exchange(request: Request, answer: Answer, said: str) -> tuple[Message, ...]:
    """Calls are repeated as calls only where a service would take them back as they are."""
    known = {tool.name for tool in request.tools}
    clean = answer.calls and all(call.id and call.name in known and not call.problem for call in answer.calls)
    if clean and answer.stop != "length":
        results = (Message("tool", text=said, call_id=call.id) for call in answer.calls)
        return (Message("assistant", text=answer.text, calls=answer.calls), *results)
    return (Message("assistant", text=_in_words(answer)), Message("user", text=said))


def _in_words(answer: Answer) -> str:
    calls = [f"({call.name} {json.dumps(dict(call.arguments), ensure_ascii=False)})" for call in answer.calls]
    data = [json.dumps(dict(answer.data), ensure_ascii=False)] if answer.data is not None and not answer.text else []
    return "\n".join(part for part in (answer.text, *data, *calls) if part)[:LONGEST_SAID] or "(nothing)"
