"""The forms in which a site's published tools leave the house, by the word that names each."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from recipes_app.formats import anthropic_tools, openai_tools, openapi, python_client
from recipes_app.formats.published import PublishedSite


@dataclass(frozen=True, slots=True)
class Form:
    """`ending` follows the site's slug in the file's name."""

    title: str
    about: str
    ending: str
    write: Callable[[PublishedSite], str]
    media_type: str = "application/json"


def as_json(make: Callable[[PublishedSite], Any]) -> Callable[[PublishedSite], str]:
    return lambda site: json.dumps(make(site), indent=2, ensure_ascii=False) + "\n"


FORMS: dict[str, Form] = {
    "openai-chat": Form(
        "OpenAI, chat completions",
        "The list of tools that a chat completion takes.",
        ".openai-chat.json",
        as_json(lambda site: openai_tools.chat_tools(site.tools)),
    ),
    "openai-responses": Form(
        "OpenAI, responses",
        "The list of tools that a response takes.",
        ".openai-responses.json",
        as_json(lambda site: openai_tools.responses_tools(site.tools)),
    ),
    "anthropic": Form(
        "Anthropic",
        "The list of tools that a message takes.",
        ".anthropic.json",
        as_json(lambda site: anthropic_tools.tools_param(site.tools)),
    ),
    "openapi": Form(
        "OpenAPI",
        "Each tool is a typed operation of the HTTP API (OpenAPI 3.1).",
        ".openapi.json",
        as_json(openapi.document),
    ),
    "python": Form(
        "Python module",
        "A typed function for each tool; needs nothing but Python's standard library.",
        "_tools.py",
        python_client.module,
        "text/x-python",
    ),
}
