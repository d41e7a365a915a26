"""A small text by plain HTTP, through a session's own way out: never more of it than asked for, never for longer.

Not with Playwright's request, which takes whatever a server sends and unpacks whatever was packed.
"""

import http.client
import threading
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

MAX_REDIRECTS = 3
REDIRECTS = {301, 302, 303, 307, 308}


@dataclass(frozen=True, slots=True)
class SmallText:
    """status 0: there was no usable answer. text: what came in time, up to the limit."""

    status: int = 0
    media_type: str = ""
    text: str = ""


def fetch_small(url: str, *, proxy_url: str, agent: str, max_bytes: int, timeout_s: float) -> SmallText:
    """Never raises for what the server does. A server slower than timeout_s has not answered."""
    found: list[SmallText] = []

    def fetch() -> None:
        found.append(_follow(url, proxy_url, agent, max_bytes, timeout_s))

    # Each wait for a socket has its own timeout; a server that sends byte after byte would stretch them without end.
    thread = threading.Thread(target=fetch, name="fetch", daemon=True)
    thread.start()
    thread.join(timeout_s)
    return found[0] if found else SmallText()


def _follow(url: str, proxy_url: str, agent: str, max_bytes: int, timeout_s: float) -> SmallText:
    for _ in range(MAX_REDIRECTS + 1):
        try:
            answer, target = _get(url, urlsplit(proxy_url).netloc, agent, max_bytes, timeout_s)
        except (OSError, http.client.HTTPException, ValueError):
            return SmallText()
        if not target:
            return answer
        url = target
    return SmallText()


def _get(url: str, proxy: str, agent: str, max_bytes: int, timeout_s: float) -> tuple[SmallText, str]:
    """The answer, and the address it sends one to instead."""
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        return SmallText(), ""
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(proxy, timeout=timeout_s)
    try:
        if parts.scheme == "https":
            connection.set_tunnel(parts.hostname, parts.port or 443)
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        address = path if parts.scheme == "https" else f"http://{parts.netloc}{path}"
        connection.request("GET", address, headers={"User-Agent": agent, "Accept": "text/plain", "Host": parts.netloc})
        response = connection.getresponse()
        location = response.getheader("Location")
        if response.status in REDIRECTS and location:
            return SmallText(), urljoin(url, location)
        if response.getheader("Content-Encoding", "identity") != "identity":
            return SmallText(), ""
        body = response.read(max_bytes)
        return SmallText(response.status, response.getheader("Content-Type", ""), body.decode("utf-8", "replace")), ""
    finally:
        connection.close()
