import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from recipes_app.browser.errors import BlockedByPolicy, NavigationFailed
from recipes_app.browser.policy import Policy
from recipes_app.browser.proxy import PolicyProxy
from recipes_app.browser.session import BrowserSession, ContextOptions
from recipes_app.browser.thread import BrowserThread, Desk
from tests.browser.site import LittleSite, serve


@pytest.fixture
def other() -> Iterator[LittleSite]:
    """A server on this machine that no policy of these tests allows."""
    with serve() as site:
        site.pages["/"] = "<h1>Secret</h1>"
        site.pages["/pixel.png"] = (200, {"Content-Type": "image/png"}, b"\x89PNG")
        yield site


def refused_hosts(session: BrowserSession) -> set[str]:
    return {f"{record.host}:{record.port}" for record in session.refusals()}


def test_going_to_a_forbidden_host_names_the_host_and_the_reason(
    site: LittleSite, other: LittleSite, on_page: Callable[..., Any]
) -> None:
    def work(session: BrowserSession) -> None:
        with pytest.raises(BlockedByPolicy) as refusal:
            session.goto(other.url + "/")
        assert refusal.value.host == "127.0.0.1"
        assert "port" in refusal.value.reason

    on_page("<h1>Home</h1>", work)
    assert other.requests == []


def test_a_redirect_to_a_private_address_is_stopped_at_the_hop(
    site: LittleSite, other: LittleSite, on_page: Callable[..., Any]
) -> None:
    site.pages["/away"] = (302, {"Location": "http://169.254.169.254/latest/meta-data"}, b"")
    site.pages["/next-door"] = (302, {"Location": other.url + "/"}, b"")

    def work(session: BrowserSession) -> None:
        with pytest.raises(BlockedByPolicy) as refusal:
            session.goto(site.url + "/away")
        assert refusal.value.host == "169.254.169.254"
        with pytest.raises(BlockedByPolicy):
            session.goto(site.url + "/next-door")

    on_page("<h1>Home</h1>", work)
    assert other.requests == []


def test_after_refused_connections_the_next_page_is_reached_at_once(
    site: LittleSite, on_page: Callable[..., Any]
) -> None:
    def work(session: BrowserSession) -> None:
        for times in range(1, 4):
            for _ in range(times):
                with pytest.raises(BlockedByPolicy):
                    session.goto("https://forbidden.test/")
            assert session.goto(site.url + "/").status == 200
        session.page.get_by_text("Away").click()
        assert session.goto(site.url + "/").status == 200

    on_page('<a href="https://forbidden.test/">Away</a>', work)


def test_nothing_a_page_loads_gets_past_the_policy(
    site: LittleSite, other: LittleSite, on_page: Callable[..., Any]
) -> None:
    site.pages["/pixel"] = (302, {"Location": other.url + "/pixel.png"}, b"")
    html = f"""<img src="{other.url}/pixel.png"><img src="/pixel"><iframe src="{other.url}/"></iframe>
    <script>
      fetch("{other.url}/fetch", {{mode: "no-cors"}}).catch(() => 0);
      navigator.sendBeacon("{other.url}/beacon");
      window.closed_socket = new Promise((end) => {{
        const socket = new WebSocket("ws://{other.host}/socket");
        socket.onclose = () => end("closed");
        socket.onopen = () => end("open");
      }});
    </script>"""

    def work(session: BrowserSession) -> object:
        session.page.wait_for_load_state("load")
        return session.page.evaluate("window.closed_socket"), refused_hosts(session)

    assert on_page(html, work) == ("closed", {other.host})
    assert other.requests == []


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    """Hears whatever is sent to it by UDP."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as heard:
        heard.bind(("127.0.0.1", 0))
        heard.setblocking(False)
        yield heard


def test_nothing_that_is_no_request_of_a_page_gets_past_the_policy(
    site: LittleSite, other: LittleSite, listener: socket.socket, on_page: Callable[..., Any]
) -> None:
    """Workers, hints, streams, WebRTC and WebTransport; the machine the browser runs on by any of its names."""
    port = listener.getsockname()[1]
    script = (200, {"Content-Type": "text/javascript"}, f"""
        fetch("{other.url}/from-worker", {{mode: "no-cors"}}).catch(() => 0).then(() => postMessage("done"));
        """.encode())  # fmt: skip
    site.pages["/worker.js"] = site.pages["/service.js"] = script
    hints = "".join(f'<link rel="{kind}" as="script" href="{other.url}/{kind}">' for kind in HINTS)
    html = f"""{hints}<h1>Home</h1><style>@import "{other.url}/style.css";</style>
    <object data="{other.url}/object"></object><video src="{other.url}/video"></video>"""

    def work(session: BrowserSession) -> object:
        return session.page.evaluate(EVERY_OTHER_WAY, {"other": other.host, "number": other.port, "udp": port})

    said = on_page(html, work)
    assert said == {"worker": "done", "stream": "refused", "service": 0, "candidates": [], "transport": "refused"}
    assert other.requests == []
    with pytest.raises(BlockingIOError):
        listener.recv(100)
    assert "/service.js" not in site.requests


HINTS = ("preload", "prefetch", "modulepreload", "preconnect", "dns-prefetch", "stylesheet", "icon", "manifest")
EVERY_OTHER_WAY = """async ({other, number, udp}) => {
  const worker = new Promise((end) => { new Worker("/worker.js").onmessage = (said) => end(said.data); });
  const stream = new Promise((end) => {
    const source = new EventSource(`http://${other}/stream`);
    source.onerror = () => end("refused");
    source.onopen = () => end("open");
  });
  for (const name of "localhost [::1] [::ffff:127.0.0.1] 2130706433 0x7f.1 0177.1 127.1 127.0.0.1.".split(" "))
    await fetch(`http://${name}:${number}/by-name`, {mode: "no-cors"}).catch(() => 0);
  await navigator.serviceWorker.register("/service.js").catch(() => 0);
  const service = (await navigator.serviceWorker.getRegistrations()).length;
  const peer = new RTCPeerConnection({iceServers: [{urls: `stun:127.0.0.1:${udp}`}]});
  const candidates = [];
  peer.onicecandidate = (event) => event.candidate?.candidate && candidates.push(event.candidate.candidate);
  peer.createDataChannel("x");
  await peer.setLocalDescription(await peer.createOffer());
  await new Promise((end) => {
    const look = () => peer.iceGatheringState === "complete" && end();
    peer.onicegatheringstatechange = look;
    look();
  });
  let transport = "none";
  try { await new WebTransport(`https://127.0.0.1:${udp}/`).ready; transport = "open"; }
  catch { transport = "refused"; }
  return {worker: await worker, stream: await stream, service, candidates, transport};
}"""


def test_a_popup_and_a_download_are_held_by_the_same_policy(
    site: LittleSite, other: LittleSite, on_page: Callable[..., Any]
) -> None:
    html = f'<a target=_blank href="{other.url}/">Open</a> <a download href="{other.url}/pixel.png">Get</a>'

    def work(session: BrowserSession) -> None:
        session.page.get_by_text("Open").click()
        popup = session.wait_for_page(1)
        assert popup is not None
        popup.wait_for_load_state("domcontentloaded")
        assert "Secret" not in popup.content()
        session.page.get_by_text("Get").click()
        session.page.wait_for_timeout(50)

    on_page(html, work)
    assert other.requests == []


def test_an_allowed_host_that_does_not_answer_is_a_failed_navigation(site: LittleSite, browser: BrowserThread) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        host = f"127.0.0.1:{unused.getsockname()[1]}"

    def work(desk: Desk) -> None:
        policy = Policy.for_site(f"http://{host}", [], [host])
        with desk.session(ContextOptions(policy=policy)) as session:
            with pytest.raises(NavigationFailed, match="nothing answers there"):
                session.goto(f"http://{host}/")
            with pytest.raises(NavigationFailed, match="nothing answers there"):
                session.goto(f"https://{host}/")

    browser.call(work)


def test_an_error_status_is_a_failed_navigation_unless_any_status_will_do(
    site: LittleSite, on_page: Callable[..., Any]
) -> None:
    def work(session: BrowserSession) -> None:
        with pytest.raises(NavigationFailed) as failure:
            session.goto(site.url + "/nowhere")
        assert failure.value.status == 404
        assert session.goto(site.url + "/nowhere", status_any=True).status == 404
        assert "Not here" in session.page.content()

    on_page("<h1>Home</h1>", work)


def test_redirects_that_were_followed_are_told(site: LittleSite, on_page: Callable[..., Any]) -> None:
    site.pages["/old"] = (301, {"Location": "/older"}, b"")
    site.pages["/older"] = (302, {"Location": "/"}, b"")
    arrival = on_page("<h1>Home</h1>", lambda session: session.goto(site.url + "/old"))
    assert arrival.redirects == (site.url + "/old", site.url + "/older")
    assert arrival.url == site.url + "/"


def test_the_log_holds_the_real_peer_of_each_connection(site: LittleSite, on_page: Callable[..., Any]) -> None:
    records = on_page("<h1>Home</h1>", lambda session: session.connections())
    assert {(record.host, record.port, record.address) for record in records} == {("127.0.0.1", site.port, "127.0.0.1")}


def test_a_form_with_a_large_body_arrives_whole(site: LittleSite, on_page: Callable[..., Any]) -> None:
    on_page(
        "<h1>Home</h1>",
        lambda s: s.page.evaluate("fetch('/in', {method: 'POST', body: 'x'.repeat(3e6)}).then(r => r.text())"),
    )
    assert "POST /in 3000000" in site.requests


def test_a_name_that_changes_its_address_after_the_first_answer_is_refused_from_then_on(site: LittleSite) -> None:
    answers = iter([["127.0.0.1"], ["10.0.0.7"], ["10.0.0.7"]])

    async def turn_coat(host: str, port: int) -> list[str]:
        return next(answers)

    host = f"rebind.test:{site.port}"
    policy = Policy(frozenset({host}), frozenset())
    open_policy = Policy(frozenset({host}), frozenset({host}))
    proxy = PolicyProxy(turn_coat)
    port = proxy.open(open_policy)
    try:
        site.pages["/"] = "<h1>Home</h1>"
        assert ask(port.server_url, f"http://{host}/").startswith(b"HTTP/1.1 200")
        port.policy = policy
        assert ask(port.server_url, f"http://{host}/").startswith(b"HTTP/1.1 403")
        assert ask(port.server_url, host, method="CONNECT").startswith(b"HTTP/1.1 403")
        assert [record.refused_reason for record in port.log] == [
            None,
            *["10.0.0.7 is a private or reserved address"] * 2,
        ]
    finally:
        proxy.stop()


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1", "127.0.0.1.", "127.1", "0x7f000001", "0x7f.1", "2130706433", "0177.0.0.1", "017700000001",
        "0.0.0.0", "[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[64:ff9b::127.0.0.1]", "localhost",
        "LOCALHOST.",
        "169.254.169.254", "0xa9fea9fe", "2852039166", "[::ffff:169.254.169.254]", "[fd00:ec2::254]", "[fe80::1]",
        "metadata.google.internal", "metadata.google.internal.", "10.0.0.1", "[fc00::1]", "\uff11\uff12\uff17.0.0.1",
    ],
)  # fmt: skip
def test_no_spelling_of_an_address_that_is_not_public_is_connected_to(host: str) -> None:
    """By a policy of every public host; names resolve as this machine resolves them."""
    proxy = PolicyProxy()
    port = proxy.open(Policy(any_public=True))
    try:
        assert not ask(port.server_url, f"{host}:443", method="CONNECT").startswith(b"HTTP/1.1 200")
        assert not ask(port.server_url, f"http://{host}/").startswith(b"HTTP/1.1 200")
        assert [record.address for record in port.log if record.address] == []
        assert all(record.refused_reason or record.failure == "its name does not resolve" for record in port.log)
        assert len(port.log) == 2
    finally:
        proxy.stop()


@pytest.mark.parametrize(
    "raw",
    [
        b"GET /no-host HTTP/1.1\r\n\r\n",
        b"GET ftp://example.com/ HTTP/1.1\r\n\r\n",
        b"CONNECT example.com:port HTTP/1.1\r\n\r\n",
        b"GET http://127.0.0.1/ HTTP/1.1\r\nBad header\r\n\r\n",
        b"nonsense\r\n\r\n",
    ],
)
def test_what_is_no_proxy_request_is_answered_with_400(raw: bytes) -> None:
    proxy = PolicyProxy()
    port = proxy.open(Policy(any_public=True))
    try:
        assert talk(port.server_url, raw).startswith(b"HTTP/1.1 400")
    finally:
        proxy.stop()


def test_a_head_without_end_is_cut_off() -> None:
    proxy = PolicyProxy()
    port = proxy.open(Policy(any_public=True))
    try:
        assert talk(port.server_url, b"GET http://example.com/ HTTP/1.1\r\nX: " + b"x" * 200_000).startswith(
            b"HTTP/1.1 400"
        )
    finally:
        proxy.stop()


def test_a_closed_port_ends_its_tunnels(site: LittleSite) -> None:
    proxy = PolicyProxy()
    port = proxy.open(site.policy)
    number = int(port.server_url.rpartition(":")[2])
    try:
        with socket.create_connection(("127.0.0.1", number), timeout=5) as tunnel:
            tunnel.sendall(f"CONNECT {site.host} HTTP/1.1\r\n\r\n".encode())
            assert tunnel.recv(100).startswith(b"HTTP/1.1 200")
            proxy.close(port)
            assert tunnel.recv(100) == b""
        with pytest.raises(OSError):
            socket.create_connection(("127.0.0.1", number), timeout=1)
    finally:
        proxy.stop()


def test_a_server_that_keeps_its_connection_open_cannot_be_used_for_a_second_host(site: LittleSite) -> None:
    site.pages["/"] = "<h1>Home</h1>"
    proxy = PolicyProxy()
    port = proxy.open(site.policy)
    request = f"GET {site.url}/ HTTP/1.1\r\nHost: {site.host}\r\nConnection: keep-alive\r\n\r\n".encode()
    try:
        answer = talk(port.server_url, request + b"GET http://other.test/second HTTP/1.1\r\n\r\n")
    finally:
        proxy.stop()
    assert b"Connection: close" in answer
    assert site.requests == ["/"]


def ask(server_url: str, target: str, method: str = "GET") -> bytes:
    return talk(server_url, f"{method} {target} HTTP/1.1\r\nHost: x\r\n\r\n".encode())


def talk(server_url: str, raw: bytes) -> bytes:
    received = b""
    with socket.create_connection(("127.0.0.1", int(server_url.rpartition(":")[2])), timeout=5) as client:
        client.sendall(raw)
        while chunk := client.recv(65536):
            received += chunk
    return received


def test_a_context_without_a_policy_reaches_nothing(site: LittleSite, browser: BrowserThread) -> None:
    site.pages["/"] = "<h1>Home</h1>"

    def work(desk: Desk) -> None:
        with desk.session(ContextOptions()) as session, pytest.raises(BlockedByPolicy):
            session.goto(site.url + "/")

    browser.call(work)
    assert site.requests == []
