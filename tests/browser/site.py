"""A server whose pages a test writes down itself, and whose requests it can count."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from recipes_app.browser.policy import Policy

Answer = str | tuple[int, Mapping[str, str], bytes]


@dataclass
class LittleSite:
    """pages: path -> HTML, or (status, headers, body). A path that begins with /hang never answers.

    posted: what a POST to a path answers; "ok" where nothing is said.
    """

    pages: dict[str, Answer] = field(default_factory=dict)
    posted: dict[str, Answer] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)
    port: int = 0
    ended: threading.Event = field(default_factory=threading.Event)

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        return f"http://{self.host}"

    @property
    def policy(self) -> Policy:
        return Policy.for_site(self.url, [], [self.host])

    def answer(self, path: str) -> tuple[int, Mapping[str, str], bytes]:
        self.requests.append(path)
        found = self.pages.get(path)
        return written(found) if found is not None else (404, {"Content-Type": "text/html"}, b"<h1>Not here</h1>")


def written(answer: Answer) -> tuple[int, Mapping[str, str], bytes]:
    if isinstance(answer, str):
        return 200, {"Content-Type": "text/html; charset=utf-8"}, answer.encode()
    return answer


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    site: LittleSite


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path.startswith("/hang"):
            self.server.site.requests.append(path)
            self.server.site.ended.wait()
            self.close_connection = True
            return
        self.send(*self.server.site.answer(path))

    def send(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        size = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(size)
        self.server.site.requests.append(f"POST {self.path} {len(body)}")
        self.send(*written(self.server.site.posted.get(self.path.partition("?")[0], (200, {}, b"ok"))))

    def log_message(self, *args: object) -> None:
        return


@contextmanager
def serve() -> Iterator[LittleSite]:
    server = Server(("127.0.0.1", 0), Handler)
    site = server.site = LittleSite(port=server.server_address[1])
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield site
    finally:
        site.ended.set()
        server.shutdown()
        server.server_close()
        thread.join()
