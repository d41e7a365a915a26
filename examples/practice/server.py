"""The HTTP side: reads a request, finds its page, writes the answer. Runs in a thread of its own."""

from __future__ import annotations

import socket
import sys
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any
from urllib.parse import unquote, urlsplit

from examples.practice.layout import fragment_response, page_response
from examples.practice.pages.notices import not_allowed_page, not_found_page
from examples.practice.routes import ROUTES
from examples.practice.state import State
from examples.practice.web import (
    Answer,
    Fragment,
    Late,
    Page,
    Request,
    Response,
    json_response,
    parse_body,
    parse_cookies,
    parse_query,
)

MAX_BODY_BYTES = 20 * 1024 * 1024


@dataclass
class Shop:
    """The state and the lock that every page function runs under."""

    state: State = field(default_factory=State)
    lock: threading.RLock = field(default_factory=threading.RLock)
    stopping: threading.Event = field(default_factory=threading.Event)

    def answer(self, request: Request, logged: str) -> tuple[Response, float]:
        """The response and how many seconds to hold it back."""
        with self.lock:
            if request.path.startswith("/__"):
                return self._control(request), 0
            self._count(request, logged)
            return _as_response(_dispatch(request), request)

    def _control(self, request: Request) -> Response:
        if (request.method, request.path) == ("POST", "/__reset"):
            self.state.reset()
            return json_response({"reset": True})
        if (request.method, request.path) == ("GET", "/__state"):
            return json_response(self.state.as_json())
        return page_response(not_found_page(), request)

    def _count(self, request: Request, logged: str) -> None:
        self.state.requests.append(logged)
        if request.method == "POST" and request.path != "/decoy":
            self.state.submissions[f"POST {request.path}"] += 1
        if "redesign" in request.query.items:
            _remember_design(request)


def _remember_design(request: Request) -> None:
    if request.design:
        request.set_cookie("redesign", request.design)
    else:
        request.drop_cookie("redesign")


def _dispatch(request: Request) -> Answer:
    method = "GET" if request.method == "HEAD" else request.method
    matching = [(route, params) for route in ROUTES if (params := route.match(request.path)) is not None]
    for route, params in matching:
        if route.method == method:
            request.params = params
            return route.handler(request)
    return not_allowed_page() if matching else not_found_page()


def _as_response(answer: Answer, request: Request) -> tuple[Response, float]:
    if isinstance(answer, Late):
        return page_response(answer.answer, request), answer.seconds
    if isinstance(answer, Page):
        return page_response(answer, request), 0
    if isinstance(answer, Fragment):
        return fragment_response(answer, request), 0
    return answer, 0


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    # A busy port must be refused, also when the other server is one of ours.
    allow_reuse_port = False

    def __init__(self, address: tuple[str, int], shop: Shop) -> None:
        self.shop = shop
        self.connections: set[socket.socket] = set()
        super().__init__(address, _Handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        self.connections.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self.connections.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        # Browsers drop connections all the time; only our own mistakes are worth a traceback.
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)

    def hang_up(self) -> None:
        """End kept-alive connections, which would be served for ever otherwise."""
        for connection in list(self.connections):
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue  # the client was faster


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Head and body are two writes; the second must not wait 40 ms for an acknowledgement.
    disable_nagle_algorithm = True
    server: _Server

    def do_GET(self) -> None:
        self._serve()

    def do_HEAD(self) -> None:
        self._serve()

    def do_POST(self) -> None:
        self._serve()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Quiet: the state lists every request."""

    def _serve(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        if length > MAX_BODY_BYTES:
            self.send_error(413)
            return
        request = self._request(self.rfile.read(length))
        response, seconds = self.server.shop.answer(request, f"{self.command} {self.path}")
        if response.never:
            self.server.shop.stopping.wait()
            self.close_connection = True
            return
        self.server.shop.stopping.wait(seconds)
        self._write(response, request.set_cookies)

    def _request(self, body: bytes) -> Request:
        url = urlsplit(self.path)
        form, files = parse_body(self.headers.get("Content-Type", ""), body)
        return Request(
            method=self.command,
            path=unquote(url.path),
            query=parse_query(url.query),
            state=self.server.shop.state,
            cookies=parse_cookies(self.headers.get("Cookie", "")),
            form=form,
            files=files,
        )

    def _write(self, response: Response, set_cookies: list[str]) -> None:
        self.send_response(response.status)
        self.send_header("Content-Type", response.content_type)
        self.send_header("Cache-Control", "no-store")
        for name, value in response.headers.items():
            self.send_header(name, value)
        for cookie in set_cookies:
            self.send_header("Set-Cookie", cookie)
        if response.stream is None:
            self._write_whole(response.body)
        else:
            self._write_stream(response)

    def _write_whole(self, body: bytes) -> None:
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def _write_stream(self, response: Response) -> None:
        """Without a length: the end of the connection is the end of the page."""
        self.send_header("Connection", "close")
        self.end_headers()
        if self.command == "HEAD" or response.stream is None:
            return
        for chunk in response.stream:
            self.wfile.write(chunk)


class PracticeSite:
    """A running practice site; `url` has no slash at its end."""

    def __init__(self, host: str, port: int) -> None:
        self._shop = Shop()
        self._server = _Server((host, port), self._shop)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()
        self.url = f"http://{host}:{self._server.server_port}"

    @property
    def state(self) -> State:
        return self._shop.state

    @property
    def requests(self) -> list[str]:
        return self._shop.state.requests

    def reset(self) -> None:
        with self._shop.lock:
            self._shop.state.reset()

    def stop(self) -> None:
        self._shop.stopping.set()
        self._server.shutdown()
        self._server.hang_up()
        self._server.server_close()
        self._thread.join()

    def __enter__(self) -> PracticeSite:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def start(port: int = 0, host: str = "127.0.0.1") -> PracticeSite:
    """Raises OSError if the port is taken."""
    return PracticeSite(host, port)
