"""Tools as OpenAI takes them: in chat completions a function inside a tool, in responses the tool itself.

Not strict: optional parameters stay optional, and a call checks its arguments against the whole schema.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from recipes_app.formats.published import PublishedTool, arguments_schema, words_of


def chat_tools(tools: Iterable[PublishedTool]) -> list[dict[str, Any]]:
    return [{"type": "function", "function": function(tool)} for tool in tools]


def responses_tools(tools: Iterable[PublishedTool]) -> list[dict[str, Any]]:
    return [{"type": "function", **function(tool)} for tool in tools]


def function(tool: PublishedTool) -> dict[str, Any]:
    return {
        "name": tool.name,
        "description": words_of(tool),
        "parameters": arguments_schema(tool),
        "strict": False,
    }
