"""From an :class:`Answer` to the bytes that each API would send, whole or as a stream of events."""

from __future__ import annotations

import json
import time
from typing import Any

from tests.llm_desk.answers import Answer, ErrorAnswer
from tests.llm_desk.reading import tokens

Json = dict[str, Any]
Event = tuple[str | None, Json | str]  # (event name, data)

_OPENAI_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "invalid_request_error",
    429: "rate_limit_error",
}
_ANTHROPIC_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    504: "timeout_error",
    529: "overloaded_error",
}


def error_body(provider: str, error: ErrorAnswer, request_id: str) -> Json:
    """The provider's error object."""
    if provider == "anthropic":
        kind = error.type or _ANTHROPIC_TYPES.get(
            error.status, "api_error" if error.status >= 500 else "invalid_request_error"
        )
        return {"type": "error", "error": {"type": kind, "message": error.message}, "request_id": request_id}
    kind = error.type or _OPENAI_TYPES.get(
        error.status, "server_error" if error.status >= 500 else "invalid_request_error"
    )
    code = error.code or ("rate_limit_exceeded" if error.status == 429 else None)
    return {"error": {"message": error.message, "type": kind, "param": None, "code": code}}


def pieces(text: str, size: int = 12) -> list[str]:
    """A text cut as a stream would bring it."""
    return [text[i : i + size] for i in range(0, len(text), size)]


def usage(request: Json, answer: Answer) -> tuple[int, int]:
    """(prompt tokens, completion tokens) as estimated."""
    return request["prompt_tokens"], tokens(answer.completion_chars())


# ------------------------------------------------------------------ chat completions


def _chat_usage(request: Json, answer: Answer) -> Json:
    prompt, completion = usage(request, answer)
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
        "prompt_tokens_details": {"cached_tokens": 0, "audio_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": 0, "audio_tokens": 0},
    }


def _chat_finish(request: Json, answer: Answer) -> str:
    if answer.stop == "max_tokens":
        return "length"
    # As the service does: a call that tool_choice named is reported as "stop".
    return "tool_calls" if answer.calls and request["tool_choice"]["mode"] != "tool" else "stop"


def chat(request: Json, answer: Answer, number: str) -> Json:
    """A chat.completion object."""
    message: Json = {"role": "assistant", "content": answer.text, "refusal": answer.refusal, "annotations": []}
    if answer.calls:
        message["tool_calls"] = [
            {
                "id": f"call_desk_{number}_{i}",
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments_text()},
            }
            for i, call in enumerate(answer.calls, 1)
        ]
    return {
        "id": f"chatcmpl-desk-{number}",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": request["model"],
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": _chat_finish(request, answer)}],
        "usage": _chat_usage(request, answer),
        "service_tier": "default",
        "system_fingerprint": "fp_llm_desk",
    }


def chat_events(request: Json, answer: Answer, number: str, include_usage: bool) -> list[Event]:
    """The same as chat.completion.chunk events."""
    created = int(time.time())
    out: list[Event] = []

    def chunk(delta: Json | None, finish: str | None = None, counts: Json | None = None) -> None:
        data: Json = {
            "id": f"chatcmpl-desk-{number}",
            "object": "chat.completion.chunk",
            "created": created,
            "model": request["model"],
            "system_fingerprint": "fp_llm_desk",
            "choices": []
            if delta is None
            else [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}],
        }
        if include_usage:
            data["usage"] = counts
        out.append((None, data))

    chunk({"role": "assistant", "content": "" if answer.text is not None else None, "refusal": None})
    for piece in pieces(answer.text or ""):
        chunk({"content": piece})
    for piece in pieces(answer.refusal or ""):
        chunk({"refusal": piece})
    for i, call in enumerate(answer.calls):
        head = {"name": call.name, "arguments": ""}
        chunk({"tool_calls": [{"index": i, "id": f"call_desk_{number}_{i + 1}", "type": "function", "function": head}]})
        for piece in pieces(call.arguments_text()):
            chunk({"tool_calls": [{"index": i, "function": {"arguments": piece}}]})
    chunk({}, finish=_chat_finish(request, answer))
    if include_usage:
        chunk(None, counts=_chat_usage(request, answer))
    out.append((None, "[DONE]"))
    return out


# ------------------------------------------------------------------ responses


def _response_items(answer: Answer, number: str) -> list[Json]:
    status = "incomplete" if answer.stop == "max_tokens" else "completed"
    items: list[Json] = []
    part: Json | None = None
    if answer.refusal is not None:
        part = {"type": "refusal", "refusal": answer.refusal}
    elif answer.text is not None:
        part = {"type": "output_text", "text": answer.text, "annotations": [], "logprobs": []}
    if part:
        items.append(
            {"type": "message", "id": f"msg_desk_{number}", "role": "assistant", "status": status, "content": [part]}
        )
    for i, call in enumerate(answer.calls, 1):
        items.append(
            {
                "type": "function_call",
                "id": f"fc_desk_{number}_{i}",
                "call_id": f"call_desk_{number}_{i}",
                "name": call.name,
                "arguments": call.arguments_text(),
                "status": status,
            }
        )
    return items


def response(request: Json, answer: Answer, number: str, body: Json) -> Json:
    """A response object; ``body`` is the request as it came, of which parts are echoed."""
    prompt, completion = usage(request, answer)
    cut = answer.stop == "max_tokens"
    now = int(time.time())
    return {
        "id": f"resp_desk_{number}",
        "object": "response",
        "created_at": now,
        "completed_at": None if cut else now,
        "status": "incomplete" if cut else "completed",
        "background": False,
        "error": None,
        "incomplete_details": {"reason": "max_output_tokens"} if cut else None,
        "instructions": body.get("instructions"),
        "max_output_tokens": body.get("max_output_tokens"),
        "metadata": body.get("metadata") or {},
        "model": request["model"],
        "output": _response_items(answer, number),
        "parallel_tool_calls": request["tool_choice"]["parallel"],
        "previous_response_id": body.get("previous_response_id"),
        "reasoning": {"effort": None, "summary": None},
        "store": body.get("store", True),
        "temperature": body.get("temperature", 1.0),
        "text": body.get("text") or {"format": {"type": "text"}},
        "tool_choice": body.get("tool_choice") or "auto",
        "tools": body.get("tools") or [],
        "top_p": body.get("top_p", 1.0),
        "truncation": body.get("truncation") or "disabled",
        "usage": {
            "input_tokens": prompt,
            "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
            "output_tokens": completion,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": prompt + completion,
        },
        "user": None,
    }


def response_events(request: Json, answer: Answer, number: str, body: Json) -> list[Event]:
    """The same as response.* events."""
    full = response(request, answer, number, body)
    start = {
        **full,
        "status": "in_progress",
        "output": [],
        "usage": None,
        "completed_at": None,
        "incomplete_details": None,
    }
    out: list[Event] = []

    def event(kind: str, /, **data: Any) -> None:
        out.append((kind, {"type": kind, "sequence_number": len(out), **data}))

    event("response.created", response=start)
    event("response.in_progress", response=start)
    for index, item in enumerate(full["output"]):
        place: Json = {"item_id": item["id"], "output_index": index}
        if item["type"] == "message":
            part = item["content"][0]
            word = "text" if part["type"] == "output_text" else "refusal"
            event(
                "response.output_item.added", output_index=index, item={**item, "status": "in_progress", "content": []}
            )
            event("response.content_part.added", **place, content_index=0, part={**part, word: ""})
            extra: Json = {"logprobs": []} if word == "text" else {}
            stem = "response.output_text" if word == "text" else "response.refusal"
            for piece in pieces(part[word]):
                event(f"{stem}.delta", **place, content_index=0, delta=piece, **extra)
            event(f"{stem}.done", **place, content_index=0, **{word: part[word]}, **extra)
            event("response.content_part.done", **place, content_index=0, part=part)
        else:
            event(
                "response.output_item.added",
                output_index=index,
                item={**item, "status": "in_progress", "arguments": ""},
            )
            for piece in pieces(item["arguments"]):
                event("response.function_call_arguments.delta", **place, delta=piece)
            event("response.function_call_arguments.done", **place, name=item["name"], arguments=item["arguments"])
        event("response.output_item.done", output_index=index, item=item)
    event("response.incomplete" if full["status"] == "incomplete" else "response.completed", response=full)
    return out


# ------------------------------------------------------------------ messages


def _stop_reason(answer: Answer) -> str:
    if answer.stop == "max_tokens":
        return "max_tokens"
    if answer.refusal is not None:
        return "refusal"
    return "tool_use" if answer.calls else "end_turn"


def message(request: Json, answer: Answer, number: str) -> Json:
    """A Messages API message.

    Tool input is an object here, so of broken arguments only the whole members arrive (in a
    stream the broken text itself does).
    """
    prompt, completion = usage(request, answer)
    said = answer.refusal if answer.refusal is not None else answer.text
    content: list[Json] = [{"type": "text", "text": said, "citations": None}] if said else []
    for i, call in enumerate(answer.calls, 1):
        content.append(
            {
                "type": "tool_use",
                "id": f"toolu_desk_{number}_{i}",
                "name": call.name,
                "input": call.arguments_object(),
                "caller": {"type": "direct"},
            }
        )
    return {
        "id": f"msg_desk_{number}",
        "type": "message",
        "role": "assistant",
        "model": request["model"],
        "content": content,
        "stop_reason": _stop_reason(answer),
        "stop_sequence": None,
        "usage": {
            "input_tokens": prompt,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
            "output_tokens": completion,
            "service_tier": "standard",
        },
    }


def message_events(request: Json, answer: Answer, number: str) -> list[Event]:
    """The same as message_* and content_block_* events."""
    full = message(request, answer, number)
    out: list[Event] = []

    def event(kind: str, /, **data: Any) -> None:
        out.append((kind, {"type": kind, **data}))

    start = {**full, "content": [], "stop_reason": None, "usage": {**full["usage"], "output_tokens": 1}}
    event("message_start", message=start)
    event("ping")
    texts = iter(call.arguments_text() for call in answer.calls)
    for index, block in enumerate(full["content"]):
        if block["type"] == "text":
            event("content_block_start", index=index, content_block={**block, "text": ""})
            for piece in pieces(block["text"]):
                event("content_block_delta", index=index, delta={"type": "text_delta", "text": piece})
        else:
            event("content_block_start", index=index, content_block={**block, "input": {}})
            for piece in pieces(next(texts)):
                event("content_block_delta", index=index, delta={"type": "input_json_delta", "partial_json": piece})
        event("content_block_stop", index=index)
    event(
        "message_delta",
        delta={"stop_reason": full["stop_reason"], "stop_sequence": None},
        usage={"output_tokens": full["usage"]["output_tokens"]},
    )
    event("message_stop")
    return out


def encode_event(event: Event) -> bytes:
    """One server-sent event."""
    name, data = event
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    return ((f"event: {name}\n" if name else "") + f"data: {text}\n\n").encode()
