"""From the three wire formats to one plain request.

The plain request is a JSON object that a person (or a script) can read::

    {"provider": "openai", "api": "chat.completions", "model": "...", "purpose": "...",
     "system": "...",
     "messages": [{"role": "user", "text": "... [image 1] ..."},
                  {"role": "assistant", "text": "", "tool_calls": [{"id", "name", "arguments"}]},
                  {"role": "tool", "tool_call_id": "...", "text": "..."}],
     "tools": [{"name", "description", "schema"}],
     "tool_choice": {"mode": "auto|none|required|tool", "name": null, "parallel": true},
     "response_format": {"type": "text|json_object|json_schema", "name", "schema", "strict"},
     "images": [{"media_type", "size", "sha256", "data" or "url"}],
     "stream": false, "max_tokens": null, "prompt_tokens": 123, "key": "..."}
"""

from __future__ import annotations

import base64
import binascii
import copy
import hashlib
import json
import math
import re
from collections.abc import Iterable
from typing import Any

Json = dict[str, Any]

IMAGE_TOKENS = 1500
_IMAGE_TYPES = ("image/png", "image/jpeg", "image/gif", "image/webp")


class BadRequest(ValueError):
    """The request is one that the real service would answer with this status."""

    def __init__(self, message: str, status: int = 400, code: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code


def tokens(chars: int, images: int = 0) -> int:
    """The estimate used everywhere: a token per four characters, 1,500 per image."""
    return math.ceil(chars / 4) + IMAGE_TOKENS * images


# ------------------------------------------------------------------ reading helpers


class _Images:
    """Collects the images of one request; the text gets a mark where each stood."""

    def __init__(self) -> None:
        self.found: list[Json] = []

    def mark(self, item: Json) -> str:
        self.found.append(item)
        return f"[image {len(self.found)}]"

    def data(self, media_type: str, data: str) -> str:
        if media_type not in _IMAGE_TYPES:
            raise BadRequest(f"unsupported image media type {media_type!r}; supported: {', '.join(_IMAGE_TYPES)}")
        try:
            raw = base64.b64decode(data, validate=True)
        except (binascii.Error, ValueError):
            raise BadRequest("image data is not valid base64") from None
        if not raw:
            raise BadRequest("image data is empty")
        return self.mark(
            {"media_type": media_type, "size": len(raw), "sha256": hashlib.sha256(raw).hexdigest(), "data": data}
        )

    def url(self, url: str) -> str:
        if url.startswith("data:"):
            match = re.fullmatch(r"data:([\w/+.-]+);base64,(.*)", url, re.DOTALL)
            if not match:
                raise BadRequest("image data URL is not of the form data:image/...;base64,...")
            return self.data(match[1], match[2])
        return self.mark({"url": url, "sha256": hashlib.sha256(url.encode()).hexdigest()})


def _text(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None else json.dumps(value, ensure_ascii=False)


def _parts(content: Any, images: _Images) -> str:
    """Content of any of the three APIs as text, images marked in place."""
    if content is None or isinstance(content, str):
        return content or ""
    if not isinstance(content, list):
        raise BadRequest("message content must be a string or a list of parts")
    out: list[str] = []
    for part in content:
        if isinstance(part, str):
            out.append(part)
            continue
        if not isinstance(part, dict):
            raise BadRequest("each content part must be an object")
        kind = part.get("type")
        if kind in ("text", "input_text", "output_text"):
            out.append(_text(part.get("text")))
        elif kind == "refusal":
            out.append(_text(part.get("refusal")))
        elif kind == "image_url":  # chat completions
            link = part.get("image_url")
            out.append(images.url(_text(link.get("url") if isinstance(link, dict) else link)))
        elif kind == "input_image":  # responses
            out.append(images.url(_text(part.get("image_url") or part.get("file_id"))))
        elif kind == "image":  # messages
            source = part.get("source") or {}
            if source.get("type") == "base64":
                out.append(images.data(_text(source.get("media_type")), _text(source.get("data"))))
            else:
                out.append(images.url(_text(source.get("url") or source.get("file_id"))))
        elif kind in ("thinking", "redacted_thinking", "reasoning"):
            continue
        else:
            out.append(f"[{kind} part, not rendered]")
    return "\n".join(out)


def _arguments(value: Any) -> Any:
    """Arguments as an object where they are JSON, else as they came."""
    if not isinstance(value, str):
        return value if value is not None else {}
    try:
        return json.loads(value or "{}")
    except ValueError:
        return value


def _tool_name(name: Any, longest: int) -> str:
    if not isinstance(name, str) or not re.fullmatch(r"[a-zA-Z0-9_-]{1,%d}" % longest, name):
        raise BadRequest(f"invalid tool name {name!r}: must match ^[a-zA-Z0-9_-]{{1,{longest}}}$")
    return name


def _format(raw: Any) -> Json:
    """response_format / text.format / output_config.format."""
    if not raw:
        return {"type": "text"}
    kind = raw.get("type", "text")
    if kind != "json_schema":
        return {"type": kind}
    inner = raw.get("json_schema", raw)
    if not isinstance(inner.get("schema"), dict):
        raise BadRequest("response format json_schema needs a schema")
    return {
        "type": "json_schema",
        "name": inner.get("name"),
        "schema": inner["schema"],
        "strict": bool(inner.get("strict")),
    }


def _strict_problem(schema: Any, where: str = "schema") -> str | None:
    """What OpenAI's strict mode would refuse in a schema."""
    if isinstance(schema, list):
        return next((p for i, s in enumerate(schema) if (p := _strict_problem(s, f"{where}[{i}]"))), None)
    if not isinstance(schema, dict):
        return None
    if schema.get("type") == "object" or "properties" in schema:
        properties = schema.get("properties") or {}
        if schema.get("additionalProperties") is not False:
            return f"In context={where}, 'additionalProperties' is required to be supplied and to be false."
        missing = sorted(set(properties) - set(schema.get("required") or []))
        if missing:
            return f"In context={where}, 'required' must list every property; missing {missing}."
        for name, inner in properties.items():
            if problem := _strict_problem(inner, f"{where}.{name}"):
                return problem
    for word in ("items", "anyOf"):
        if word in schema and (problem := _strict_problem(schema[word], f"{where}.{word}")):
            return problem
    for word in ("$defs", "definitions"):
        for name, inner in (schema.get(word) or {}).items():
            if problem := _strict_problem(inner, f"{where}.{word}.{name}"):
                return problem
    return None


def _need(body: Json, *names: str) -> None:
    for name in names:
        if body.get(name) in (None, "", []):
            raise BadRequest(f"missing required parameter: '{name}'", code="missing_required_parameter")


def _openai_checks(request: Json) -> None:
    """Refusals of the real OpenAI service that catch mistakes in a client."""
    wanted = request["response_format"]
    said = request["system"] + " ".join(m["text"] for m in request["messages"])
    if wanted["type"] == "json_object" and "json" not in said.lower():
        raise BadRequest(
            "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'."
        )
    if wanted.get("strict") and (problem := _strict_problem(wanted["schema"])):
        raise BadRequest(f"Invalid schema for response_format '{wanted.get('name')}': {problem}")
    for tool in request["tools"]:
        if tool.get("strict") and (problem := _strict_problem(tool["schema"])):
            raise BadRequest(f"Invalid schema for function '{tool['name']}': {problem}")
    _results_follow_calls(request["messages"])


def _results_follow_calls(messages: list[Json]) -> None:
    """Each tool call must be answered by a tool result before anything else is said."""
    waiting: set[str] = set()
    for message in messages:
        if message["role"] == "tool":
            if message.get("tool_call_id") not in waiting:
                raise BadRequest(f"tool result for {message.get('tool_call_id')!r} follows no such tool call")
            waiting.discard(message["tool_call_id"])
            continue
        if waiting and not (message["role"] == "assistant" and message.get("joined")):
            raise BadRequest(f"tool calls {sorted(waiting)} have no tool result right after them")
        waiting |= {call["id"] for call in message.get("tool_calls", [])}
    if waiting:
        raise BadRequest(f"tool calls {sorted(waiting)} have no tool result right after them")


def _openai_choice(choice: Any) -> tuple[str, Any]:
    """(mode, tool name) of either OpenAI API's tool_choice."""
    if not choice or isinstance(choice, str):
        return choice or "auto", None
    if choice.get("type") == "allowed_tools":
        return (choice.get("allowed_tools") or choice).get("mode", "auto"), None
    return "tool", (choice.get("function") or choice).get("name")


def _choice(mode: Any, name: Any, parallel: Any, names: Iterable[str]) -> Json:
    if mode == "tool" and name not in set(names):
        raise BadRequest(f"tool_choice names {name!r}, which is not among the tools")
    if mode in ("required", "tool") and not list(names):
        raise BadRequest("tool_choice is only allowed when tools are given")
    return {"mode": mode, "name": name if mode == "tool" else None, "parallel": parallel is not False}


# ------------------------------------------------------------------ the three APIs


def read_chat(body: Json) -> Json:
    """POST /v1/chat/completions."""
    _need(body, "model", "messages")
    images = _Images()
    system: list[str] = []
    messages: list[Json] = []
    for raw in body["messages"]:
        role = raw.get("role")
        if role not in ("system", "developer", "user", "assistant", "tool"):
            raise BadRequest(f"invalid message role {role!r}")
        text = _parts(raw.get("content"), images)
        if role in ("system", "developer") and not messages:
            system.append(text)
            continue
        message: Json = {"role": role, "text": text or _text(raw.get("refusal"))}
        if raw.get("tool_calls"):
            message["tool_calls"] = [
                {
                    "id": c.get("id"),
                    "name": c["function"]["name"],
                    "arguments": _arguments(c["function"].get("arguments")),
                }
                for c in raw["tool_calls"]
            ]
        if role == "tool":
            message["tool_call_id"] = raw.get("tool_call_id")
        messages.append(message)
    tools: list[Json] = []
    for raw in body.get("tools") or []:
        if raw.get("type", "function") != "function":
            raise BadRequest(f"llm_desk knows function tools only, not {raw.get('type')!r}")
        function = raw["function"]
        tools.append(
            {
                "name": _tool_name(function.get("name"), 64),
                "description": function.get("description") or "",
                "schema": function.get("parameters") or {"type": "object", "properties": {}},
                "strict": bool(function.get("strict")),
            }
        )
    if body.get("functions"):
        raise BadRequest("llm_desk knows 'tools', not the legacy 'functions'")
    mode, name = _openai_choice(body.get("tool_choice"))
    request = _finish(
        body, "openai", "chat.completions", "\n\n".join(system), messages, tools, images,
        _choice(mode, name, body.get("parallel_tool_calls"), [t["name"] for t in tools]),
        _format(body.get("response_format")),
        body.get("max_completion_tokens") or body.get("max_tokens"),
    )  # fmt: skip
    _openai_checks(request)
    return request


def read_responses(body: Json, earlier: list[Json] | None = None) -> Json:
    """POST /v1/responses; ``earlier``: the items of the response that it continues."""
    _need(body, "model", "input")
    images = _Images()
    given = body["input"]
    items = list(earlier or []) + ([{"role": "user", "content": given}] if isinstance(given, str) else list(given))
    system = [body["instructions"]] if body.get("instructions") else []
    messages: list[Json] = []
    for item in items:
        kind = item.get("type") or "message"
        if kind == "message":
            text = _parts(item.get("content"), images)
            if item.get("role") in ("system", "developer") and not messages:
                system.append(text)
            else:
                messages.append({"role": item.get("role", "user"), "text": text})
        elif kind == "function_call":
            call = {"id": item.get("call_id"), "name": item.get("name"), "arguments": _arguments(item.get("arguments"))}
            if messages and messages[-1]["role"] == "assistant":
                messages[-1].setdefault("tool_calls", []).append(call)
            else:
                messages.append({"role": "assistant", "text": "", "tool_calls": [call]})
        elif kind == "function_call_output":
            text = _parts(item.get("output"), images)
            messages.append({"role": "tool", "text": text, "tool_call_id": item.get("call_id")})
        elif kind != "reasoning":
            messages.append({"role": item.get("role", "user"), "text": f"[{kind} item, not rendered]"})
    tools: list[Json] = []
    for raw in body.get("tools") or []:
        if raw.get("type") != "function":
            raise BadRequest(f"llm_desk knows function tools only, not {raw.get('type')!r}")
        tools.append(
            {
                "name": _tool_name(raw.get("name"), 64),
                "description": raw.get("description") or "",
                "schema": raw.get("parameters") or {"type": "object", "properties": {}},
                "strict": bool(raw.get("strict")),
            }
        )
    mode, name = _openai_choice(body.get("tool_choice"))
    request = _finish(
        body, "openai", "responses", "\n\n".join(system), messages, tools, images,
        _choice(mode, name, body.get("parallel_tool_calls"), [t["name"] for t in tools]),
        _format((body.get("text") or {}).get("format")),
        body.get("max_output_tokens"),
    )  # fmt: skip
    _openai_checks(request)
    return request


def read_messages(body: Json, counting: bool = False) -> Json:
    """POST /v1/messages (and /count_tokens with ``counting``)."""
    _need(body, "model", "messages", *([] if counting else ["max_tokens"]))
    images = _Images()
    system = _parts(body.get("system"), images)
    messages: list[Json] = []
    for raw in body["messages"]:
        role, content = raw.get("role"), raw.get("content")
        if role not in ("user", "assistant", "system"):
            raise BadRequest(f"messages: unexpected role {role!r}; allowed: user, assistant")
        if not content and raw is not body["messages"][-1]:
            raise BadRequest(
                "messages: all messages must have non-empty content except for the optional final assistant message"
            )
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else list(content or [])
        rest: list[Json] = []
        calls: list[Json] = []
        for block in blocks:
            if block.get("type") == "tool_use":
                calls.append(
                    {"id": block.get("id"), "name": block.get("name"), "arguments": _arguments(block.get("input"))}
                )
            elif block.get("type") == "tool_result":
                result: Json = {"role": "tool", "text": _parts(block.get("content"), images)}
                result["tool_call_id"] = block.get("tool_use_id")
                if block.get("is_error"):
                    result["is_error"] = True
                messages.append(result)
            else:
                rest.append(block)
        if rest or calls or not blocks:
            message: Json = {"role": role, "text": _parts(rest, images)}
            if calls:
                message["tool_calls"] = calls
            messages.append(message)
    if body["messages"][0].get("role") != "user":
        raise BadRequest('messages: first message must use the "user" role')
    tools: list[Json] = []
    for raw in body.get("tools") or []:
        if raw.get("type") not in (None, "custom"):
            raise BadRequest(f"llm_desk knows client tools only, not {raw.get('type')!r}")
        if not isinstance(raw.get("input_schema"), dict) or raw["input_schema"].get("type") != "object":
            raise BadRequest(f"tools: input_schema of {raw.get('name')!r} must be a schema of type object")
        tools.append(
            {
                "name": _tool_name(raw.get("name"), 128),
                "description": raw.get("description") or "",
                "schema": raw["input_schema"],
                "strict": bool(raw.get("strict")),
            }
        )
    choice = body.get("tool_choice") or {"type": "auto"}
    mode = "required" if choice.get("type") == "any" else choice.get("type")
    wanted = (body.get("output_config") or {}).get("format") or body.get("output_format")
    request = _finish(
        body, "anthropic", "messages", system, messages, tools, images,
        _choice(mode, choice.get("name"), not choice.get("disable_parallel_tool_use"), [t["name"] for t in tools]),
        _format(wanted), body.get("max_tokens"),
    )  # fmt: skip
    _results_follow_calls(messages)
    return request


def _finish(
    body: Json, provider: str, api: str, system: str, messages: list[Json], tools: list[Json],
    images: _Images, choice: Json, wanted: Json, max_tokens: Any,
) -> Json:  # fmt: skip
    if not messages and api != "chat.completions":
        raise BadRequest("no messages")
    request: Json = {
        "provider": provider,
        "api": api,
        "model": str(body["model"]),
        "purpose": None,
        "system": system,
        "messages": messages,
        "tools": tools,
        "tool_choice": choice,
        "response_format": wanted,
        "images": images.found,
        "stream": bool(body.get("stream")),
        "max_tokens": max_tokens,
    }
    metadata = body.get("metadata") if isinstance(body.get("metadata"), dict) else {}
    request["purpose"] = (metadata or {}).get("purpose") or derived_purpose(request)
    request["prompt_tokens"] = prompt_tokens(request)
    return request


def prompt_tokens(request: Json) -> int:
    """Everything the model would read: system, messages, tools and the wanted schema."""
    chars = len(request["system"])
    for message in request["messages"]:
        chars += len(message["text"])
        for call in message.get("tool_calls", []):
            chars += len(str(call["name"])) + len(json.dumps(call["arguments"], ensure_ascii=False))
    for tool in request["tools"]:
        chars += len(tool["name"]) + len(tool["description"]) + len(json.dumps(tool["schema"], ensure_ascii=False))
    if request["response_format"].get("schema"):
        chars += len(json.dumps(request["response_format"]["schema"], ensure_ascii=False))
    return tokens(chars, len(request["images"]))


def derived_purpose(request: Json) -> str:
    """A short stable label for requests of one sort: same system prompt, tools and format."""
    words = re.findall(r"[a-z]+", request["system"].lower())[:5]
    basis = [
        re.sub(r"\d+", "#", request["system"]),
        sorted(t["name"] for t in request["tools"]),
        request["response_format"].get("name") or request["response_format"]["type"],
    ]
    return "-".join([*words, hashlib.sha256(json.dumps(basis).encode()).hexdigest()[:6]])


# ------------------------------------------------------------------ the key


def request_key(request: Json, masks: Iterable[re.Pattern[str]] = (), ignore: Iterable[str] = ()) -> str:
    """A hash that is the same for requests that mean the same.

    Left out: sampling settings, stream, token limits, metadata.  Normalised: line ends, trailing
    space, order of object members, tool-call ids (numbered by first appearance).  ``masks`` are
    patterns whose matches count as equal (a port, a date); ``ignore`` may name ``model``,
    ``images`` or ``tools``.
    """
    masks, ignore = list(masks), set(ignore)
    ids: dict[str, str] = {}

    def clean(value: Any) -> Any:
        if isinstance(value, str):
            value = "\n".join(line.rstrip() for line in value.replace("\r\n", "\n").split("\n")).strip()
            for mask in masks:
                value = mask.sub("*", value)
            return value
        if isinstance(value, list):
            return [clean(v) for v in value]
        if isinstance(value, dict):
            return {k: clean(v) for k, v in value.items()}
        return value

    def renumber(identifier: Any) -> str:
        return ids.setdefault(str(identifier), f"call {len(ids) + 1}")

    messages = copy.deepcopy(request["messages"])
    for message in messages:
        for call in message.get("tool_calls", []):
            call["id"] = renumber(call["id"])
        if "tool_call_id" in message:
            message["tool_call_id"] = renumber(message["tool_call_id"])
    basis: Json = {"provider": request["provider"], "api": request["api"], "system": clean(request["system"])}
    basis["messages"] = clean(messages)
    basis["tool_choice"] = request["tool_choice"]
    basis["response_format"] = clean(request["response_format"])
    if "model" not in ignore:
        basis["model"] = request["model"]
    if "tools" not in ignore:
        basis["tools"] = clean(request["tools"])
    if "images" not in ignore:
        basis["images"] = [image["sha256"] for image in request["images"]]
    text = json.dumps(basis, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:24]
