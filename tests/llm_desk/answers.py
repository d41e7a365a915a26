"""The simple answer shapes, and the checks on them.

An answer is a JSON object of one of these shapes::

    {"text": "..."}                                   plain text
    {"json": {...}}                                   the same, written as JSON text
    {"tool": "name", "arguments": {...}}              one tool call
    {"tools": [{"tool": "name", "arguments": {...}}]} several tool calls
    {"refusal": "..."}                                the model declines
    {"error": {"status": 429, "message": "..."}}      an HTTP error

"text" may stand beside "tool"/"tools" (said before the call).  "stop": "max_tokens" and
"delay": seconds may stand beside anything but an error.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]

STOPS = ("max_tokens",)
_KEYS = {"text", "json", "tool", "arguments", "tools", "refusal", "error", "stop", "delay"}


class AnswerError(ValueError):
    """The answer is not of a known shape; the message says what is wrong."""


@dataclass
class ToolCall:
    """One call.  ``arguments`` is an object, or a string sent as it is (broken JSON included)."""

    name: str
    arguments: Json | str = field(default_factory=dict)

    def arguments_text(self) -> str:
        """The arguments as the JSON text that goes over the wire."""
        if isinstance(self.arguments, str):
            return self.arguments
        return json.dumps(self.arguments, ensure_ascii=False)

    def arguments_object(self) -> Json:
        """The arguments as an object; of broken JSON, the members that are whole."""
        if not isinstance(self.arguments, str):
            return self.arguments
        return whole_members(self.arguments)


@dataclass
class ErrorAnswer:
    """An HTTP error in place of an answer."""

    status: int
    message: str
    type: str | None = None
    code: str | None = None
    retry_after: float | None = None
    may_retry: bool | None = None  # sent as x-should-retry, which both SDKs obey


@dataclass
class Answer:
    """An answer in its parsed form."""

    text: str | None = None
    calls: list[ToolCall] = field(default_factory=list)
    refusal: str | None = None
    error: ErrorAnswer | None = None
    stop: str | None = None
    delay: float = 0.0

    def completion_chars(self) -> int:
        """Characters that count as completion."""
        count = len(self.text or "") + len(self.refusal or "")
        return count + sum(len(c.name) + len(c.arguments_text()) for c in self.calls)


def whole_members(text: str) -> Json:
    """The members of a JSON object text that are complete, dropping the broken tail."""
    for end in range(len(text), 0, -1):
        head = text[:end].rstrip().rstrip(",")
        for tail in ("", "}"):
            try:
                value = json.loads(head + tail)
            except ValueError:
                continue
            if isinstance(value, dict):
                return value
    return {}


def _tool_call(raw: Any, where: str) -> ToolCall:
    if not isinstance(raw, dict):
        raise AnswerError(f'{where} must be an object like {{"tool": "name", "arguments": {{}}}}')
    name = raw.get("tool", raw.get("name"))
    if not isinstance(name, str) or not name:
        raise AnswerError(f'{where}: "tool" must be the tool\'s name')
    extra = set(raw) - {"tool", "name", "arguments"}
    if extra:
        raise AnswerError(f"{where}: unknown key(s) {sorted(extra)}")
    arguments = raw.get("arguments", {})
    if not isinstance(arguments, (dict, str)):
        raise AnswerError(f'{where}: "arguments" must be an object')
    return ToolCall(name, arguments)


def _error(raw: Any) -> ErrorAnswer:
    if not isinstance(raw, dict) or not isinstance(raw.get("status"), int):
        raise AnswerError('"error" must be an object like {"status": 429, "message": "..."}')
    if not 400 <= raw["status"] <= 599:
        raise AnswerError('"error": "status" must be 400 to 599')
    known = {"status", "message", "type", "code", "retry_after", "may_retry"}
    if set(raw) - known:
        raise AnswerError(f'"error": unknown key(s) {sorted(set(raw) - known)}; known: {sorted(known)}')
    return ErrorAnswer(
        status=raw["status"],
        message=str(raw.get("message", "")),
        type=raw.get("type"),
        code=raw.get("code"),
        retry_after=raw.get("retry_after"),
        may_retry=raw.get("may_retry"),
    )


def parse_answer(raw: Any) -> Answer:
    """Read one of the simple shapes; :class:`AnswerError` says what is wrong with any other."""
    if not isinstance(raw, dict):
        raise AnswerError("an answer is a JSON object")
    extra = set(raw) - _KEYS
    if extra:
        raise AnswerError(f"unknown key(s) {sorted(extra)}; known: {sorted(_KEYS)}")
    if "error" in raw:
        if len(raw) > 1:
            raise AnswerError('"error" stands alone')
        return Answer(error=_error(raw["error"]))
    kinds = [k for k in ("text", "json", "tool", "tools", "refusal") if k in raw]
    if not kinds:
        raise AnswerError("an answer needs one of text, json, tool, tools, refusal, error")
    if sum(k in raw for k in ("tool", "tools")) > 1 or sum(k in raw for k in ("text", "json", "refusal")) > 1:
        raise AnswerError(f"these do not go together: {kinds}")
    if "refusal" in raw and len(kinds) > 1:
        raise AnswerError('"refusal" stands alone')
    if "arguments" in raw and "tool" not in raw:
        raise AnswerError('"arguments" goes with "tool"')
    answer = Answer()
    if "text" in raw:
        if not isinstance(raw["text"], str):
            raise AnswerError('"text" must be a string (use "json" to give an object)')
        answer.text = raw["text"]
    if "json" in raw:
        answer.text = json.dumps(raw["json"], ensure_ascii=False)
    if "refusal" in raw:
        answer.refusal = str(raw["refusal"])
    if "tool" in raw:
        answer.calls = [_tool_call({k: raw[k] for k in ("tool", "arguments") if k in raw}, "the answer")]
    if "tools" in raw:
        if not isinstance(raw["tools"], list) or not raw["tools"]:
            raise AnswerError('"tools" must be a list of tool calls')
        answer.calls = [_tool_call(t, f"tools[{i}]") for i, t in enumerate(raw["tools"])]
    stop = raw.get("stop")
    if stop is not None and stop not in STOPS:
        raise AnswerError(f'"stop" must be one of {list(STOPS)}')
    answer.stop = stop
    delay = raw.get("delay", 0)
    if not isinstance(delay, (int, float)) or isinstance(delay, bool) or delay < 0:
        raise AnswerError('"delay" must be a number of seconds')
    answer.delay = float(delay)
    return answer


# ------------------------------------------------------------------ schema checks

_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "number": (int, float),
    "integer": (int,),
    "boolean": (bool,),
    "null": (type(None),),
}


def _is_type(value: Any, name: str) -> bool:
    if isinstance(value, bool):
        return name == "boolean"
    if name == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, _TYPES.get(name, (object,)))


def schema_problems(value: Any, schema: Any, where: str = "", root: Any = None) -> list[str]:
    """What keeps ``value`` from satisfying ``schema`` (the subset of JSON Schema that tools use)."""
    root = schema if root is None else root
    if not isinstance(schema, dict):
        return [f"{where or 'value'}: not allowed"] if schema is False else []
    here = where or "value"
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference.startswith("#"):
        target: Any = root
        for part in [p for p in reference[1:].split("/") if p]:
            target = target.get(part.replace("~1", "/").replace("~0", "~"), {}) if isinstance(target, dict) else {}
        return schema_problems(value, target, where, root)
    problems: list[str] = []
    types = schema.get("type")
    names = [types] if isinstance(types, str) else types if isinstance(types, list) else []
    if names and not any(_is_type(value, n) for n in names):
        return [f"{here}: must be {' or '.join(names)}, not {type(value).__name__} ({json.dumps(value)[:60]})"]
    if "enum" in schema and value not in schema["enum"]:
        problems.append(f"{here}: must be one of {json.dumps(schema['enum'])}, not {json.dumps(value)[:60]}")
    if "const" in schema and value != schema["const"]:
        problems.append(f"{here}: must be {json.dumps(schema['const'])}")
    for part in schema.get("allOf", []):
        problems += schema_problems(value, part, where, root)
    for word in ("anyOf", "oneOf"):
        options = schema.get(word)
        if options and all(schema_problems(value, o, where, root) for o in options):
            problems.append(f"{here}: fits none of the {len(options)} alternatives")
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        if "minimum" in schema and value < schema["minimum"]:
            problems.append(f"{here}: must be at least {schema['minimum']}")
        if "maximum" in schema and value > schema["maximum"]:
            problems.append(f"{here}: must be at most {schema['maximum']}")
    if isinstance(value, dict):
        properties = schema.get("properties") or {}
        for name in schema.get("required") or []:
            if name not in value:
                problems.append(f'{here}: "{name}" is missing')
        for name, item in value.items():
            inside = f"{where}.{name}" if where else name
            if name in properties:
                problems += schema_problems(item, properties[name], inside, root)
            elif schema.get("additionalProperties") is False:
                problems.append(f'{here}: "{name}" is not a known property (known: {sorted(properties)})')
            elif isinstance(schema.get("additionalProperties"), dict):
                problems += schema_problems(item, schema["additionalProperties"], inside, root)
            elif properties and "additionalProperties" not in schema and not where:
                problems.append(f'{here}: "{name}" is not among the declared properties {sorted(properties)}')
    if isinstance(value, list) and "items" in schema:
        for i, item in enumerate(value):
            problems += schema_problems(item, schema["items"], f"{where}[{i}]", root)
    return problems


def check_answer(request: Json, raw: Any) -> list[str]:
    """What is wrong with this answer to this request (an empty list: nothing)."""
    try:
        answer = parse_answer(raw)
    except AnswerError as problem:
        return [str(problem)]
    if answer.error or answer.refusal is not None:
        return []
    problems: list[str] = []
    tools = {tool["name"]: tool for tool in request.get("tools", [])}
    choice = request.get("tool_choice") or {}
    mode = choice.get("mode", "auto")
    if answer.calls and mode == "none":
        problems.append("the request says tool_choice none: answer with text")
    if not answer.calls and mode == "required":
        problems.append(f"the request says that a tool must be called (one of {sorted(tools)})")
    if mode == "tool" and [c.name for c in answer.calls][:1] != [choice.get("name")]:
        problems.append(f"the request says that the tool {choice.get('name')!r} must be called")
    if len(answer.calls) > 1 and choice.get("parallel") is False:
        problems.append("the request allows one tool call only")
    for call in answer.calls:
        if call.name not in tools:
            problems.append(f"there is no tool {call.name!r}; the request has {sorted(tools)}")
            continue
        arguments: Any = call.arguments
        if isinstance(arguments, str):
            try:
                arguments = json.loads(arguments)
            except ValueError as problem:
                problems.append(f"{call.name}: arguments are not JSON ({problem})")
                continue
        problems += [f"{call.name}: {p}" for p in schema_problems(arguments, tools[call.name].get("schema") or {})]
    wanted = request.get("response_format") or {}
    if not answer.calls and wanted.get("type") in ("json_object", "json_schema"):
        try:
            value = json.loads(answer.text or "")
        except ValueError as problem:
            return [*problems, f"the request wants JSON text, and this is not JSON ({problem})"]
        if wanted["type"] == "json_object" and not isinstance(value, dict):
            problems.append("the request wants a JSON object")
        if wanted["type"] == "json_schema":
            problems += schema_problems(value, wanted.get("schema") or {})
    return problems
