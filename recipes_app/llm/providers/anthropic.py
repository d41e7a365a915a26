"""Anthropic's messages. A JSON object is asked for as the arguments of one forced tool: any schema, on every model."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby
from typing import Any

import anthropic
from anthropic.types import Message as Reply
from anthropic.types import TextBlock, ToolUseBlock
from anthropic.types import Usage as Counted

from recipes_app.llm.base import Answer, Image, Message, Request, ToolCall, ToolDef, Usage
from recipes_app.llm.connecting import CONNECT_S, Access
from recipes_app.llm.errors import BadAnswer, Rejected, Unavailable
from recipes_app.llm.providers.failures import Named, failure
from recipes_app.llm.providers.plainer import Feature, Plainer
from recipes_app.llm.providers.reading import with_data

NAMED = Named("Anthropic", "ANTHROPIC_API_KEY")
STOPS = {
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
    "tool_use": "tools",
}
ANSWER = "answer"
KEPT = {"type": "ephemeral"}


def _is_forced(body: dict[str, Any]) -> bool:
    return body.get("tool_choice", {}).get("type") in ("any", "tool")


# A model that thinks first cannot be forced to call a tool: it is told not to think or, if it must, only asked to call.
UNTHINKING = Feature(
    ("thinking",),
    lambda body: _is_forced(body) and "thinking" not in body,
    lambda body: {**body, "thinking": {"type": "disabled"}},
)
UNFORCED = Feature(
    ("thinking", "tool_choice"),
    _is_forced,
    lambda body: {key: value for key, value in body.items() if key != "thinking"} | {"tool_choice": {"type": "auto"}},
)


def connect(access: Access) -> AnthropicProvider:
    return AnthropicProvider(access)


class AnthropicProvider:
    """A Provider."""

    def __init__(self, access: Access) -> None:
        self.name = "anthropic"
        self._access = access
        self._plainer = Plainer((UNTHINKING, UNFORCED))
        self._client = anthropic.Anthropic(
            api_key=access.key,
            base_url=access.base_url or None,
            timeout=anthropic.Timeout(access.timeout_s, connect=CONNECT_S),
            max_retries=0,
        )

    def close(self) -> None:
        self._client.close()

    def model_of(self, *, fast: bool) -> str:
        return (fast and self._access.fast_model) or self._access.model

    def ask(self, request: Request) -> Answer:
        while True:
            body = self._plainer.apply(self._body(request))
            try:
                return _answer(request, self._send(body))
            except Rejected as error:
                if not self._plainer.give_up(body, str(error)):
                    raise

    def _send(self, body: dict[str, Any]) -> Reply:
        try:
            reply: Any = self._client.messages.create(**body)
        except anthropic.APIStatusError as error:
            said = error.api_message or error.message
            raise failure(NAMED, error.status_code, error.response.headers, said) from error
        except anthropic.APIConnectionError as error:
            raise Unavailable(_no_answer(error, self._access)) from error
        except (anthropic.APIError, ValueError) as error:
            raise BadAnswer(f"Anthropic's answer could not be read: {error}") from error
        # The client builds an object of whatever JSON it gets, without looking at it.
        if not isinstance(reply, Reply) or not isinstance(reply.content, list) or not reply.usage:
            raise BadAnswer("The server's answer is no message of Anthropic's. Look at ANTHROPIC_BASE_URL.")
        return reply

    def _body(self, request: Request) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self.model_of(fast=request.fast),
            "max_tokens": request.max_tokens,
            "system": _system(request),
            "messages": list(_messages(request.messages)),
        }
        tools = [_tool(tool) for tool in request.tools]
        if request.answer_schema is not None:
            tools.append(_tool(ToolDef(ANSWER, "Give your answer.", request.answer_schema)))
        if tools:
            body |= {"tools": tools, "tool_choice": _choice(request)}
        return body


def _no_answer(error: anthropic.APIConnectionError, access: Access) -> str:
    if isinstance(error, anthropic.APITimeoutError):
        return f"Anthropic did not answer within {access.timeout_s:g} seconds."
    return f"Anthropic could not be reached: {error.__cause__ or error}"


def _system(request: Request) -> list[dict[str, Any]]:
    """Marked after the last block that stays the same: the service keeps all up to there, the tools included."""
    kept = min(request.cached, len(request.system))
    blocks = [(index < kept, text) for index, text in enumerate(request.system) if text]
    last = sum(is_kept for is_kept, _ in blocks)
    return [
        {"type": "text", "text": text, **({"cache_control": KEPT} if number == last else {})}
        for number, (_, text) in enumerate(blocks, start=1)
    ]


def _messages(messages: Iterable[Message]) -> Iterator[dict[str, Any]]:
    """Results of tools are parts of the user's next message, and stand first in it."""
    for is_assistant, group in groupby(messages, key=lambda message: message.role == "assistant"):
        rows = list(group)
        if is_assistant:
            content = [block for message in rows for block in _said(message)]
        else:
            results = [_result(message) for message in rows if message.role == "tool"]
            content = [*results, *(block for message in rows if message.role == "user" for block in _told(message))]
        if content:
            yield {"role": "assistant" if is_assistant else "user", "content": content}


def _said(message: Message) -> Iterator[dict[str, Any]]:
    if message.text.strip():
        yield {"type": "text", "text": message.text.rstrip()}
    for call in message.calls:
        yield {"type": "tool_use", "id": call.id, "name": call.name, "input": dict(call.arguments)}


def _told(message: Message) -> Iterator[dict[str, Any]]:
    for image in message.images:
        yield _picture(image)
    if message.text.strip():
        yield {"type": "text", "text": message.text}


def _result(message: Message) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": message.call_id, "content": list(_told(message))}


def _picture(image: Image) -> dict[str, Any]:
    source = {"type": "base64", "media_type": image.media_type, "data": b64encode(image.data).decode()}
    return {"type": "image", "source": source}


def _tool(tool: ToolDef) -> dict[str, Any]:
    schema: Mapping[str, Any] = {"type": "object", **tool.parameters}
    return {"name": tool.name, "description": tool.description, "input_schema": schema}


def _choice(request: Request) -> dict[str, Any]:
    if request.answer_schema is not None and (not request.tools or request.choice == "none"):
        return {"type": "tool", "name": ANSWER, "disable_parallel_tool_use": True}
    if request.choice == "none":
        return {"type": "none"}
    single = {"disable_parallel_tool_use": not request.parallel}
    if request.answer_schema is not None or request.choice == "any":
        return {"type": "any", **single}
    return (
        {"type": "auto", **single} if request.choice == "auto" else {"type": "tool", "name": request.choice, **single}
    )


def _answer(request: Request, reply: Reply) -> Answer:
    """The forced tool of a JSON object is no call: its arguments are the answer's data."""
    calls = tuple(
        ToolCall(block.id, block.name, block.input) for block in reply.content if isinstance(block, ToolUseBlock)
    )
    answer = Answer(
        text="".join(block.text for block in reply.content if isinstance(block, TextBlock)),
        calls=calls,
        usage=_usage(reply.usage),
        model=reply.model,
        stop=STOPS.get(reply.stop_reason or "", "end"),
    )
    if request.answer_schema is None:
        return answer
    others = tuple(call for call in calls if call.name != ANSWER)
    answer = replace(answer, calls=others, stop="end" if answer.stop == "tools" and not others else answer.stop)
    data = next((call.arguments for call in calls if call.name == ANSWER), None)
    return with_data(request, answer) if data is None else replace(answer, data=data)


def _usage(counted: Counted) -> Usage:
    read, written = counted.cache_read_input_tokens or 0, counted.cache_creation_input_tokens or 0
    return Usage(
        requests=1,
        input_tokens=counted.input_tokens + read + written,
        cached_tokens=read,
        output_tokens=counted.output_tokens,
        written_tokens=written,
    )
