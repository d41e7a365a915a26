"""The registry file `<slug>.tools.json`: read strictly, written so that people can read it."""

from __future__ import annotations

import json
from typing import Any

from recipes_app.engine.document import DocumentError, Registry, dump_registry, parse_registry

MAX_BYTES = 8_000_000


def read_tools_json(text: str | bytes) -> Registry:
    """DocumentError names the place of whatever is wrong, JSON itself included."""
    if len(text) > MAX_BYTES:
        raise DocumentError("", f"the file is larger than {MAX_BYTES // 1_000_000} MB")
    return parse_registry(load_json(text))


def write_tools_json(registry: Registry) -> str:
    return json.dumps(dump_registry(registry), indent=2, ensure_ascii=False) + "\n"


def load_json(text: str | bytes) -> Any:
    try:
        plain = text.decode("utf-8-sig") if isinstance(text, bytes) else text
        return json.loads(plain, object_pairs_hook=unique_keys, parse_constant=refuse_constant)
    except UnicodeDecodeError:
        raise DocumentError("", "the file is not UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise DocumentError(f"line {error.lineno}", f"no valid JSON: {error.msg}") from None
    except RecursionError:
        raise DocumentError("", "nested too deeply to be read") from None
    except ValueError as error:
        # Python refuses whole numbers of thousands of digits.
        raise DocumentError("", f"no valid JSON: {error}") from None


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Of two equal keys one would be lost without a word."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise DocumentError(key[:80], "is given twice in one object")
        found[key] = value
    return found


def refuse_constant(word: str) -> Any:
    raise DocumentError("", f"no valid JSON: {word} is no number")
