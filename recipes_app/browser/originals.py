"""A file that a full Chromium shows in a viewer of its own: its original bytes, as the page that shows it."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import unquote

from playwright.sync_api import CDPSession, Error, Page

from recipes_app.browser.answering import answer_within
from recipes_app.browser.stage import Clock

PAGES = frozenset({"text/html", "application/xhtml+xml", "application/xml", "application/json"})
PIECE = 1 << 20
LIMIT = 100_000_000  # bytes
ANSWER_MS = 10_000.0
TYPE_MS = 3000.0


@dataclass(frozen=True, slots=True)
class Original:
    media_type: str
    name: str
    data: bytes


def shown_file(page: Page) -> str:
    """The media type of a file that stands where a page would; "" for a page, and for what the headless shell shows."""
    try:
        with answer_within(TYPE_MS):
            kind = str(page.main_frame.evaluate("document.contentType"))
    except Error:
        return ""
    return "" if kind in PAGES or kind.startswith(("text/", "image/")) else kind


def name_of(url: str) -> str:
    return unquote(url.partition("?")[0].partition("#")[0].rstrip("/").rsplit("/", 1)[-1]) or "file"


def fetch_original(page: Page, clock: Clock) -> Original:
    """By the browser's own network, with the page's cookies and through its proxy. Error where it does not arrive."""
    kind = shown_file(page)
    target = page.context.new_cdp_session(page)
    try:
        with answer_within(clock.ms(ANSWER_MS)):
            data = b"".join(_pieces(target, page.url.partition("#")[0], clock))
    finally:
        with suppress(Error):
            target.detach()
    return Original(kind, name_of(page.url), data)


def _pieces(target: CDPSession, url: str, clock: Clock) -> Iterator[bytes]:
    frame = target.send("Page.getFrameTree")["frameTree"]["frame"]["id"]
    how = {"disableCache": False, "includeCredentials": True}
    resource = target.send("Network.loadNetworkResource", {"frameId": frame, "url": url, "options": how})["resource"]
    if not resource["success"]:
        raise Error(f"the file could not be fetched: {resource.get('netErrorName') or resource.get('httpStatusCode')}")
    size, is_over = 0, False
    while not is_over:
        read = target.send("IO.read", {"handle": resource["stream"], "size": PIECE})
        piece = base64.b64decode(read["data"]) if read.get("base64Encoded") else read["data"].encode()
        size, is_over = size + len(piece), bool(read["eof"])
        if size > LIMIT or clock.is_over:
            raise Error("the file is too large, or came too slowly, to be kept with a capture")
        yield piece
