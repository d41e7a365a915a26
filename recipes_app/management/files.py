"""Registry files, recordings and scripts on disk."""

import json
import os
import sys
from pathlib import Path
from typing import Any

from recipes_app.engine.errors import DocumentError
from recipes_app.engine.plain_json import load_json
from recipes_app.management.plain import Refused

LARGEST_BYTES = 20_000_000


def read_json(name: str) -> Any:
    """`-` is standard input."""
    try:
        return load_json(text_of(name))
    except (DocumentError, ValueError) as error:
        raise Refused(f"{name} is no JSON: {error}") from error


def parse_arguments(text: str) -> dict[str, Any]:
    try:
        value = load_json(text)
    except DocumentError as error:
        raise Refused(f"--args is no JSON: {error}") from error
    if not isinstance(value, dict):
        raise Refused('--args must be a JSON object, such as \'{"q": "lamp"}\'.')
    return value


def write_json(path: Path, value: Any) -> Path:
    return write_text(path, json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def write_text(path: Path, text: str) -> Path:
    """Whole or not at all."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _write(draft, text)
        draft.replace(path)
    except OSError as error:
        raise Refused(f"{path} could not be written: {error.strerror or error}") from error
    return path


def _write(draft: Path, text: str) -> None:
    try:
        draft.write_text(text, encoding="utf-8")
    except OSError:
        draft.unlink(missing_ok=True)
        raise


def text_of(name: str) -> str:
    try:
        return sys.stdin.read(LARGEST_BYTES) if name == "-" else _read(Path(name))
    except OSError as error:
        raise Refused(f"{name}: {error.strerror or error}") from error


def _read(path: Path) -> str:
    if path.stat().st_size > LARGEST_BYTES:
        raise Refused(f"{path} is larger than {LARGEST_BYTES // 1_000_000} MB.")
    return path.read_text(encoding="utf-8")
