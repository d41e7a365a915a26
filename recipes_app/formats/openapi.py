"""A site as one OpenAPI document (3.1): each published tool is an operation with its own arguments and result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from recipes_app.formats.published import PublishedSite, PublishedTool, arguments_schema, words_of

Json = dict[str, Any]
LITERALS = frozenset({"default", "examples", "example", "enum", "const"})
STATUSES = ["queued", "running", "done", "failed", "errored", "cancelled", "interrupted"]
REFUSALS = {
    "401": "No valid token.",
    "403": "The token, or its owner's role, does not let it call tools.",
    "404": "There is no such published tool.",
    "409": "Not in this state; or the key was used for a call with other arguments.",
    "422": "The arguments do not fit; `problems` says each in plain words.",
}


def document(site: PublishedSite) -> Json:
    schemas: Json = {"Refusal": REFUSAL, "Failure": FAILURE}
    for tool in site.tools:
        schemas[f"{tool.name}.arguments"] = moved(arguments_schema(tool), f"{tool.name}.arguments")
        schemas[f"{tool.name}.data"] = moved(dict(tool.returns or {}), f"{tool.name}.data")
        schemas[f"{tool.name}.call"] = call_schema(tool)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": f"Tools of {site.name}",
            "version": str(max((tool.version for tool in site.tools), default=0)),
            "description": f"What can be done at {site.base_url}, through Agentify.",
        },
        "servers": [{"url": site.url.rstrip("/") + "/api/v1"}],
        "security": [{"token": []}],
        "paths": {f"/sites/{site.slug}/tools/{tool.name}/calls": {"post": operation(tool)} for tool in site.tools},
        "components": {
            "schemas": schemas,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "description": "agt_…, scope call"}},
        },
    }


def operation(tool: PublishedTool) -> Json:
    arguments = reference(f"{tool.name}.arguments")
    needed = ["arguments"] if tool.parameters.get("required") else []
    body: Json = {"type": "object", "properties": {"arguments": arguments}, "additionalProperties": False}
    answer = {"application/json": {"schema": reference(f"{tool.name}.call")}}
    return {
        "operationId": tool.name,
        "summary": tool.name.replace("_", " "),
        "description": words_of(tool),
        "tags": [tool.effect],
        "x-side-effect": tool.effect,
        "x-recipe-version": tool.version,
        "parameters": HEADERS,
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": {**body, "required": needed} if needed else body}},
        },
        "responses": {
            "200": {"description": "It has ended; `status` says how.", "content": answer},
            "202": {"description": "It has not ended yet: look at `url` again.", "content": answer},
            **{status: refused(words) for status, words in REFUSALS.items()},
        },
    }


def call_schema(tool: PublishedTool) -> Json:
    result = {
        "type": ["object", "null"],
        "properties": {
            "ok": {"type": "boolean"},
            "data": {"anyOf": [reference(f"{tool.name}.data"), {"type": "object"}]},
            "warnings": {"type": "array", "items": {"type": "string"}},
            "url": {"type": ["string", "null"]},
            "llm_calls": {"const": 0},
        },
    }
    properties: Json = {
        "id": {"type": "string"},
        "site": {"type": "string"},
        "tool": {"type": "string"},
        "version": {"type": "integer"},
        "status": {"type": "string", "enum": STATUSES},
        "result": result,
        "error": {"anyOf": [reference("Failure"), {"type": "null"}]},
        "url": {"type": "string", "description": "Where to look at this call again."},
    }
    return {"type": "object", "properties": properties, "required": ["id", "status", "url"]}


def refused(words: str) -> Json:
    return {"description": words, "content": {"application/json": {"schema": reference("Refusal")}}}


def reference(name: str) -> Json:
    return {"$ref": f"#/components/schemas/{name}"}


def moved(schema: Mapping[str, Any], name: str) -> Json:
    """The schema with its own references pointing to where it now stands."""
    return {key: value if key in LITERALS else _moved(value, name, key) for key, value in schema.items()}


def _moved(value: Any, name: str, key: str = "") -> Any:
    if key == "$ref" and isinstance(value, str) and value.startswith("#"):
        return f"#/components/schemas/{name}{value[1:]}"
    if key == "properties" and isinstance(value, Mapping):
        return {each: _moved(content, name) for each, content in value.items()}
    if isinstance(value, Mapping):
        return moved(value, name)
    return [_moved(each, name) for each in value] if isinstance(value, list) else value


REFUSAL: Json = {
    "type": "object",
    "properties": {
        "error": {"type": "string", "description": "One line for a person."},
        "kind": {"type": "string"},
        "problems": {"type": ["array", "null"], "items": {"type": "string"}},
    },
    "required": ["error", "kind"],
}
FAILURE: Json = {
    "type": "object",
    "description": "Why it did not succeed.",
    "properties": {
        "error": {"type": "string", "description": "One line for a person."},
        "kind": {"type": "string"},
        "failed_step": {"type": ["string", "null"]},
        "op": {"type": ["string", "null"]},
        "url": {"type": ["string", "null"]},
        "partial": {"description": "What had been read by then."},
    },
}
HEADERS: list[Json] = [
    {
        "name": "Prefer",
        "in": "header",
        "required": False,
        "description": "wait=N: answer once the call has ended, but after N seconds (60 at most).",
        "schema": {"type": "string", "default": "wait=60"},
    },
    {
        "name": "Idempotency-Key",
        "in": "header",
        "required": False,
        "description": "With the same key the tool is not called twice.",
        "schema": {"type": "string", "maxLength": 120},
    },
]
