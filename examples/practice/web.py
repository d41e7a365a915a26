"""What a page function receives (`Request`) and what it may give back (`Page` or `Response`)."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from email.message import Message as MailHeaders
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs, quote, unquote

from examples.practice.html import Node
from examples.practice.redesign import DESIGNS
from examples.practice.state import State

YEAR_SECONDS = 365 * 24 * 3600


@dataclass(frozen=True)
class Values:
    """Submitted names and values; a name may have several."""

    items: dict[str, list[str]] = field(default_factory=dict)

    def get(self, name: str, default: str = "") -> str:
        return self.items.get(name, [default])[0].strip()

    def all(self, name: str) -> list[str]:
        return self.items.get(name, [])

    def whole(self, name: str, default: int) -> int:
        text = self.get(name)
        return int(text) if re.fullmatch(r"-?\d{1,9}", text) else default


@dataclass(frozen=True)
class UploadedFile:
    filename: str
    content: bytes


@dataclass
class Request:
    method: str
    path: str
    query: Values
    state: State
    cookies: dict[str, str] = field(default_factory=dict)
    form: Values = field(default_factory=Values)
    files: dict[str, UploadedFile] = field(default_factory=dict)
    params: dict[str, str] = field(default_factory=dict)
    set_cookies: list[str] = field(default_factory=list)

    @property
    def design(self) -> str:
        """ "1" to "4", or "" for the usual design."""
        wanted = self.query.get("redesign") or self.cookies.get("redesign", "")
        return wanted if wanted in DESIGNS else ""

    @property
    def session_id(self) -> str:
        if not self.cookies.get("sid"):
            self.cookies["sid"] = secrets.token_hex(8)
            self.set_cookie("sid", self.cookies["sid"])
        return self.cookies["sid"]

    @property
    def username(self) -> str:
        """Who is signed in, or ""."""
        return self.state.sessions.get(self.cookies.get("sid", ""), "")

    @property
    def cart(self) -> dict[str, int]:
        return self.state.carts.get(self.cookies.get("sid", ""), {})

    def set_cookie(self, name: str, value: str, max_age: int | None = None) -> None:
        age = "" if max_age is None else f"; Max-Age={max_age}"
        self.set_cookies.append(f"{name}={quote(value)}; Path=/; SameSite=Lax{age}")

    def drop_cookie(self, name: str) -> None:
        self.set_cookie(name, "", max_age=0)

    def flash(self, text: str) -> None:
        """Show `text` at the top of the next page."""
        self.set_cookie("flash", text)

    def take_flash(self) -> str:
        text = self.cookies.pop("flash", "")
        if text:
            self.drop_cookie("flash")
        return text


@dataclass(frozen=True)
class Page:
    title: str
    content: Sequence[Node]
    status: int = 200
    scripts: tuple[str, ...] = ()
    bare: bool = False
    cookie_banner: bool = False


@dataclass(frozen=True)
class Fragment:
    """Elements that a script fetches and inserts into a page."""

    content: Node


@dataclass(frozen=True)
class Response:
    body: bytes = b""
    status: int = 200
    content_type: str = "text/html; charset=utf-8"
    headers: dict[str, str] = field(default_factory=dict)
    stream: Iterator[bytes] | None = None
    never: bool = False


@dataclass(frozen=True)
class Late:
    """An answer that is held back for a while."""

    seconds: float
    answer: Page


Answer = Page | Fragment | Response | Late
Handler = Callable[[Request], Answer]


@dataclass(frozen=True)
class Route:
    """`pattern` is a path in which `<name>` stands for one segment."""

    method: str
    pattern: str
    handler: Handler

    def match(self, path: str) -> dict[str, str] | None:
        pattern = re.sub(r"<(\w+)>", r"(?P<\1>[^/]+)", self.pattern)
        found = re.fullmatch(pattern, path)
        return found.groupdict() if found else None


def redirect(location: str, status: int = 303) -> Response:
    """Quoted, since a line break in `location` would begin a new header."""
    return Response(status=status, headers={"Location": quote(location, safe="/:?=&%#")})


def json_response(data: Any) -> Response:
    body = json.dumps(data, indent=1, ensure_ascii=False).encode()
    return Response(body=body, content_type="application/json; charset=utf-8")


def parse_query(text: str) -> Values:
    return Values(parse_qs(text, keep_blank_values=True))


def parse_cookies(header: str) -> dict[str, str]:
    try:
        jar = SimpleCookie(header)
    except CookieError:
        return {}
    return {name: unquote(morsel.value) for name, morsel in jar.items()}


def parse_body(content_type: str, body: bytes) -> tuple[Values, dict[str, UploadedFile]]:
    headers = MailHeaders()
    headers["Content-Type"] = content_type or "application/octet-stream"
    if headers.get_content_type() == "multipart/form-data":
        return _parse_multipart(str(headers.get_param("boundary", "")), body)
    if headers.get_content_type() == "application/x-www-form-urlencoded":
        return parse_query(body.decode("utf-8", "replace")), {}
    return Values(), {}


def _parse_multipart(boundary: str, body: bytes) -> tuple[Values, dict[str, UploadedFile]]:
    values: dict[str, list[str]] = {}
    files: dict[str, UploadedFile] = {}
    for part in (b"\r\n" + body).split(b"\r\n--" + boundary.encode())[1:-1]:
        head, _, content = part.partition(b"\r\n\r\n")
        name, filename = _disposition(head.decode("utf-8", "replace"))
        if filename is None:
            values.setdefault(name, []).append(content.decode("utf-8", "replace"))
        elif filename:
            files[name] = UploadedFile(filename, content)
    return Values(values), files


def _disposition(head: str) -> tuple[str, str | None]:
    """The field name and the file name (None: not a file; "": no file was chosen)."""
    names = dict(re.findall(r'[;\s](name|filename)="([^"]*)"', head))
    return names.get("name", ""), names.get("filename")
