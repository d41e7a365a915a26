"""The saved login of a site around the work of one job."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from time import time
from typing import Any, cast

from recipes_app import vault_wiring
from recipes_app.browser.api import Error
from recipes_app.browser.errors import BlockedByPolicy, NavigationFailed
from recipes_app.browser.session import BrowserSession, ContextOptions
from recipes_app.browser.states import SavedState
from recipes_app.browser.thread import Desk
from recipes_app.engine.document import Recipe, parse_recipe
from recipes_app.engine.events import Note
from recipes_app.engine.probing import is_signed_in
from recipes_app.engine.runner import Outcome, RunOptions, run
from recipes_app.models import Site
from recipes_app.services import logins, sessions
from recipes_app.services.runs import Claim
from recipes_app.vault.errors import NoSuchSecret, VaultError
from recipes_app.vault.totp import one_time_password

# What a page lacks for somebody who is not signed in comes out as one of these.
HIDDEN = frozenset({"missing", "ambiguous", "drifted", "verify_failed", "timeout"})
AUTH = frozenset({"auth_required", "auth_expired"})
EXPIRED = "The site has signed the session {name} out: ./agentify login {site} --session {name}"


@dataclass(frozen=True, slots=True)
class Again:
    """How a worker signs in by itself: the login's recipe, whose values it takes from the vault when it needs them."""

    recipe: Recipe
    vault_path: str

    def sign_in(self, session: BrowserSession, desk: Desk) -> str:
        """Sends the form; why it could not be sent, or "". Its steps are written nowhere: they hold what is typed."""
        desk.emit(Note(f"The site asks to sign in: doing so with what the vault has of {self.vault_path}"))
        try:
            given = vault_wiring.vault().read(self.vault_path)
            values = logins.values_for(self.recipe.parameters, given, self._lacks, _one_time)
        except VaultError as error:
            return str(error)
        options = RunOptions(picture_on_failure=False)
        outcome = run(self.recipe, values, session, emit=lambda _event: desk.raise_if_aborted(), options=options)
        return str((outcome.error or {}).get("error", ""))

    def _lacks(self, name: str, kind: str) -> str:
        raise NoSuchSecret(f"vault:{self.vault_path} has no field {kind} for {name}.")


def signed_out(outcome: Outcome, session: BrowserSession, loan: sessions.Loan | None) -> Outcome:
    """The same; as `auth_expired` where something was not there because the site has signed us out: a page that anybody
    may read shows no password field, only less. The page by which the login was proven decides."""
    kind = (outcome.error or {}).get("kind")
    if loan is None or not loan.probe or kind not in HIDDEN:
        return outcome
    try:
        if is_signed_in(session, loan.probe):
            return outcome
    except (NavigationFailed, BlockedByPolicy, Error) as error:
        if isinstance(error, Error):
            session.raise_if_lost(error)
        return outcome
    said = f"the site has signed us out ({(outcome.error or {})['error']})"
    return replace(outcome, error={**(outcome.error or {}), "error": said, "kind": "auth_expired"})


def asks_to_sign_in(outcome: Outcome) -> bool:
    return (outcome.error or {}).get("kind") in AUTH


def _one_time(secret: str) -> str:
    return one_time_password(secret, time())


@dataclass(slots=True)
class Borrowed:
    """`context` gives contexts that begin signed in, `keeping` one whose end is kept by `settled`, on the main thread.

    A survey or a recording may end signed out, and nobody looked: only what a call leaves is kept.
    """

    site: Site
    loan: sessions.Loan | None
    _left: list[SavedState] = field(default_factory=list)

    @property
    def again(self) -> Again | None:
        """None where a person has to sign in."""
        loan = self.loan
        return Again(parse_recipe(loan.login), loan.vault_path) if loan and loan.login else None

    def context(self, options: ContextOptions) -> ContextOptions:
        if self.loan is None:
            return options
        return replace(options, state=cast(SavedState, self.loan.state))

    def keeping(self, options: ContextOptions) -> ContextOptions:
        return self.context(options) if self.loan is None else replace(self.context(options), left=self._left.append)

    def settle(self, *, is_in: bool) -> None:
        """For work that is not a recipe's: `is_in` where its end was seen to be signed in still."""
        if self.loan is not None and is_in and self._left:
            sessions.bring_back(loan=self.loan, state=self._left[-1])

    def expired(self, said: str) -> str:
        """The site has thrown the state away; what a person reads of it."""
        if self.loan is None:
            return said
        sessions.note_expired(loan=self.loan)
        return f"{said} {EXPIRED.format(name=self.loan.name, site=self.site.slug)}"

    def settled(self, result: dict[str, Any]) -> dict[str, Any]:
        """The call's result; a site that asks to sign in has thrown the state away, and it says what to do."""
        error = result.get("error") or {}
        if self.loan is None:
            return result
        if error.get("kind") in AUTH:
            return {**result, "error": {**error, "error": self.expired(error["error"]), "kind": "auth_expired"}}
        if self._left:
            sessions.bring_back(loan=self.loan, state=self._left[-1])
        return result


def borrow(claim: Claim, site: Site) -> Borrowed:
    """As the job's row says; WrongState where another job has it to itself."""
    return Borrowed(site, sessions.lend(job=claim.job, site=site))
