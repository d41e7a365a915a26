"""What can go wrong between us and a browser, by what the caller can do about it.

BrowserError
├── BrowserMissing     no Chromium here: a person installs one
├── BrowserLost        the browser died under the work: what has only read may run again
│   └── BrowserStuck   it would not even let go of the work when that had to stop: not to be run again
├── NavigationFailed   the site did not show the address: the recipe or the site is at fault
├── BlockedByPolicy    the address is not one this run may reach: somebody may allow it
├── Indistinct         an element cannot be told from its peers: show another way to it
└── Aborted            we stopped the work ourselves (cancelled, deadline, lost_lease)
"""

from typing import Literal

AbortReason = Literal["cancelled", "deadline", "lost_lease"]


class BrowserError(Exception):
    """Anything this package raises on purpose."""


class BrowserMissing(BrowserError):
    """No usable Chromium was found; the message says what to install."""


class BrowserLost(BrowserError):
    """The browser or its driver died, or a page crashed."""


class BrowserStuck(BrowserLost):
    """The work had to be stopped and the browser would not let go of it: to do it again would end in the same way."""


class NavigationFailed(BrowserError):
    """The address answered with an error status, or not at all (status is then None)."""

    def __init__(self, url: str, reason: str, status: int | None = None) -> None:
        super().__init__(f"{url}: {reason}")
        self.url = url
        self.reason = reason
        self.status = status


class BlockedByPolicy(BrowserError):
    """The run is not allowed to reach this host."""

    def __init__(self, host: str, reason: str) -> None:
        super().__init__(f"{host}: {reason}")
        self.host = host
        self.reason = reason


class Indistinct(BrowserError):
    """Nothing lasting finds this element and no other."""


class Aborted(BrowserError):
    """The work was stopped from outside."""

    def __init__(self, reason: AbortReason) -> None:
        super().__init__(reason)
        self.reason = reason
