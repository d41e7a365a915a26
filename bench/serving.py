"""Pages that a bench makes itself, served on a free port of this machine."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from recipes_app.browser.policy import Policy
from recipes_app.browser.session import ContextOptions


class PageHandler(BaseHTTPRequestHandler):
    """GET a page by its path and query; POST answers with how many fields came."""

    protocol_version = "HTTP/1.1"
    timeout = 30
    # An answer is two writes; without this the second one waits for the first to be acknowledged.
    disable_nagle_algorithm = True

    def __init__(self, pages: Mapping[str, str], *given: Any) -> None:
        self.pages = pages
        super().__init__(*given)

    def do_GET(self) -> None:
        page = self.pages.get(self.path)
        self.answer(404 if page is None else 200, "text/html", page or "")

    def do_POST(self) -> None:
        sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.answer(200, "application/json", json.dumps({"fields": len(sent)}))

    def answer(self, status: int, media_type: str, text: str) -> None:
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", f"{media_type}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_args: Any) -> None:
        """Nobody reads it."""


@contextmanager
def served(pages: Mapping[str, str]) -> Iterator[str]:
    """The address of the pages, as long as the block lasts."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(PageHandler, pages))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, name="bench pages", daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def context_for(address: str) -> ContextOptions:
    """A context that reaches these pages and nothing else, as a call of a tool that takes no picture has it."""
    return ContextOptions(block_media=True, policy=Policy.for_site(address, [], [urlsplit(address).netloc]))
