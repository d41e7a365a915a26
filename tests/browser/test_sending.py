"""What leaves a page is told by what it could do."""

import base64
import socketserver
import threading
from collections.abc import Callable, Iterator
from hashlib import sha1
from typing import Any

import pytest

from recipes_app.browser.policy import Policy
from recipes_app.browser.session import BrowserSession, ContextOptions
from tests.browser.site import LittleSite

OnPage = Callable[..., Any]


class Socket(socketserver.StreamRequestHandler):
    """Says yes to a WebSocket, and listens until it ends."""

    def handle(self) -> None:
        lines = iter(self.rfile.readline, b"\r\n")
        keys = [line.split()[1] for line in lines if line.lower().startswith(b"sec-websocket-key")]
        accepted = base64.b64encode(sha1(keys[0] + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())
        upgrade = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        self.wfile.write(upgrade + b"Sec-WebSocket-Accept: " + accepted + b"\r\n\r\n")
        self.rfile.read()


class SocketServer(socketserver.ThreadingTCPServer):
    daemon_threads = True
    block_on_close = False


@pytest.fixture
def socket_site() -> Iterator[str]:
    with SocketServer(("127.0.0.1", 0), Socket) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        yield f"127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def after(script: str, *, wait_for: Callable[[BrowserSession], bool]) -> Callable[[BrowserSession], list[str]]:
    """Runs a script in the page and says what was sent once `wait_for` holds, two seconds at most."""

    def work(session: BrowserSession) -> list[str]:
        session.page.evaluate(script)
        waited = 0
        while not wait_for(session) and waited < 2000:
            session.page.wait_for_timeout(20)
            waited += 20
        return list(session.sending.requests)

    return work


def something(session: BrowserSession) -> bool:
    return bool(session.sending.requests)


SENDERS = [
    ("() => { fetch('/api?secret=1', {method: 'POST', body: 'x'}) }", "POST", "/api"),
    ("() => { fetch('/api', {method: 'DELETE'}) }", "DELETE", "/api"),
    ("() => { navigator.sendBeacon('/count', 'x') }", "POST", "/count"),
    ("() => { const x = new XMLHttpRequest(); x.open('PUT', '/api'); x.send() }", "PUT", "/api"),
    ("() => document.querySelector('form').submit()", "POST", "/send"),
    ("() => document.querySelector('form.new').submit()", "POST", "/popup"),
]
FORMS = "<form method=post action=/send></form><form class=new method=post action=/popup target=_blank></form>"


@pytest.mark.parametrize(("script", "method", "path"), SENDERS)
def test_a_request_that_could_change_something_is_noted_without_its_query(
    on_page: OnPage, site: LittleSite, script: str, method: str, path: str
) -> None:
    assert on_page(FORMS, after(script, wait_for=something)) == [f"{method} {site.url}{path}"]


def test_reading_requests_are_not_noted(on_page: OnPage, site: LittleSite) -> None:
    script = "() => Promise.all(['GET', 'HEAD', 'OPTIONS'].map(method => fetch('/api', {method})))"
    assert on_page("hello", after(script, wait_for=lambda _session: "/api" in site.requests)) == []


def test_a_message_over_a_socket_is_noted(on_page: OnPage, site: LittleSite, socket_site: str) -> None:
    script = f"() => {{ const s = new WebSocket('ws://{socket_site}/live'); s.onopen = () => s.send('buy') }}"

    def work(session: BrowserSession) -> list[str]:
        policy = Policy.for_site(site.url, [socket_site], [site.host, socket_site])
        session.prepare(ContextOptions(policy=policy))
        return after(script, wait_for=something)(session)

    assert on_page("hello", work) == [f"message to ws://{socket_site}/live"]


def test_what_the_policy_refuses_was_not_sent(on_page: OnPage) -> None:
    script = "() => fetch('http://elsewhere.test/x', {method: 'POST', mode: 'no-cors'}).catch(() => null)"
    assert on_page("hello", after(script, wait_for=something)) == []


def test_nothing_leaves_a_session_that_is_cut_off(on_page: OnPage, site: LittleSite) -> None:
    def work(session: BrowserSession) -> list[str]:
        session.cut_off()
        return after("() => fetch('/api', {method: 'POST'}).catch(() => null)", wait_for=something)(session)

    assert on_page("hello", work) == []
    assert not [path for path in site.requests if path.startswith("POST")]
