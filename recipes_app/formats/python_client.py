"""A site as one Python module: a typed function for each tool, with the standard library alone (Python 3.11)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from recipes_app.formats.published import PublishedSite, PublishedTool, arguments_schema, words_of
from recipes_app.formats.python_types import Types, camel, identifier

LONGEST_LINE = 100
# What the module itself uses; a tool of such a name gets another one.
OWN = frozenset(
    {"annotations", "json", "os", "threading", "request", "HTTPError", "Any", "Literal", "TypedDict", "ToolError"}
    | {"configure", "str", "int", "float", "bool", "list", "dict", "Exception", "ValueError", "super"}
)


def module(site: PublishedSite) -> str:
    types = Types(set(OWN))
    names = {tool.name: identifier(tool.name, types.taken) for tool in site.tools}
    functions = [function(tool, site.slug, names[tool.name], types) for tool in site.tools]
    about = f"Tools of {one_line(site.name)} ({one_line(site.base_url)}), called through Agentify."
    head = f'"""{escaped(about)}\n{USE.format(module=site.slug.replace("-", "_"))}"""\n'
    listed = "".join(f"    {name!r},\n" for name in ["ToolError", "configure", *names.values()])
    parts = [head, IMPORTS, f"__all__ = [\n{listed}]\n", BODY.replace("{url}", repr(site.url.rstrip("/")))]
    return "\n".join(parts) + "".join(f"\n\n{each}\n" for each in [*types.classes, *functions])


def function(tool: PublishedTool, site: str, name: str, types: Types) -> str:
    schema, taken = arguments_schema(tool), {"data"}
    properties, required = schema["properties"], set(schema.get("required") or ())
    own = {key: identifier(key, taken) for key in sorted(properties, key=lambda key: key not in required)}
    parts = []
    for key, word in own.items():
        kind = types.of(properties[key], camel(f"{name}_{key}"))
        parts.append(f"{word}: {kind}" if key in required else f"{word}: {or_none(kind)} = None")
    data = types.of(tool.returns, camel(f"{name}_data")) if tool.returns else "dict[str, Any]"
    given = "".join(f"        {key!r}: {word},\n" for key, word in own.items())
    arguments = f"{{\n{given}    }}" if given else "{}"
    body = f"    data: {data} = _call({site!r}, {tool.name!r}, {arguments})\n    return data"
    return f"{signature(name, parts, data)}\n{docstring(tool, properties, own)}{body}"


def signature(name: str, parts: list[str], data: str) -> str:
    line = f"def {name}({', '.join(['*', *parts]) if parts else ''}) -> {data}:"
    if len(line) <= LONGEST_LINE:
        return line
    return f"def {name}(\n    *,\n" + "".join(f"    {each},\n" for each in parts) + f") -> {data}:"


def or_none(kind: str) -> str:
    return kind if kind in {"Any", "None"} or kind.endswith("| None") else f"{kind} | None"


def docstring(tool: PublishedTool, properties: Mapping[str, Any], own: Mapping[str, str]) -> str:
    told = [
        f"    {own[key]}: {escaped(one_line(str(content['description'])))}\n"
        for key, content in properties.items()
        if isinstance(content, Mapping) and content.get("description")
    ]
    first = escaped(one_line(words_of(tool)))
    return f'    """{first}\n\n{"".join(told)}    """\n' if told else f'    """{first}"""\n'


def one_line(text: str) -> str:
    return " ".join(text.split())


def escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


USE = """
    export AGENTIFY_TOKEN=agt_…        # an API token with the scope "call"
    >>> import {module}

A function returns what the tool read. A call that did not succeed raises ToolError. Arguments left out, or None,
are not given.
"""
IMPORTS = """from __future__ import annotations

import json
import os
import threading
from typing import Any, Literal, TypedDict
from urllib import request
from urllib.error import HTTPError
"""
BODY = '''_settings = {"url": os.environ.get("AGENTIFY_URL", {url}), "token": os.environ.get("AGENTIFY_TOKEN", "")}
_ENDED = {"done", "failed", "errored", "cancelled", "interrupted"}


class ToolError(Exception):
    """Why a call did not succeed. `payload`: {"error", "kind", "failed_step", "op", "url", "partial", …}."""

    def __init__(self, payload: dict[str, Any]) -> None:
        super().__init__(payload.get("error") or "the call failed")
        self.payload = payload
        self.kind: str = payload.get("kind") or ""


def configure(*, url: str | None = None, token: str | None = None) -> None:
    """Where Agentify answers, and the token; without it AGENTIFY_URL and AGENTIFY_TOKEN are used."""
    _settings.update({name: value for name, value in (("url", url), ("token", token)) if value is not None})


def _call(site: str, tool: str, arguments: dict[str, Any]) -> Any:
    given = {name: value for name, value in arguments.items() if value is not None}
    call = _send(f"/api/v1/sites/{site}/tools/{tool}/calls", {"arguments": given})
    while call["status"] not in _ENDED:
        threading.Event().wait(0.5)
        call = _send(call["url"], None)
    result = call.get("result") or {}
    if call["status"] != "done":
        raise ToolError(call.get("error") or {"error": f"the call is {call['status']}", "kind": call["status"]})
    return result.get("data") or {}


def _send(path: str, body: dict[str, Any] | None) -> Any:
    headers = {"Authorization": f"Bearer {_settings['token']}", "Content-Type": "application/json", "Prefer": "wait=60"}
    data = None if body is None else json.dumps(body).encode()
    try:
        with request.urlopen(request.Request(_settings["url"].rstrip("/") + path, data, headers), timeout=90) as answer:
            return json.load(answer)
    except HTTPError as error:
        try:
            payload = json.load(error)
        except ValueError:
            payload = {"error": f"HTTP {error.code}", "kind": "bad_answer"}
        raise ToolError(payload) from None
'''
