"""How long a site is left alone between two pages asked of it, whoever asks: by registrable domain.

Which turn it is is kept by whoever makes a `Pause` (see `wiring`); here is what counts as one domain, and for how long.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from time import monotonic
from urllib.parse import urlsplit

# Seconds; each holds for the domain and everything below it.
KNOWN: Mapping[str, float] = {"linkedin.com": 3.0, "github.com": 0.5, "atlassian.net": 1.0, "linear.app": 1.0}
USUAL_S = 0.2
LONGEST_S = 60.0
# Under two-letter countries these are no names of owners: example.co.uk is one site, co.uk is none.
SECOND_LEVELS = frozenset({"ac", "co", "com", "edu", "go", "gob", "gov", "ne", "net", "or", "org"})
INNER = ("localhost", "local", "internal", "lan", "test", "localdomain")

Pause = Callable[[str], None]


class BadPace(ValueError):
    """The text names no seconds for domains; the message says why."""


def no_pause(_url: str) -> None:
    return


@dataclass(frozen=True, slots=True)
class Paces:
    """Seconds by domain. `usual` is for those that are not named."""

    by_domain: Mapping[str, float] = field(default_factory=lambda: dict(KNOWN))
    usual: float = USUAL_S

    def of(self, url: str) -> tuple[str, float]:
        """The domain this address counts to, and the seconds between two requests; ("", 0) for none at all."""
        parts = urlsplit(url)
        host = (parts.hostname or "").rstrip(".").lower()
        if parts.scheme not in ("http", "https") or is_inner(host):
            return "", 0.0
        labels = host.split(".")
        for at in range(len(labels)):
            name = ".".join(labels[at:])
            if name in self.by_domain:
                return name, self.by_domain[name]
        return registrable(host), self.usual


def paces_from(text: str) -> Paces:
    """KNOWN with what `text` adds or changes: {"example.com": 2, "*": 0.5}; `*` is for every other domain."""
    if not text.strip():
        return Paces()
    try:
        given = json.loads(text)
    except ValueError as error:
        raise BadPace(f"not JSON ({error})") from error
    if not isinstance(given, dict):
        raise BadPace('not of the form {"example.com": 2}')
    for name, seconds in given.items():
        if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 <= seconds <= LONGEST_S:
            raise BadPace(f"{name}: {seconds!r} is not a number of seconds from 0 to {LONGEST_S:g}")
    named = {name.lower().removeprefix("*."): float(value) for name, value in given.items() if name != "*"}
    return Paces({**KNOWN, **named}, float(given.get("*", USUAL_S)))


def registrable(host: str) -> str:
    """What somebody registered, without a list of every public suffix: two labels, or three under such as co.uk."""
    labels = host.split(".")
    count = 3 if len(labels) > 2 and len(labels[-1]) == 2 and labels[-2] in SECOND_LEVELS else 2
    return ".".join(labels[-count:])


def is_inner(host: str) -> bool:
    """Of this machine or this network: nobody else is kept waiting there."""
    try:
        return not ip_address(host).is_global
    except ValueError:
        return "." not in host or host.rpartition(".")[2] in INNER


@dataclass(slots=True)
class OwnTurns:
    """The turns of one process. A turn is reserved under the lock and waited for outside it, so that no domain waits
    for another."""

    next_at: dict[str, float] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def reserve(self, domain: str, every_s: float) -> float:
        """The seconds until this caller's turn."""
        with self.lock:
            now = monotonic()
            at = max(now, self.next_at.get(domain, 0.0))
            self.next_at[domain] = at + every_s
        return at - now
