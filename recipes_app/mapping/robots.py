"""robots.txt, fetched by the session's own way out so that the network policy holds for it too."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import unquote, urlsplit, urlunsplit
from urllib.robotparser import RobotFileParser

from recipes_app.browser.session import BrowserSession

AGENT = "Agentify"
MAX_DELAY_S = 10.0
TIMEOUT_S = 5.0
# As much as the large search engines read.
MAX_BYTES = 500_000
MAX_LINE = 2000
MAX_NUMBER = 9


@dataclass(frozen=True, slots=True)
class Robots:
    parser: RobotFileParser

    def allows(self, url: str) -> bool:
        try:
            return self.parser.can_fetch(AGENT, url)
        except ValueError:
            return True

    @property
    def delay_s(self) -> float:
        """Seconds between two pages that the site asks for, within reason."""
        return min(float(self.parser.crawl_delay(AGENT) or 0), MAX_DELAY_S)


def read_robots(text: str) -> Robots:
    """Lines that cannot be read are passed over; a file of nothing else allows everything."""
    parser = RobotFileParser()
    parser.modified()
    parser.parse([line for line in text.splitlines() if is_readable(line)])
    return Robots(parser)


def is_readable(line: str) -> bool:
    """Whether Python's parser, which raises for the numbers and addresses it cannot read, can have it."""
    key, _, value = line.partition("#")[0].partition(":")
    value = value.strip()
    if key.strip().lower() in {"crawl-delay", "request-rate"}:
        return value.isascii() and len(value) <= MAX_NUMBER
    try:
        urlsplit(unquote(value))
    except ValueError:
        return False
    return len(line) <= MAX_LINE


def fetch_robots(session: BrowserSession, url: str) -> Robots:
    """What the site of `url` asks of crawlers. No file, or none that answers, allows everything."""
    parts = urlsplit(url)
    address = urlunsplit((parts.scheme, parts.netloc, "/robots.txt", "", ""))
    answer = session.fetch_small(address, max_bytes=MAX_BYTES, timeout_s=TIMEOUT_S)
    is_text = 200 <= answer.status < 300 and "html" not in answer.media_type.lower()
    return read_robots(answer.text if is_text else "")
