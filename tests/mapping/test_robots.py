"""Whatever a site sends for its robots.txt, the crawl of it goes on, and no more is read than is wanted."""

import gzip
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from recipes_app.browser.session import BrowserSession
from recipes_app.mapping.robots import MAX_BYTES, fetch_robots

RULES = b"User-agent: *\nDisallow: /private\n"


class Handler(BaseHTTPRequestHandler):
    """The first part of an address says how robots.txt is answered after a redirection to it."""

    sent = 0
    ended = threading.Event()

    def do_GET(self) -> None:
        getattr(self, f"do_{self.server.how}")()  # type: ignore[attr-defined]

    def head(self, *headers: tuple[str, str], status: int = 200) -> None:
        self.send_response(status)
        for name, value in (("Content-Type", "text/plain"), *headers):
            self.send_header(name, value)
        self.end_headers()

    def do_plain(self) -> None:
        self.head()
        self.wfile.write(RULES)

    def do_endless(self) -> None:
        self.head()
        self.wfile.write(RULES)
        try:
            while not self.ended.is_set():
                self.wfile.write(b"Disallow: /zzzzzzzzzzzzzzzzzz\n" * 3000)
                Handler.sent += 90_000
        except OSError:
            self.close_connection = True

    def do_silent(self) -> None:
        self.ended.wait()

    def do_dripping(self) -> None:
        self.head()
        while not self.ended.wait(0.3):
            self.wfile.write(b"#")

    def do_packed(self) -> None:
        self.head(("Content-Encoding", "gzip"))
        self.wfile.write(gzip.compress(RULES + b"#" * 10_000_000))

    def do_broken(self) -> None:
        self.wfile.write(b"nonsense\r\n\r\n")

    def do_looping(self) -> None:
        self.head(("Location", "/robots.txt"), status=302)

    def do_file(self) -> None:
        self.head(("Location", "file:///etc/passwd"), status=302)

    def do_elsewhere(self) -> None:
        self.head(("Location", "http://169.254.169.254/latest"), status=302)

    def log_message(self, *args: object) -> None:
        return


@pytest.fixture
def serve() -> Iterator[Callable[[str], str]]:
    servers: list[ThreadingHTTPServer] = []
    Handler.ended.clear()
    Handler.sent = 0

    def start(how: str) -> str:
        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.how = how  # type: ignore[attr-defined]
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_address[1]}"

    yield start
    Handler.ended.set()
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize(
    ("how", "is_kept"),
    [
        ("plain", True),
        ("endless", True),
        *((how, False) for how in ("silent", "dripping", "packed", "broken", "looping", "file", "elsewhere")),
    ],
)
def test_whatever_comes_is_read_in_time_or_allows_everything(
    how: str, is_kept: bool, serve: Callable[[str], str], browse: Callable[..., object]
) -> None:
    url = serve(how)

    def work(session: BrowserSession) -> tuple[bool, bool]:
        robots = fetch_robots(session, url)
        return robots.allows(url + "/private/x"), robots.allows(url + "/public")

    assert browse(work, url=url) == (not is_kept, True)
    # What the sockets between hold besides what was read.
    assert Handler.sent < MAX_BYTES + 20_000_000


def test_the_policy_holds_for_it(serve: Callable[[str], str], browse: Callable[..., object]) -> None:
    allowed, other = serve("plain"), serve("plain")

    def work(session: BrowserSession) -> tuple[bool, str | None]:
        return fetch_robots(session, other).allows(other + "/private"), session.refusals()[-1].refused_reason

    found: Any = browse(work, url=allowed)
    assert found[0]
    assert found[1]
