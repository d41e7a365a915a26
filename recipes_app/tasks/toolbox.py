"""The tools a task may call, as a model sees them: name, description, schema. Nothing of any page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from recipes_app.formats.published import PublishedTool, arguments_schema, words_of
from recipes_app.llm.base import ToolDef

DONE = "done"
LONGEST_NAME = 64
DONE_DEF = ToolDef(
    DONE,
    "End the task: whether it succeeded, and the answer or the reason for the person who asked.",
    {
        "type": "object",
        "properties": {"success": {"type": "boolean"}, "summary": {"type": "string", "minLength": 1}},
        "required": ["success", "summary"],
        "additionalProperties": False,
    },
)


@dataclass(frozen=True, slots=True)
class Toolbox:
    """`left_out`: tools that ask for a secret, which no model is given to type."""

    by_name: dict[str, PublishedTool]
    left_out: tuple[str, ...] = ()
    defs: tuple[ToolDef, ...] = field(default=())


def fill(tools: Iterable[PublishedTool]) -> Toolbox:
    """Of several sites each name says its site."""
    given = list(tools)
    usable = [tool for tool in given if not tool.hidden]
    several = len({tool.site for tool in given}) > 1
    by_name = dict(zip(names(usable, with_site=several), usable, strict=True))
    defs = tuple(ToolDef(name, words_of(tool), arguments_schema(tool)) for name, tool in by_name.items())
    return Toolbox(by_name, tuple(tool.name for tool in given if tool.hidden), (*defs, DONE_DEF))


def names(tools: Sequence[PublishedTool], *, with_site: bool) -> list[str]:
    found: list[str] = []
    for number, tool in enumerate(tools, start=1):
        name = f"{tool.site}__{tool.name}" if with_site else tool.name
        if name == DONE or name in found or len(name) > LONGEST_NAME:
            name = f"t{number}_{tool.name}"[:LONGEST_NAME]
        found.append(name)
    return found
