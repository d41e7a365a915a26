"""The little HTTP/1.1 a forward proxy needs: heads in and out, never bodies."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from urllib.parse import urlsplit

from recipes_app.browser.policy import DEFAULT_PORTS, normal_host

HEAD_LIMIT = 64 * 1024
HEAD_TIMEOUT_S = 30
PER_HOP = {
    "connection",
    "proxy-connection",
    "keep-alive",
    "proxy-authorization",
    "proxy-authenticate",
    "upgrade-insecure",
}

Headers = Sequence[tuple[str, str]]


class BadHead(Exception):
    """Not the head of an HTTP message we are ready to pass on."""


@dataclass(frozen=True, slots=True)
class Head:
    """start: the three parts of a request line, or of a status line."""

    start: tuple[str, str, str]
    headers: tuple[tuple[str, str], ...]

    def get(self, name: str) -> str | None:
        return next((value for key, value in self.headers if key.lower() == name), None)

    def as_bytes(self) -> bytes:
        lines = [" ".join(self.start).rstrip(), *(f"{name}: {value}" for name, value in self.headers)]
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")

    def passed_on(self, start: tuple[str, str, str]) -> "Head":
        """Without what belongs to one hop, and for one exchange only."""
        kept = tuple((name, value) for name, value in self.headers if name.lower() not in PER_HOP)
        return Head(start, (*kept, ("Connection", "close")))


async def read_head(reader: asyncio.StreamReader, timeout_s: float | None = HEAD_TIMEOUT_S) -> Head | None:
    """None at the end of the connection."""
    try:
        raw = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), timeout_s)
    except asyncio.IncompleteReadError:
        return None
    except asyncio.LimitOverrunError as error:
        raise BadHead("the head is too long") from error
    return parse_head(raw)


def parse_head(raw: bytes) -> Head:
    first, *lines = raw.decode("latin-1").removesuffix("\r\n\r\n").split("\r\n")
    words = first.split(" ", 2)
    if len(words) < 2 or "\n" in first:
        raise BadHead("the first line cannot be read")
    return Head((words[0], words[1], words[2] if len(words) > 2 else ""), tuple(_header(line) for line in lines))


def endpoint_of(head: Head) -> tuple[str, int]:
    """Where a request to a proxy wants to go."""
    method, target, _ = head.start
    parts = urlsplit(f"//{target}" if method == "CONNECT" else target)
    if method != "CONNECT" and parts.scheme not in {"http", "ws"}:
        raise BadHead("only http is passed on")
    try:
        port = parts.port or DEFAULT_PORTS.get(parts.scheme, 443)
    except ValueError as error:
        raise BadHead("the port cannot be read") from error
    if not parts.hostname:
        raise BadHead("there is no host")
    return normal_host(parts.hostname), port


def origin_form(target: str) -> str:
    parts = urlsplit(target)
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def own_answer(status: str, marker: str, reason: str) -> bytes:
    """An answer of the proxy itself. It has a body: an empty one makes Chromium show its error page."""
    body = f"<!doctype html><title>{status}</title><h1>{status}</h1><p>{escape(reason)}</p>".encode()
    plain = reason.encode("ascii", "replace").decode()
    head = Head(
        ("HTTP/1.1", status, ""),
        (
            (marker, plain),
            ("Content-Type", "text/html; charset=utf-8"),
            ("Content-Length", str(len(body))),
            ("Cache-Control", "no-store"),
            ("Connection", "close"),
        ),
    )
    return head.as_bytes() + body


def _header(line: str) -> tuple[str, str]:
    name, colon, value = line.partition(":")
    if not colon or name != name.strip() or not name or "\n" in line:
        raise BadHead("a header cannot be read")
    return name, value.strip()
