"""Secrets taken out of whatever is about to leave for a model's service. Pictures are not looked into."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from html import escape
from typing import Any
from urllib.parse import quote, quote_plus

from recipes_app.llm.base import Message, Request, ToolCall, ToolDef

MASK = "••••••"
SHORT = 4
"""A shorter secret is looked for as a whole word: a PIN of one digit must not blank every number of a page."""


class Masking:
    """Each value as itself and as addresses, forms, JSON and HTML write it, with escapes of either case."""

    def __init__(self, secrets: Collection[str]) -> None:
        spelled = {form for secret in secrets if secret for form in _forms(secret)}
        longest_first = sorted(spelled, key=lambda form: (-len(form), form))
        self._pattern = re.compile("|".join(map(_pattern, longest_first))) if longest_first else None

    def request(self, request: Request) -> Request:
        if self._pattern is None:
            return request
        return replace(
            request,
            system=tuple(map(self.text, request.system)),
            messages=tuple(map(self._message, request.messages)),
            tools=tuple(map(self._tool, request.tools)),
            answer_schema=None if request.answer_schema is None else self.data(request.answer_schema),
        )

    def text(self, text: str) -> str:
        return self._pattern.sub(MASK, text) if self._pattern else text

    def data(self, value: Any) -> Any:
        match value:
            case str():
                return self.text(value)
            case Mapping():
                return {self.data(key): self.data(each) for key, each in value.items()}
            case list() | tuple():
                return [self.data(each) for each in value]
            case bool() | None:
                return value
            case int() | float():
                masked = self.text(str(value))
                return value if masked == str(value) else masked
            case _:
                return value

    def _message(self, message: Message) -> Message:
        return replace(message, text=self.text(message.text), calls=tuple(map(self._call, message.calls)))

    def _call(self, call: ToolCall) -> ToolCall:
        return replace(call, arguments=self.data(call.arguments), problem=self.text(call.problem))

    def _tool(self, tool: ToolDef) -> ToolDef:
        return replace(tool, description=self.text(tool.description), parameters=self.data(tool.parameters))


def _forms(secret: str) -> set[str]:
    as_json = {json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1]}
    as_html = {escape(secret), escape(secret, quote=False), escape(secret).replace("&#x27;", "&#39;")}
    as_address = {quote(secret), quote(secret, safe=""), quote_plus(secret)}
    lower = {re.sub(r"%[0-9A-F]{2}", lambda found: found[0].lower(), form) for form in as_address}
    return {secret, *as_json, *(form.replace("/", "\\/") for form in as_json), *as_html, *as_address, *lower}


def _pattern(form: str) -> str:
    plain = re.escape(form)
    return plain if len(form) >= SHORT else rf"(?<!\w){plain}(?!\w)"
