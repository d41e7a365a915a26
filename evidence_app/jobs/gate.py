"""The saved login of a site around the evidence of one sample: signing in again where the site wants it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from recipes_app.browser.session import BrowserSession
from recipes_app.browser.thread import Desk
from recipes_app.jobs.signed_in import Again
from recipes_app.mapping.login import LoginFailed, Probe, is_asked, is_still_in
from recipes_app.services.sessions import Loan


class SignedOut(Exception):
    """The site asks to sign in, and that could not be done; one line for a person."""


@dataclass(slots=True)
class Gate:
    """On the browser thread. Signs in once: a site that asks again does not take it."""

    loan: Loan
    again: Again | None
    desk: Desk
    has_tried: bool = False
    is_in: bool = True

    def __call__(self, session: BrowserSession) -> bool:
        """Whether it had to sign in just now, so that the page is another one. SignedOut where it cannot."""
        if not is_asked(session, self._probe):
            return False
        self.is_in = False
        if self.again is None:
            raise SignedOut("The site asks to sign in.")
        if self.has_tried:
            raise SignedOut("The site asks to sign in again, right after that was done.")
        self.has_tried = True
        if why := self.again.sign_in(session, self.desk):
            raise SignedOut(f"The site asks to sign in. Doing so did not work: {why}")
        self.is_in = True
        return True

    def close(self, session: BrowserSession) -> None:
        """At the end: whether what the browser is left with is worth keeping."""
        try:
            self.is_in = self.is_in and is_still_in(session, self._probe)
        except LoginFailed:
            self.is_in = False

    @property
    def _probe(self) -> Probe:
        return cast(Probe, dict(self.loan.probe))
