"""What leaves a context that could change something: requests other than reading ones, beacons, socket messages."""

from collections.abc import Callable
from urllib.parse import urlsplit

from playwright.sync_api import Page, Request, WebSocket

from recipes_app.browser.policy import Policy, host_and_port

READING = frozenset({"GET", "HEAD", "OPTIONS"})
LISTED = 100
LONGEST = 200


class Sending:
    """Notes each as "POST https://shop.test/cart", without its query, as it leaves; `hear` is told at once.

    What the policy refuses never leaves. A beacon to a host that nobody named counts visitors; all else is taken to
    be for the site.
    """

    def __init__(self, policy: Callable[[], Policy]) -> None:
        self.requests: list[str] = []
        self.hear: Callable[[str], None] | None = None
        self.is_cut_off = False
        self._policy = policy

    def watch(self, page: Page) -> None:
        page.on("websocket", self._watch_socket)

    def note_request(self, request: Request) -> None:
        if request.method.upper() not in READING and self._leaves(request.url, beacon=request.resource_type == "ping"):
            self._note(request.method.upper(), request.url)

    def _watch_socket(self, socket: WebSocket) -> None:
        def note(_message: object) -> None:
            if self._leaves(socket.url):
                self._note("message to", socket.url)

        socket.on("framesent", note)

    def _leaves(self, url: str, *, beacon: bool = False) -> bool:
        host, port = host_and_port(url)
        policy = self._policy()
        if self.is_cut_off or policy.refuse_name(host, port):
            return False
        return not beacon or policy.names(host)

    def _note(self, what: str, url: str) -> None:
        parts = urlsplit(url)
        request = f"{what} {parts.scheme}://{parts.netloc}{parts.path}"[:LONGEST]
        if len(self.requests) < LISTED:
            self.requests.append(request)
        if self.hear is not None:
            self.hear(request)
