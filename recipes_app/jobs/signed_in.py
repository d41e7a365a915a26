"""The saved login of a site around the work of one job."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, cast

from recipes_app.browser.session import ContextOptions
from recipes_app.browser.states import SavedState
from recipes_app.models import Site
from recipes_app.services import sessions
from recipes_app.services.runs import Claim

AUTH = frozenset({"auth_required", "auth_expired"})
EXPIRED = "The site has signed the session {name} out: ./agentify login {site} --session {name}"


@dataclass(slots=True)
class Borrowed:
    """`context` gives contexts that begin signed in, `keeping` one whose end is kept by `settled`, on the main thread.

    A survey or a recording may end signed out, and nobody looked: only what a call leaves is kept.
    """

    site: Site
    loan: sessions.Loan | None
    _left: list[SavedState] = field(default_factory=list)

    def context(self, options: ContextOptions) -> ContextOptions:
        if self.loan is None:
            return options
        return replace(options, state=cast(SavedState, self.loan.state))

    def keeping(self, options: ContextOptions) -> ContextOptions:
        return self.context(options) if self.loan is None else replace(self.context(options), left=self._left.append)

    def settled(self, result: dict[str, Any]) -> dict[str, Any]:
        """The call's result; a site that asks to sign in has thrown the state away, and it says what to do."""
        error = result.get("error") or {}
        if self.loan is None:
            return result
        if error.get("kind") in AUTH:
            sessions.note_expired(loan=self.loan)
            what = f"{error['error']} {EXPIRED.format(name=self.loan.name, site=self.site.slug)}"
            return {**result, "error": {**error, "error": what, "kind": "auth_expired"}}
        if self._left:
            sessions.bring_back(loan=self.loan, state=self._left[-1])
        return result


def borrow(claim: Claim, site: Site) -> Borrowed:
    """As the job's row says; WrongState where another job has it to itself."""
    return Borrowed(site, sessions.lend(job=claim.job, site=site))
