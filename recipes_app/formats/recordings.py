"""Which format a file is in, told by its content, and the importer for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from recipes_app.engine.document import DocumentError
from recipes_app.engine.plain_json import load_json
from recipes_app.formats import codegen_jsonl, recorder_json, side
from recipes_app.formats.imported import Imported
from recipes_app.formats.tools_json import MAX_BYTES

REGISTRY = "registry"
RECORDER = "recorder"
SIDE = "side"
CODEGEN = "codegen"
TITLES = {
    REGISTRY: "registry file",
    RECORDER: "Chrome DevTools Recorder",
    SIDE: "Selenium IDE",
    CODEGEN: "Playwright codegen (jsonl)",
}


class Read(Protocol):
    def __call__(self, data: object, *, name: str = "", parametrize: bool = False) -> Imported: ...


READERS: dict[str, Read] = {RECORDER: recorder_json.read, SIDE: side.read, CODEGEN: codegen_jsonl.read}


def parse(text: str | bytes) -> tuple[str, Any]:
    """The format's name and the content as plain JSON. DocumentError when it is no format known here."""
    if len(text) > MAX_BYTES:
        raise DocumentError("", f"the file is larger than {MAX_BYTES // 1_000_000} MB")
    if isinstance(text, str):
        text = text.removeprefix("\ufeff")
    try:
        data = load_json(text)
    except DocumentError as error:
        lines = first_objects(text)
        if lines is None:
            raise error from None
        return CODEGEN, lines
    return detect(data), [data] if is_codegen_line(data) else data


def first_objects(text: str | bytes) -> list[Any] | None:
    """The lines, where the first two are objects of their own; None where it is no file of lines."""
    try:
        plain = text.decode("utf-8-sig") if isinstance(text, bytes) else text
        head = [line for line in plain.split("\n", 200) if line.strip()][:2]
        if len(head) < 2 or not all(is_codegen_line(load_json(line)) for line in head):
            return None
    except (DocumentError, UnicodeDecodeError):
        return None
    return codegen_jsonl.lines_of(plain)


def is_codegen_line(data: Any) -> bool:
    if not isinstance(data, dict):
        return False
    keys = set(data)
    return bool(keys & codegen_jsonl.HEADER_KEYS) or (
        "name" in keys and bool(keys & {"signals", "pageGuid", "pageAlias"})
    )


def detect(data: Any) -> str:
    if isinstance(data, list) and data and all(map(is_codegen_line, data[:2])):
        return CODEGEN
    for name, fits in SIGNS:
        if isinstance(data, dict) and fits(data):
            return name
    return REGISTRY


SIGNS: tuple[tuple[str, Callable[[dict[str, Any]], bool]], ...] = (
    (REGISTRY, lambda data: "tools" in data),
    (SIDE, lambda data: "tests" in data),
    (RECORDER, lambda data: "steps" in data and ("title" in data or "op" not in str(data["steps"])[:40])),
    (CODEGEN, is_codegen_line),
)


def read_recording(data: object, format: str, *, name: str = "", parametrize: bool = False) -> Imported:  # noqa: A002
    """DocumentError names the place of what is wrong."""
    reader = READERS.get(format)
    if reader is None:
        raise DocumentError("", f"{format[:40]} is no format of recordings; known: {', '.join(READERS)}")
    try:
        return reader(data, name=name, parametrize=parametrize)
    except RecursionError:
        raise DocumentError("", "nested too deeply to be read") from None
