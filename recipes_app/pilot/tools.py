"""The tools of a browser as a model sees them: names, words, schemas. What each does is in `toolset`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from recipes_app.llm.base import ToolDef
from recipes_app.pilot.seams import Reflection

Schema = Mapping[str, Any]

TEXT: Schema = {"type": "string"}
ELEMENT: Schema = {"type": "integer", "description": "its number on the page shown"}
DIRECTIONS = ("up", "down", "top", "bottom")


def _tool(name: str, description: str, properties: Mapping[str, Schema], required: Iterable[str] = ()) -> ToolDef:
    schema = {"type": "object", "properties": dict(properties), "additionalProperties": False}
    return ToolDef(name, description, {**schema, "required": list(required) or list(properties)})


def _on_element(name: str, description: str, **more: Schema) -> ToolDef:
    return _tool(name, description, {"element": ELEMENT, **more})


TOOLS: dict[str, ToolDef] = {
    tool.name: tool
    for tool in (
        _tool("goto", "Open an address of this site.", {"url": TEXT}),
        _on_element("click", "Click."),
        _tool(
            "type_text",
            "Replace a field's text.",
            {"element": ELEMENT, "text": TEXT, "press_enter": {"type": "boolean"}},
            ("element", "text"),
        ),
        _on_element("select_option", "Pick from a native list.", value=TEXT),
        _on_element("choose", "Pick from a radio group, list box, combo box or menu, by its words.", value=TEXT),
        _on_element("check", "Set a check box or switch.", value={"type": ["boolean", "string"]}),
        _on_element("set_date", "Set a date, time or range, as ISO.", value=TEXT),
        _on_element("upload", "Give a file parameter to a file field.", file=TEXT),
        _tool("press", "Press a key, such as Escape.", {"key": TEXT, "element": ELEMENT}, ("key",)),
        _on_element("hover", "Move the pointer over it."),
        _tool(
            "scroll",
            "Scroll; the page shown is whole already.",
            {"direction": {"type": "string", "enum": list(DIRECTIONS)}, "element": ELEMENT},
            ("direction",),
        ),
        _tool("wait_for", "Wait until the page says this.", {"text": TEXT}),
        _tool("back", "Go back one page.", {}),
        _tool("switch_page", "Go on in another open page.", {"to": {"type": "string", "enum": ["main", "newest"]}}),
        _tool(
            "dialog",
            "Say how the dialogs of the next steps are answered; else they are dismissed.",
            {"answer": {"type": "string", "enum": ["accept", "dismiss"]}, "text": TEXT},
            ("answer",),
        ),
        _tool(
            "extract",
            "Read one value: of an element, or of the place that shows these words.",
            {"name": TEXT, "element": ELEMENT, "words": TEXT},
            ("name",),
        ),
        _tool(
            "done",
            "The goal is reached, or cannot be (success false).",
            {"success": {"type": "boolean"}, "summary": TEXT, "result": {"type": "object"}},
            ("success", "summary"),
        ),
        _tool("fail", "Give up.", {"reason": TEXT}),
    )
}
ENDING = ("done", "fail")


def offered(names: Iterable[str]) -> tuple[ToolDef, ...]:
    return tuple(TOOLS[name] for name in names)


def reflecting(tools: Iterable[ToolDef], reflection: Reflection | None) -> tuple[ToolDef, ...]:
    """The tools with the fields of thought in front of their own."""
    return tuple(_with_fields(tool, reflection) if reflection else tool for tool in tools)


def _with_fields(tool: ToolDef, reflection: Reflection) -> ToolDef:
    schema = dict(tool.parameters)
    properties = {**reflection.fields, **schema.get("properties", {})}
    required = [*reflection.required, *schema.get("required", [])]
    return ToolDef(tool.name, tool.description, {**schema, "properties": properties, "required": required})
