"""Places outside this installation where copies of its signed tree heads are laid: a folder, a bucket, an address.

A copy is named by its size and the beginning of its root, and laid down once: two of one size with different roots
side by side are what a rewritten ledger looks like.
"""

from __future__ import annotations

import http.client
import os
import re
import socket
import ssl
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit

from evidence_app.store import s3
from evidence_app.store.blobs import StoreError

WITHIN_S = 4.0  # one try, whatever the place
MOST_BYTES = 100_000
LONGEST = 300
KINDS = frozenset({"file", "s3", "http", "https"})
UNFIT = re.compile(r"[^A-Za-z0-9._-]+")


class NotDelivered(Exception):
    """`str()` is one line for a person."""


@dataclass(frozen=True, slots=True)
class HeadFile:
    """`root` in hex; `note` the signed text."""

    origin: str
    size: int
    root: str
    note: str

    @property
    def name(self) -> str:
        return f"{UNFIT.sub('_', self.origin)}/{self.size:012d}-{self.root[:16]}.note"


def check_place(place: str) -> None:
    """ValueError, in words, for what names no place."""
    parts = urlsplit(place)
    if len(place) > LONGEST:
        raise ValueError(f"it is longer than {LONGEST} letters")
    if parts.scheme not in KINDS:
        raise ValueError("it begins with file:, s3:, https: or http:")
    if parts.scheme == "s3":
        s3.read_address(place)
    elif parts.scheme == "file":
        if parts.netloc or not parts.path.startswith("/"):
            raise ValueError("a folder reads file:///its/whole/path")
    elif not parts.hostname or parts.port == 0 or parts.username or parts.password:
        raise ValueError("it needs a host, and neither user nor password")


def said(place: str) -> str:
    """For people: without what of an address may be a secret."""
    parts = urlsplit(place)
    if parts.scheme in ("http", "https"):
        return f"{parts.scheme}://{parts.hostname}"
    return place.partition("?")[0]


def deliver(place: str, head: HeadFile) -> None:
    """NotDelivered where it does not lie there afterwards. Twice is as once."""
    match urlsplit(place).scheme:
        case "file":
            _to_folder(Path(unquote(urlsplit(place).path)), head)
        case "s3":
            _to_bucket(s3.read_address(place), head)
        case _:
            post(place, head.note.encode(), {"Content-Type": "text/plain; charset=utf-8"})


def _to_folder(folder: Path, head: HeadFile) -> None:
    """The folder itself is not made: a disk that is not mounted must not look like one that is."""
    if not folder.is_dir():
        raise NotDelivered(f"there is no folder {folder}")
    target = folder / head.name
    temporary = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        target.parent.mkdir(exist_ok=True)
        with temporary.open("wb") as file:
            file.write(head.note.encode())
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            os.link(temporary, target)
        lies_there = target.read_bytes()
    except OSError as error:
        raise NotDelivered(f"{error.strerror}: {target}") from error
    finally:
        with suppress(OSError):
            temporary.unlink()
    _compare(lies_there, head)


def _to_bucket(bucket: s3.Bucket, head: HeadFile) -> None:
    named = {"Bucket": bucket.name, "Key": bucket.prefix + head.name}
    try:
        client = s3.connected(bucket, timeout_s=WITHIN_S / 2, tries=1)
        lies_there = _laid(client, named, head.note.encode())
    except (*s3.failures(), StoreError) as error:
        raise NotDelivered(str(error)) from error
    _compare(lies_there, head)


def _laid(client: Any, named: Mapping[str, str], note: bytes) -> bytes:
    """What lies under that name now."""
    try:
        client.put_object(**named, Body=note, IfNoneMatch="*", ContentType="text/plain; charset=utf-8")
    except s3.failures() as error:
        if s3.code_of(error) != s3.EXISTS:
            raise
        kept: bytes = client.get_object(**named)["Body"].read(MOST_BYTES)
        return kept
    return note


def _compare(lies_there: bytes, head: HeadFile) -> None:
    if lies_there != head.note.encode():
        raise NotDelivered(f"another text lies there already as {head.name}")


def post(url: str, body: bytes, headers: Mapping[str, str]) -> bytes:
    """What a 2xx answers, at most 100 kB of it. No redirects; an end after four seconds, however slowly bytes drip."""
    parts = urlsplit(url)
    connection = _connection(parts)
    watch = threading.Timer(WITHIN_S, _cut, [connection])
    watch.daemon = True
    watch.start()
    try:
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request("POST", target, body, dict(headers))
        answer = connection.getresponse()
        text = answer.read(MOST_BYTES + 1)
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise NotDelivered(f"no answer: {error or type(error).__name__}") from error
    finally:
        watch.cancel()
        connection.close()
    if not 200 <= answer.status < 300:
        raise NotDelivered(f"it answered {answer.status}: {text[:200].decode('utf-8', 'replace').strip()}".rstrip(": "))
    if len(text) > MOST_BYTES:
        raise NotDelivered("its answer is too long")
    return text


def _connection(parts: SplitResult) -> http.client.HTTPConnection:
    host = parts.hostname or ""
    if parts.scheme == "http":
        return http.client.HTTPConnection(host, parts.port, timeout=WITHIN_S / 2)
    context = ssl.create_default_context()
    return http.client.HTTPSConnection(host, parts.port, timeout=WITHIN_S / 2, context=context)


def _cut(connection: http.client.HTTPConnection) -> None:
    with suppress(OSError, AttributeError):
        connection.sock.shutdown(socket.SHUT_RDWR)
