"""The registry file `<slug>.tools.json`: read strictly, written so that people can read it."""

from __future__ import annotations

import json

from recipes_app.engine.document import DocumentError, Registry, dump_registry, parse_registry
from recipes_app.engine.plain_json import load_json

MAX_BYTES = 8_000_000


def read_tools_json(text: str | bytes) -> Registry:
    """DocumentError names the place of whatever is wrong, JSON itself included."""
    if len(text) > MAX_BYTES:
        raise DocumentError("", f"the file is larger than {MAX_BYTES // 1_000_000} MB")
    return parse_registry(load_json(text))


def write_tools_json(registry: Registry) -> str:
    return json.dumps(dump_registry(registry), indent=2, ensure_ascii=False) + "\n"
