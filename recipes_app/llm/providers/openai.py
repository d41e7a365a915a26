"""OpenAI's chat completions, as many other servers speak them too.

Where a server refuses a feature of the request by its name, it is asked in a plainer way, and so from then on.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator
from typing import Any, NoReturn

import openai
from openai.types import CompletionUsage
from openai.types.chat import ChatCompletion, ChatCompletionMessage

from recipes_app.llm.base import Answer, Image, Message, Request, ToolCall, ToolDef, Usage
from recipes_app.llm.connecting import CONNECT_S, Access
from recipes_app.llm.errors import BadAnswer, Rejected, Unavailable
from recipes_app.llm.providers.failures import Named, failure
from recipes_app.llm.providers.plainer import Plainer, answer_format
from recipes_app.llm.providers.reading import NotAnObject, as_json, object_of, with_data

NAMED = Named("OpenAI", "OPENAI_API_KEY")
STOPS = {"length": "length", "content_filter": "refusal", "tool_calls": "tools"}
NO_KEY = "none"


def connect(access: Access) -> OpenAIProvider:
    return OpenAIProvider(access)


class OpenAIProvider:
    """A Provider. A server of one's own may need no key."""

    def __init__(self, access: Access) -> None:
        self.name = "openai"
        self._access = access
        self._plainer = Plainer()
        self._client = openai.OpenAI(
            api_key=access.key or NO_KEY,
            base_url=access.base_url or None,
            timeout=openai.Timeout(access.timeout_s, connect=CONNECT_S),
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

    def _send(self, body: dict[str, Any]) -> ChatCompletion:
        try:
            completion: Any = self._client.chat.completions.create(**body)
        except openai.APIStatusError as error:
            raise failure(NAMED, error.status_code, error.response.headers, error.message, code=error.code) from error
        except openai.APIConnectionError as error:
            raise Unavailable(_no_answer(error, self._access)) from error
        except (openai.APIError, ValueError) as error:
            raise BadAnswer(f"OpenAI's answer could not be read: {error}") from error
        # The client builds an object of whatever JSON it gets, without looking at it.
        if not isinstance(completion, ChatCompletion) or not completion.choices or not completion.choices[0].message:
            _not_a_completion()
        return completion

    def _body(self, request: Request) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self.model_of(fast=request.fast),
            "messages": [*_system(request.system), *_messages(request.messages)],
            "max_completion_tokens": request.max_tokens,
        }
        if request.tools:
            body["tools"] = [_tool(tool) for tool in request.tools]
            body["tool_choice"] = _choice(request.choice)
            body["parallel_tool_calls"] = request.parallel
        if request.answer_schema is not None:
            body["response_format"] = answer_format(request.answer_schema)
        return body


def _not_a_completion() -> NoReturn:
    raise BadAnswer("The server's answer is no chat completion. Does OPENAI_BASE_URL end as it should (often in /v1)?")


def _no_answer(error: openai.APIConnectionError, access: Access) -> str:
    if isinstance(error, openai.APITimeoutError):
        return f"OpenAI did not answer within {access.timeout_s:g} seconds."
    return f"OpenAI could not be reached: {error.__cause__ or error}"


def _system(blocks: Iterable[str]) -> Iterator[dict[str, Any]]:
    text = "\n\n".join(block for block in blocks if block)
    if text:
        yield {"role": "system", "content": text}


def _messages(messages: Iterable[Message]) -> Iterator[dict[str, Any]]:
    """Pictures of a tool's result follow the last result of a row of them: no message of a tool may hold one."""
    waiting: list[Image] = []
    for message in messages:
        if message.role == "tool":
            yield {"role": "tool", "tool_call_id": message.call_id, "content": message.text}
            waiting += message.images
            continue
        if waiting:
            yield _user("", waiting)
            waiting = []
        yield _assistant(message) if message.role == "assistant" else _user(message.text, message.images)
    if waiting:
        yield _user("", waiting)


def _user(text: str, images: Iterable[Image]) -> dict[str, Any]:
    pictures = [{"type": "image_url", "image_url": {"url": _address(image)}} for image in images]
    if not pictures:
        return {"role": "user", "content": text}
    said = [{"type": "text", "text": text}] if text else []
    return {"role": "user", "content": [*said, *pictures]}


def _address(image: Image) -> str:
    return f"data:{image.media_type};base64,{b64encode(image.data).decode()}"


def _assistant(message: Message) -> dict[str, Any]:
    said: dict[str, Any] = {"role": "assistant", "content": message.text or None}
    if message.calls:
        said["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": as_json(call.arguments)}}
            for call in message.calls
        ]
    return said


def _tool(tool: ToolDef) -> dict[str, Any]:
    function = {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)}
    return {"type": "function", "function": function}


def _choice(choice: str) -> Any:
    words = {"auto": "auto", "none": "none", "any": "required"}
    return words.get(choice) or {"type": "function", "function": {"name": choice}}


def _answer(request: Request, completion: ChatCompletion) -> Answer:
    choice = completion.choices[0]
    message = choice.message
    calls = tuple(_calls(message))
    stop = "refusal" if message.refusal else STOPS.get(choice.finish_reason, "tools" if calls else "end")
    answer = Answer(
        text=message.refusal or message.content or "",
        calls=calls,
        usage=_usage(completion.usage),
        model=completion.model,
        stop=stop,
    )
    return with_data(request, answer)


def _calls(message: ChatCompletionMessage) -> Iterator[ToolCall]:
    for call in message.tool_calls or ():
        if call.type != "function":
            continue
        try:
            arguments, problem = object_of(call.function.arguments or "{}"), ""
        except NotAnObject as error:
            arguments, problem = {}, str(error)
        yield ToolCall(call.id, call.function.name, arguments, problem)


def _usage(counted: CompletionUsage | None) -> Usage:
    if counted is None:
        return Usage(requests=1)
    details = counted.prompt_tokens_details
    return Usage(
        requests=1,
        input_tokens=counted.prompt_tokens,
        cached_tokens=(details and details.cached_tokens) or 0,
        output_tokens=counted.completion_tokens,
        written_tokens=(details and details.cache_write_tokens) or 0,
    )
