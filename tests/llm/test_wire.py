"""What goes over the wire and what is read of it, word for word."""

from base64 import b64encode
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from recipes_app.llm.base import Answer, Image, Message, Provider, Request, ToolCall
from recipes_app.llm.connecting import Access, connect, disconnect
from recipes_app.llm.errors import BadAnswer, NotConfigured, Rejected, Unavailable
from tests.llm.questions import CALL, NAMES, OBJECT, SERVICES, TEXT
from tests.llm.wire_server import WireServer, completion, reply

PICTURE = Image(b"\x89PNG", "image/png")
ENCODED = b64encode(PICTURE.data).decode()
TALK = Request(
    system=("Always the same.", "Also the same.", "Of today."),
    cached=2,
    messages=(
        Message("user", "Look.", images=(PICTURE,)),
        Message("assistant", "I search.", calls=(ToolCall("c1", "search", {"q": "a"}), ToolCall("c2", "open", {}))),
        Message("tool", "Found.", call_id="c1", images=(PICTURE,)),
        Message("tool", "Opened.", call_id="c2"),
        Message("user", "Go on."),
    ),
    tools=CALL.tools,
    choice="any",
    parallel=True,
)


@pytest.fixture(autouse=True)
def no_connections() -> Iterator[None]:
    yield
    disconnect()


def asked(server: WireServer, service: str, request: Request) -> Answer:
    return provider(server, service).ask(request)


def provider(server: WireServer, service: str) -> Provider:
    base = server.url + ("/v1" if service == "openai" else "")
    return connect(Access(service, "key", "big", "small", base, timeout_s=5))


def test_a_conversation_as_openai_has_it() -> None:
    with WireServer([completion("Well.")]) as server:
        asked(server, "openai", TALK)
    body = server.bodies[0]
    address = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{ENCODED}"}}
    assert body["messages"] == [
        {"role": "system", "content": "Always the same.\n\nAlso the same.\n\nOf today."},
        {"role": "user", "content": [{"type": "text", "text": "Look."}, address]},
        {
            "role": "assistant",
            "content": "I search.",
            "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "search", "arguments": '{"q": "a"}'}},
                {"id": "c2", "type": "function", "function": {"name": "open", "arguments": "{}"}},
            ],
        },
        {"role": "tool", "tool_call_id": "c1", "content": "Found."},
        {"role": "tool", "tool_call_id": "c2", "content": "Opened."},
        {"role": "user", "content": [address]},
        {"role": "user", "content": "Go on."},
    ]
    assert (body["tool_choice"], body["parallel_tool_calls"]) == ("required", True)
    assert (body["model"], body["max_completion_tokens"]) == ("big", TALK.max_tokens)


def test_a_conversation_as_anthropic_has_it() -> None:
    with WireServer([reply({"type": "text", "text": "Well."})]) as server:
        asked(server, "anthropic", TALK)
    body = server.bodies[0]
    picture = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": ENCODED}}
    assert body["system"] == [
        {"type": "text", "text": "Always the same."},
        {"type": "text", "text": "Also the same.", "cache_control": {"type": "ephemeral"}},
        {"type": "text", "text": "Of today."},
    ]
    found = {"type": "tool_result", "tool_use_id": "c1", "content": [picture, {"type": "text", "text": "Found."}]}
    opened = {"type": "tool_result", "tool_use_id": "c2", "content": [{"type": "text", "text": "Opened."}]}
    assert body["messages"] == [
        {"role": "user", "content": [picture, {"type": "text", "text": "Look."}]},
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": "I search."},
                {"type": "tool_use", "id": "c1", "name": "search", "input": {"q": "a"}},
                {"type": "tool_use", "id": "c2", "name": "open", "input": {}},
            ],
        },
        {"role": "user", "content": [found, opened, {"type": "text", "text": "Go on."}]},
    ]
    assert body["tool_choice"] == {"type": "any", "disable_parallel_tool_use": False}


CHOICES = {
    "auto": ("auto", {"type": "auto", "disable_parallel_tool_use": True}),
    "any": ("required", {"type": "any", "disable_parallel_tool_use": True}),
    "none": ("none", {"type": "none"}),
    "search": (
        {"type": "function", "function": {"name": "search"}},
        {"type": "tool", "name": "search", "disable_parallel_tool_use": True},
    ),
}


@pytest.mark.parametrize("choice", CHOICES)
def test_every_choice_of_a_tool(choice: str) -> None:
    request = replace(CALL, choice=choice)
    with WireServer([completion("x")]) as openai, WireServer([reply()]) as anthropic:
        asked(openai, "openai", request)
        asked(anthropic, "anthropic", request)
    assert (openai.bodies[0]["tool_choice"], anthropic.bodies[0]["tool_choice"]) == CHOICES[choice]


def test_the_fast_model_is_named() -> None:
    with WireServer([reply()]) as server:
        asked(server, "anthropic", replace(TEXT, fast=True))
    assert server.bodies[0]["model"] == "small"


def test_tokens_are_counted_with_those_of_the_cache() -> None:
    usage = {
        "prompt_tokens": 900,
        "completion_tokens": 7,
        "total_tokens": 907,
        "prompt_tokens_details": {"cached_tokens": 600},
    }
    with WireServer([completion("x", usage=usage)]) as openai:
        first = asked(openai, "openai", TEXT).usage
    with WireServer([reply(cache_read_input_tokens=600, cache_creation_input_tokens=200)]) as anthropic:
        second = asked(anthropic, "anthropic", TEXT).usage
    assert (first.input_tokens, first.cached_tokens, first.written_tokens, first.output_tokens) == (900, 600, 0, 7)
    assert (second.input_tokens, second.cached_tokens, second.written_tokens, second.output_tokens) == (
        900,
        600,
        200,
        7,
    )


def refused(param: str) -> tuple[int, dict[str, Any]]:
    return 400, {
        "error": {"message": f"Unknown parameter: '{param}'.", "type": "invalid_request_error", "param": param}
    }


def test_a_server_that_refuses_a_format_is_asked_in_a_plainer_way_and_stays_so() -> None:
    said = completion('```json\n{"names": [], "complete": true}\n```')
    with WireServer([refused("response_format"), refused("response_format"), said]) as server:
        assert asked(server, "openai", OBJECT).data == {"names": [], "complete": True}
        asked(server, "openai", OBJECT)
    formats = [body.get("response_format", {}).get("type") for body in server.bodies]
    assert formats == ["json_schema", "json_object", None, None]
    assert "JSON Schema" in server.bodies[2]["messages"][-1]["content"]


def test_a_server_of_another_age_still_calls_tools() -> None:
    call = {"id": "1", "type": "function", "function": {"name": "search", "arguments": '{"q": "a", "limit": 1}'}}
    said = completion(None, message={"tool_calls": [call]}, finish_reason="tool_calls")
    names = ("parallel_tool_calls", "tool_choice", "max_completion_tokens")
    with WireServer([*map(refused, names), said]) as server:
        answer = asked(server, "openai", replace(CALL, choice="search"))
    assert [dict(each.arguments) for each in answer.calls] == [{"q": "a", "limit": 1}]
    last = server.bodies[-1]
    assert "parallel_tool_calls" not in last
    assert (last["tool_choice"], last["max_tokens"]) == ("required", CALL.max_tokens)


def test_a_model_that_thinks_is_told_not_to_or_asked() -> None:
    no = (
        400,
        {"type": "error", "error": {"type": "invalid_request_error", "message": "thinking with a forced tool_choice"}},
    )
    block = {"type": "tool_use", "id": "t", "name": "answer", "input": {"names": [], "complete": True}}
    with WireServer([no, no, reply(block, stop="tool_use")]) as server:
        assert asked(server, "anthropic", OBJECT).data == {"names": [], "complete": True}
        asked(server, "anthropic", OBJECT)
    sent = [(body.get("thinking", {}).get("type"), body["tool_choice"]["type"]) for body in server.bodies]
    assert sent == [(None, "tool"), ("disabled", "tool"), (None, "auto"), (None, "auto")]


def test_arguments_that_are_no_json_are_a_problem_of_their_call() -> None:
    call = {"id": "1", "type": "function", "function": {"name": "search", "arguments": '{"q": "a'}}
    with WireServer([completion(None, message={"tool_calls": [call]}, finish_reason="tool_calls")]) as server:
        answer = asked(server, "openai", CALL)
    assert "no valid JSON" in answer.calls[0].problem


def test_the_forced_tool_of_an_object_is_its_data() -> None:
    block = {"type": "tool_use", "id": "t", "name": "answer", "input": {"names": [], "complete": True}}
    with WireServer([reply(block, stop="tool_use")]) as server:
        answer = asked(server, "anthropic", OBJECT)
    assert (answer.data, answer.calls, answer.stop) == ({"names": [], "complete": True}, (), "end")
    assert server.bodies[0]["tools"] == [{"name": "answer", "description": "Give your answer.", "input_schema": NAMES}]
    assert server.bodies[0]["tool_choice"]["name"] == "answer"


def test_a_refusal_is_told_with_its_words() -> None:
    with WireServer([completion(None, message={"refusal": "I will not."})]) as openai:
        first = asked(openai, "openai", TEXT)
    with WireServer([reply({"type": "text", "text": "I will not."}, stop="refusal")]) as anthropic:
        second = asked(anthropic, "anthropic", TEXT)
    assert {(each.stop, each.text) for each in (first, second)} == {("refusal", "I will not.")}


@pytest.mark.parametrize("service", SERVICES)
@pytest.mark.parametrize("body", ["<h1>Welcome</h1>", {"hello": "world"}, {}])
def test_a_page_that_is_no_answer_is_said(service: str, body: str | dict[str, Any]) -> None:
    with WireServer([(200, body)]) as server, pytest.raises(BadAnswer):
        asked(server, service, TEXT)


@pytest.mark.parametrize("service", SERVICES)
def test_statuses_become_errors_that_say_what_to_do(service: str) -> None:
    error = {"error": {"type": "x", "message": "Because."}}
    expected = {400: Rejected, 401: NotConfigured, 403: NotConfigured, 404: Rejected, 413: Rejected, 503: Unavailable}
    for status, kind in expected.items():
        with WireServer([(status, error)]) as server, pytest.raises(kind) as caught:
            asked(server, service, TEXT)
        assert len(server.bodies) == 1
        if kind is NotConfigured:
            assert f"{service.upper()}_API_KEY" in str(caught.value)
        else:
            assert "Because." in str(caught.value)


@pytest.mark.parametrize("service", SERVICES)
def test_nobody_there_is_unavailable(service: str) -> None:
    with WireServer([]) as server:
        gone = provider(server, service)
    with pytest.raises(Unavailable, match="could not be reached"):
        gone.ask(TEXT)
