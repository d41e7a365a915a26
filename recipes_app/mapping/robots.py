"""robots.txt, fetched through the browser context so that the network policy holds for it too."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit, urlunsplit
from urllib.robotparser import RobotFileParser

from recipes_app.browser.api import Error
from recipes_app.browser.session import BrowserSession

AGENT = "Agentify"
MAX_DELAY_S = 10.0
TIMEOUT_MS = 5000


@dataclass(frozen=True, slots=True)
class Robots:
    parser: RobotFileParser

    def allows(self, url: str) -> bool:
        return self.parser.can_fetch(AGENT, url)

    @property
    def delay_s(self) -> float:
        """Seconds between two pages that the site asks for, within reason."""
        return min(float(self.parser.crawl_delay(AGENT) or 0), MAX_DELAY_S)


def read_robots(text: str) -> Robots:
    parser = RobotFileParser()
    parser.modified()
    parser.parse(text.splitlines())
    return Robots(parser)


def fetch_robots(session: BrowserSession, url: str) -> Robots:
    """What the site of `url` asks of crawlers. No file, or none that answers, allows everything."""
    parts = urlsplit(url)
    address = urlunsplit((parts.scheme, parts.netloc, "/robots.txt", "", ""))
    try:
        response = session.context.request.get(address, timeout=TIMEOUT_MS, max_redirects=3)
    except Error:
        return read_robots("")
    is_text = "html" not in response.headers.get("content-type", "")
    return read_robots(response.text() if response.ok and is_text else "")
