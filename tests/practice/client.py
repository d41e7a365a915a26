"""A visitor without a browser: keeps cookies, follows no redirects unless asked, reads pages."""

from __future__ import annotations

import http.client
from dataclasses import dataclass, field
from html.parser import HTMLParser
from types import TracebackType
from urllib.parse import quote, unquote, urlencode, urlsplit

from examples.practice.html import VOID_TAGS

BOUNDARY = "practice-boundary"


@dataclass(frozen=True)
class Seen:
    status: int
    body: bytes
    headers: http.client.HTTPMessage

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def location(self) -> str:
        return self.headers["Location"] or ""

    @property
    def page(self) -> Outline:
        outline = Outline()
        outline.feed(self.text)
        outline.close()
        return outline


class Outline(HTMLParser):
    """The tags of a page with their attributes and texts; complains about tags that are not closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[int] = []
        self.elements: list[tuple[str, dict[str, str | None], list[str]]] = []
        self.mistakes: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs), []))
        if tag not in VOID_TAGS:
            self.open.append(len(self.elements) - 1)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.elements[self.open[-1]][0] != tag:
            self.mistakes.append(f"</{tag}> closes nothing")
            return
        self.open.pop()

    def handle_data(self, data: str) -> None:
        for index in self.open:
            self.elements[index][2].append(data)

    def texts(self, *tags: str) -> list[str]:
        return ["".join(parts).strip() for tag, _, parts in self.elements if tag in tags]

    def values(self, name: str, *tags: str) -> list[str]:
        """The values of one attribute, in document order."""
        return [attrs[name] or "" for tag, attrs, _ in self.elements if name in attrs and (not tags or tag in tags)]


@dataclass
class Visitor:
    url: str
    cookies: dict[str, str] = field(default_factory=dict)

    def __enter__(self) -> Visitor:
        self._connection = http.client.HTTPConnection(urlsplit(self.url).netloc, timeout=10)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()

    def get(self, path: str) -> Seen:
        return self._send("GET", path, b"", {})

    def post(self, path: str, /, **fields: str) -> Seen:
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        return self._send("POST", path, urlencode(fields).encode(), kind)

    def post_file(self, path: str, name: str, filename: str, content: bytes, /, **fields: str) -> Seen:
        parts = [_part(f'name="{key}"', value.encode()) for key, value in fields.items()]
        parts.append(_part(f'name="{name}"; filename="{filename}"', content))
        body = b"".join(parts) + f"--{BOUNDARY}--\r\n".encode()
        return self._send("POST", path, body, {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"})

    def sign_in(self, username: str) -> Seen:
        return self.post("/login", username=username, password=f"secret-{username}")

    def follow(self, seen: Seen) -> Seen:
        assert seen.status == 303, seen.text
        return self.get(seen.location)

    def _send(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> Seen:
        cookies = "; ".join(f"{name}={quote(value)}" for name, value in self.cookies.items())
        self._connection.request(method, path, body or None, {**headers, "Cookie": cookies})
        answer = self._connection.getresponse()
        seen = Seen(answer.status, answer.read(), answer.headers)
        for header in answer.headers.get_all("Set-Cookie", []):
            self._keep(header)
        return seen

    def _keep(self, header: str) -> None:
        name, _, value = header.partition(";")[0].partition("=")
        self.cookies[name] = unquote(value)
        if "Max-Age=0" in header:
            del self.cookies[name]


def _part(disposition: str, content: bytes) -> bytes:
    head = f"--{BOUNDARY}\r\nContent-Disposition: form-data; {disposition}\r\n\r\n"
    return head.encode() + content + b"\r\n"
