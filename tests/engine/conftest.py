"""Tiny local pages, and recipes replayed on them in a real Chromium."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

import pytest

from recipes_app.browser.session import BrowserSession
from recipes_app.engine.document import parse_recipe
from recipes_app.engine.events import Event
from recipes_app.engine.runner import Outcome, RunOptions, run


@dataclass
class Reply:
    body: bytes | str = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    wait_for: threading.Event | None = None
    pause_after: int = 0
    wait_ms: int = 0


@dataclass
class Request:
    method: str
    path: str
    body: bytes


class LocalSite:
    """Pages by path; the query is not part of it. What was asked for is kept in `requests`."""

    def __init__(self) -> None:
        self.pages: dict[str, Reply] = {}
        self.requests: list[Request] = []
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                site.requests.append(Request(self.command, self.path, body))
                reply = site.pages.get(urlsplit(self.path).path) or Reply("not here", 404)
                if reply.wait_for and not reply.pause_after:
                    reply.wait_for.wait(2)
                threading.Event().wait(reply.wait_ms / 1000)
                data = reply.body.encode() if isinstance(reply.body, str) else reply.body
                self.send_response(reply.status)
                for name, value in {"Content-Type": "text/html; charset=utf-8", **reply.headers}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data[: reply.pause_after or None])
                if reply.wait_for and reply.pause_after:
                    reply.wait_for.wait(2)

            do_POST = do_GET  # noqa: N815 - the server's own spelling

            def log_message(self, *args: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def paths(self, method: str = "GET") -> list[str]:
        return [request.path for request in self.requests if request.method == method]


@dataclass
class Replayed:
    outcome: Outcome
    events: list[Event]
    seen: Any

    @property
    def error(self) -> dict[str, Any]:
        assert self.outcome.error is not None, "the recipe did not fail"
        return self.outcome.error

    @property
    def kind(self) -> str:
        return str(self.error["kind"])


@pytest.fixture(scope="session")
def local_server() -> Iterator[LocalSite]:
    site = LocalSite()
    thread = threading.Thread(target=site.server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield site
    site.server.shutdown()
    thread.join()
    site.server.server_close()


@pytest.fixture
def site(local_server: LocalSite) -> LocalSite:
    local_server.pages = {}
    local_server.requests = []
    return local_server


Replay = Callable[..., Replayed]


@pytest.fixture
def replay(site: LocalSite, browse: Callable[..., Any]) -> Replay:
    """`replay(page, *steps, args=…, format=…, look=…)`: opens the page, runs the steps, then evaluates `look` in it."""

    def go(
        page: str | dict[str, Any],
        *steps: dict[str, Any],
        args: dict[str, Any] | None = None,
        look: str | None = None,
        options: RunOptions | None = None,
        **recipe: Any,
    ) -> Replayed:
        pages = page if isinstance(page, dict) else {"/": page}
        site.pages = {path: made if isinstance(made, Reply) else Reply(made) for path, made in pages.items()}
        events: list[Event] = []
        hear = recipe.pop("on_event", lambda event: None)

        def emit(event: Event) -> None:
            events.append(event)
            hear(event)

        version, locale = recipe.pop("format", 2), recipe.pop("locale", "en-US")
        names: dict[str, Any] = {name: {} for name in args or {}}
        data = {"name": "t", "parameters": {"properties": names}, "steps": [{"op": "goto", "url": "/"}, *steps]}
        document = parse_recipe(data | recipe, format=version)
        chosen = replace(options or RunOptions(picture_on_failure=False), base_url=site.url)

        def work(session: BrowserSession) -> Replayed:
            outcome = run(document, args or {}, session, emit=emit, options=chosen)
            return Replayed(outcome, events, session.page.evaluate(look) if look else None)

        replayed: Replayed = browse(work, url=site.url, locale=locale)
        return replayed

    return go
