"""Files that come with a call: data URLs, or objects of name, media_type and base64."""

from __future__ import annotations

import base64
import binascii
import mimetypes
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote, unquote_to_bytes

from recipes_app.browser.api import FilePayload
from recipes_app.engine.errors import StepFailure


def payloads(value: Any) -> list[FilePayload]:
    entries = value if isinstance(value, list | tuple) else [value]
    try:
        return [payload(entry) for entry in entries]
    except (ValueError, binascii.Error) as error:
        raise StepFailure("bad_arguments", f"a file cannot be read: {error}") from None


def payload(value: Any) -> FilePayload:
    if isinstance(value, Mapping):
        name = plain_name(str(value.get("name") or "file"))
        data = base64.b64decode(str(value.get("base64", "")), validate=True)
        return FilePayload(name=name, mimeType=str(value.get("media_type") or guess(name)), buffer=data)
    return from_data_url(str(value))


def from_data_url(text: str) -> FilePayload:
    """`data:<type>;name=<name>;base64,<data>`; name and base64 may be left out."""
    if not text.startswith("data:"):
        raise ValueError("give it as a data: URL, never as a path")
    head, _, body = text.removeprefix("data:").partition(",")
    media_type, *options = head.split(";")
    named = [option.removeprefix("name=") for option in options if option.startswith("name=")]
    name = plain_name(unquote(named[0])) if named else "file" + (mimetypes.guess_extension(media_type) or "")
    data = base64.b64decode(body, validate=True) if "base64" in options else unquote_to_bytes(body)
    return FilePayload(name=name, mimeType=media_type or guess(name), buffer=data)


def plain_name(name: str) -> str:
    return name.replace("\\", "/").rsplit("/", 1)[-1] or "file"


def guess(name: str) -> str:
    return mimetypes.guess_type(name)[0] or "application/octet-stream"
