"""How many tokens a request is, near enough to plan with; what counts is what the service says afterwards."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from recipes_app.llm.base import Message, Request

CHARACTERS_PER_TOKEN = 4
IMAGE_TOKENS = 1500


def tokens_of(text: str) -> int:
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def size_of(request: Request) -> int:
    """Input tokens: the system's blocks, messages with their pictures, tools, and the schema of the answer."""
    texts = [*request.system, *map(_text, request.messages)]
    texts += [tool.name + tool.description + _json(tool.parameters) for tool in request.tools]
    if request.answer_schema is not None:
        texts.append(_json(request.answer_schema))
    images = sum(len(message.images) for message in request.messages)
    return tokens_of("".join(texts)) + IMAGE_TOKENS * images


def _text(message: Message) -> str:
    return message.text + "".join(call.name + _json(call.arguments) for call in message.calls)


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(dict(value), ensure_ascii=False, default=str)
