"""Signing in from a page: what is typed goes to the worker once, and what the login leaves becomes a session."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.db import transaction

from recipes_app.models import Job, Login, Session, Site, User
from recipes_app.models.job import ACTIVE, JobKind
from recipes_app.models.session import DEFAULT
from recipes_app.queues import Unreachable, handover
from recipes_app.services import audit, dispatch, logins, sealing, sessions
from recipes_app.services.errors import BadInput, WrongState

LONGEST = 500
GONE = "What was typed waited for a worker for five minutes and is gone. Enter it again; ./agentify up starts workers."


@transaction.atomic
def request(
    *, site: Site, by: User, typed: Mapping[str, str], session: str = DEFAULT, is_exclusive: bool = False
) -> Login:
    """A job for the workers, which get what was `typed`, by parameter of the form, on a way of its own. BadInput where
    something is missing; WrongState where the site has no form, somebody signs in just now, or Redis is away."""
    sessions.require_runner(site, by)
    form = logins.form_of(site)
    wanted = logins.needed(form.parameters)
    missing = {name: "This is needed." for name in wanted if not typed.get(name, "")}
    long = {name: f"At most {LONGEST} characters." for name in wanted if len(typed.get(name, "")) > LONGEST}
    if missing or long:
        raise BadInput({**missing, **long})
    Site.objects.select_for_update().get(pk=site.pk)
    if Login.objects.filter(site=site, session_name=session, job__status__in=ACTIVE).exists():
        raise WrongState(f"Somebody is signing in to {site.name} as {session} just now.")
    job = dispatch.open_job(
        team=site.team,
        by=by,
        kind=JobKind.LOGIN,
        title=f"Sign in to {site.name}",
        deadline_s=settings.RECORDING_DEADLINE_S,
    )
    # What was typed is handed over once, and a second try could lock the account.
    Job.objects.filter(pk=job.pk).update(max_attempts=1)
    values: dict[str, Any] = {**logins.ticks(form.parameters), **{name: typed[name] for name in wanted}}
    row = Login(
        job=job, site=site, proposal=form, session_name=session or DEFAULT, is_exclusive=is_exclusive,
        account_label=logins.account_in(form.parameters, values)[:120],
    )  # fmt: skip
    row.full_clean(exclude=["job"])
    row.save()
    audit.record(site.team, by, "session.asked", f"site {site.slug}", session=row.session_name)
    try:
        handover.put(job.public_id, sealing.seal(values))
    except Unreachable as error:
        raise WrongState("Redis does not answer, so nothing can be handed to a worker. Nothing was kept.") from error
    return row


def take(login: Login) -> dict[str, Any]:
    """On the worker, once. WrongState where nothing is there any more."""
    try:
        sealed = handover.take(login.job.public_id)
        return sealing.unseal(sealed) if sealed else _gone()
    except (Unreachable, sealing.Unreadable) as error:
        raise WrongState(GONE) from error


def _gone() -> dict[str, Any]:
    raise WrongState(GONE)


def sessions_of(site: Site) -> list[Session]:
    return list(Session.objects.filter(site=site).select_related("created_by", "leased_by"))
