"""Published tools and what became of their calls, in the words of the protocol."""

from __future__ import annotations

import base64
import json
from typing import Any

import mcp_types as types

from recipes_app.formats.published import PublishedTool, arguments_schema, words_of
from recipes_app.mcp.seams import Content, Shown, Standing

LONGEST_TEXT = 60_000  # characters for a model's eyes; the structured result is whole


def tool(published: PublishedTool) -> types.Tool:
    returns = published.returns
    return types.Tool(
        name=published.name,
        title=published.name.replace("_", " "),
        description=words_of(published),
        input_schema=arguments_schema(published),
        output_schema=dict(returns) if returns and returns.get("type") == "object" else None,
        annotations=types.ToolAnnotations(
            read_only_hint=published.reads,
            destructive_hint=published.effect == "destructive",
            idempotent_hint=published.reads,
            open_world_hint=True,
        ),
    )


def outcome(standing: Standing, call: str) -> types.CallToolResult:
    if standing.failure is not None:
        return failed(standing.failure)
    text = shortened(standing.data, call)
    notes = [types.TextContent(type="text", text=f"Warning: {line}") for line in standing.warnings]
    content: list[types.ContentBlock] = [types.TextContent(type="text", text=text), *notes]
    return types.CallToolResult(content=content, structured_content=standing.data)


def failed(failure: dict[str, Any]) -> types.CallToolResult:
    text = json.dumps(failure, ensure_ascii=False)
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=True)


def shortened(data: dict[str, Any], call: str) -> str:
    text = json.dumps(data, ensure_ascii=False)
    if len(text) <= LONGEST_TEXT:
        return text
    return f"{text[:LONGEST_TEXT]}… (cut; the whole is at agentify://calls/{call})"


def resource(shown: Shown) -> types.Resource:
    return types.Resource(uri=shown.uri, name=shown.name, description=shown.description, mime_type=shown.media_type)


def contents(uri: str, content: Content) -> types.TextResourceContents | types.BlobResourceContents:
    kind = content.media_type
    if kind == "application/json" or kind.startswith("text/"):
        text = content.data.decode("utf-8", "replace")
        return types.TextResourceContents(uri=uri, mime_type=kind, text=text)
    return types.BlobResourceContents(uri=uri, mime_type=kind, blob=base64.b64encode(content.data).decode())
