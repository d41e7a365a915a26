"""Signing in with what a person typed on a page, for the queue `agents`."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from recipes_app import wiring
from recipes_app.browser.session import BrowserSession, ContextOptions
from recipes_app.browser.states import SavedState
from recipes_app.browser.thread import Desk
from recipes_app.engine.document import Recipe, dump_recipe
from recipes_app.engine.events import Event, Progress
from recipes_app.engine.parameters import secret_values
from recipes_app.jobs import running
from recipes_app.mapping.login import LoggedIn, LoginFailed, sign_in
from recipes_app.models import Login
from recipes_app.models.job import JobStatus
from recipes_app.services import planning, sessions, signing_in
from recipes_app.services.runs import Claim


@running.end_for.register
def _(error: LoginFailed, claim: Claim) -> None:
    claim.finish(JobStatus.FAILED, {"error": f"Not signed in: {error}.", "kind": "refused"})


def sign_in_to(job_id: int) -> None:
    running.run(job_id, _sign_in)


@dataclass(frozen=True, slots=True)
class _Plan:
    recipe: Recipe
    values: dict[str, Any] = field(repr=False)
    account: str
    context: ContextOptions


def _sign_in(claim: Claim) -> None:
    login = Login.objects.select_related("site__team", "proposal", "job__requested_by").get(job=claim.job)
    values = signing_in.take(login)
    if login.proposal is None:
        raise running.Failed("The form to sign in by is not known any more: map the site again.", "refused")
    claim.keep_secret(secret_values(login.proposal.parameters, values))
    recipe = planning.plan_of(login.proposal)
    plan = _Plan(recipe, values, login.account_label, wiring.context_options(login.site))
    found: LoggedIn = running.drive(claim, partial(_browse, plan))
    kept = sessions.Kept(
        state=found.state,
        probe=dict(found.probe),
        login=dump_recipe(recipe),
        account_label=login.account_label,
        is_exclusive=login.is_exclusive,
    )
    sessions.keep_login(site=login.site, by=login.job.requested_by, name=login.session_name, kept=kept)
    claim.finish(JobStatus.DONE)


def _browse(plan: _Plan, desk: Desk) -> LoggedIn:
    """On the browser thread. Its steps are written nowhere: they hold what was typed."""

    def tell(event: Event) -> None:
        if isinstance(event, Progress):
            desk.emit(event)
        desk.raise_if_aborted()

    def opened(state: SavedState | None) -> AbstractContextManager[BrowserSession]:
        return desk.session(replace(plan.context, state=state))

    return sign_in(plan.recipe, plan.values, plan.account, open_session=opened, emit=tell)
