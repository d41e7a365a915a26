"""Tools as Anthropic's messages take them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from recipes_app.formats.published import PublishedTool, arguments_schema, words_of


def tools_param(tools: Iterable[PublishedTool]) -> list[dict[str, Any]]:
    return [
        {"name": tool.name, "description": words_of(tool), "input_schema": arguments_schema(tool)} for tool in tools
    ]
