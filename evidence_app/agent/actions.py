"""What the agent may call: names, words and schemas. What each does is in `toolset`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from evidence_app.spec.dump import declared_type
from evidence_app.spec.shapes import FieldSpec, TaskSpec
from recipes_app.llm.base import ToolDef
from recipes_app.pilot.seams import Reflection
from recipes_app.pilot.tools import TOOLS

Schema = Mapping[str, Any]
TEXT: Schema = {"type": "string"}
ELEMENT: Schema = {"type": "integer", "description": "its number on the page shown"}
# Which of the pilot's tools does the action of this name.
OF_PILOT = {
    "goto": "goto", "click": "click", "type": "type_text", "scroll": "scroll", "wait": "wait_for",
    "select_option": "select_option", "press": "press", "hover": "hover", "upload": "upload", "back": "back",
    "switch_page": "switch_page", "dialog": "dialog", "extract": "extract", "choose": "choose", "check": "check",
    "set_date": "set_date",
}  # fmt: skip
ENDING = ("done", "fail")
# After one of these the rest of an answer's calls is not done.
BREAKING = frozenset({"goto", "done", "fail", "save_progress", "back", "switch_page"})
JSON_TYPES = {
    "str": "string", "int": "integer", "float": "number", "bool": "boolean", "date": "string", "datetime": "string",
    "url": "string", "enum": "string", "list": "array", "object": "object",
}  # fmt: skip


def tools_for(spec: TaskSpec, callable_tools: Iterable[ToolDef] = ()) -> dict[str, ToolDef]:
    """Every action of this task by its name, in the order they are offered."""
    tools = [_renamed(name, pilot) for name, pilot in OF_PILOT.items()]
    tools += [_screenshot(), _download(), _look(), _save_progress(spec), _done(spec), _fail()]
    recipes = list(callable_tools)
    if recipes:
        tools.insert(0, _call(recipes))
    return {tool.name: tool for tool in tools}


def reflection(mode: str) -> Reflection:
    """`light`: what comes next. `full`: also what became of the last step, and what to remember."""
    fields: dict[str, Schema] = {
        "next_goal": {"type": "string", "description": "what this call is for, in a few words"}
    }
    if mode != "full":
        return Reflection(fields)
    fields = {
        "evaluation_previous_step": {"type": "string", "description": "did the last call do what was wanted?"},
        "memory_update": {"type": "string", "description": "what to remember of this page"},
        **fields,
    }
    return Reflection(fields, tuple(fields))


def schema_of(fields: Iterable[FieldSpec]) -> dict[str, Any]:
    """What a model is asked to give: types as JSON Schema, words for the rest; null where it may be missing."""
    return {"type": "object", "properties": {each.name: _schema(each) for each in fields}}


def _schema(each: FieldSpec) -> dict[str, Any]:
    kind = JSON_TYPES.get(each.type)
    schema: dict[str, Any] = {}
    if kind:
        schema["type"] = [kind, "null"] if each.nullable else kind
    if each.choices:
        schema["enum"] = [*each.choices, None] if each.nullable else list(each.choices)
    if each.type == "list":
        schema["items"] = _schema(each.items) if each.items else {}
    if each.fields:
        schema["properties"] = {member.name: _schema(member) for member in each.fields}
    said = each.description or (declared_type(each) if each.type in ("date", "datetime", "url", "any") else "")
    return {**schema, "description": said} if said else schema


def _tool(name: str, words: str, properties: Mapping[str, Schema], required: Iterable[str] | None = None) -> ToolDef:
    needed = list(properties) if required is None else list(required)
    schema = {"type": "object", "properties": dict(properties), "additionalProperties": False, "required": needed}
    return ToolDef(name, words, schema)


def _renamed(name: str, pilot: str) -> ToolDef:
    tool = TOOLS[pilot]
    return ToolDef(name, tool.description, tool.parameters)


def _screenshot() -> ToolDef:
    words = "Keep a full-page picture of the page as evidence, under a label such as the artifact the task asks for."
    return _tool("screenshot", words, {"label": TEXT})


def _download() -> ToolDef:
    words = "Click something that brings a file, and keep the file as evidence under a label."
    return _tool("download", words, {"element": ELEMENT, "label": TEXT})


def _look() -> ToolDef:
    words = "Ask what a picture of the page shows, where its words do not tell: icons, charts, drawings."
    return _tool("look", words, {"question": TEXT})


def _call(recipes: Iterable[ToolDef]) -> ToolDef:
    told = "; ".join(f"{each.name}: {each.description}" for each in recipes)
    names: Schema = {"type": "string", "enum": [each.name for each in recipes]}
    words = f"Use one of this site's ready-made tools instead of the page. {told}"
    return _tool("call", words, {"tool": names, "arguments": {"type": "object"}})


def _save_progress(spec: TaskSpec) -> ToolDef:
    properties: dict[str, Schema] = {"extracted": schema_of(spec.output), "note": TEXT}
    if spec.milestones:
        names = [each.id for each in spec.milestones]
        properties["milestones"] = {"type": "array", "items": {"type": "string", "enum": names}}
    words = "Save what was found so far, and the milestones reached; it is joined with what was saved before."
    return _tool("save_progress", words, properties, ["extracted"])


def _done(spec: TaskSpec) -> ToolDef:
    properties: dict[str, Schema] = {"extracted": schema_of(spec.output), "note": TEXT}
    required = ["extracted"]
    if spec.milestones:
        names = [each.id for each in spec.milestones]
        properties["milestones"] = {"type": "array", "items": {"type": "string", "enum": names}}
    if spec.judgment:
        own = {each.name: _schema(each) for each in spec.judgment.fields}
        properties["judgment"] = {
            "type": "object",
            "description": spec.judgment.question,
            "properties": {
                "answer": {"type": "string", "enum": ["yes", "no", "inconclusive"]},
                "confidence": {"type": "number", "description": "0 to 1"},
                "reasoning": TEXT,
                "references": {"type": "array", "items": TEXT, "description": "artifacts, fields, pages it rests on"},
                **own,
            },
            "required": ["answer", "confidence", "reasoning", "references"],
        }
        required.append("judgment")
    words = "The task is complete: hand in its fields. They are checked, and what is missing is said."
    return _tool("done", words, properties, required)


def _fail() -> ToolDef:
    return _tool("fail", "The task cannot be done: say why. What was saved is kept.", {"note": TEXT})
