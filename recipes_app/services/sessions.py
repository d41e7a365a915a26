"""Saved logins: chosen when work is asked for, handed to the job that does it, kept again afterwards."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import F
from django.urls import reverse
from django.utils import timezone

from recipes_app.models import Job, Session, Site, User
from recipes_app.models.session import DEFAULT, NONE, SessionMode, SessionStatus
from recipes_app.models.team import RUNNERS
from recipes_app.services import access, audit, notices
from recipes_app.services.errors import BadInput, NotAllowed, WrongState

logger = logging.getLogger(__name__)

MOST_BYTES = 5_000_000
State = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Loan:
    """A session as a job got it: what it keeps afterwards is of this version, or somebody else was later."""

    pk: int
    name: str
    version: int
    state: State = field(repr=False)
    login: Mapping[str, Any] = field(default_factory=dict)  # the recipe that signs in, where the vault has its values
    vault_path: str = ""
    probe: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Kept:
    """What a login that worked leaves. `login` is its recipe, `vault_path` where its values lie, or ""."""

    state: State = field(repr=False)
    probe: dict[str, Any]
    login: dict[str, Any] = field(default_factory=dict)
    account_label: str = ""
    vault_path: str = ""
    is_exclusive: bool = False


def choose(site: Site, *, name: str = "", without: bool = False) -> str:
    """For dispatch.signed_in_as: "" is the site's usual one, if it has one. BadInput for a name that is not there."""
    if without or name == NONE:
        return NONE
    if name and not Session.objects.filter(site=site, name=name).exists():
        names = ", ".join(Session.objects.filter(site=site).values_list("name", flat=True))
        raise BadInput({"session": f"{site.name} has no session {name}{f'; it has {names}' if names else ''}."})
    return name


def lend(*, job: Job, site: Site) -> Loan | None:
    """The session this job works with; None where it works without. WrongState if another job has it to itself."""
    if job.session == NONE:
        return None
    name = job.session or DEFAULT
    session = Session.objects.filter(site=site, name=name).first()
    if session is None and job.session:
        raise WrongState(f"The session {name} of {site.name} has been removed.")
    if session is None or not session.state:
        return None
    mine = Session.objects.filter(pk=session.pk)
    if session.mode == SessionMode.EXCLUSIVE:
        leased = mine.filter(pk__in=_free(job)).update(leased_by=job, last_used_at=timezone.now())
        if leased != 1:
            raise WrongState(f"The session {name} of {site.name} serves one job at a time, and another one has it.")
        session.refresh_from_db()
    else:
        mine.update(last_used_at=timezone.now())
    login = session.login if session.vault_path else {}
    return Loan(session.pk, session.name, session.version, session.state, login, session.vault_path, session.probe)


def _free(job: Job) -> Any:
    return (Session.objects.free() | Session.objects.filter(leased_by=job)).values("pk")


def bring_back(*, loan: Loan, state: State) -> bool:
    """Keep what the job left, unless nothing changed or somebody kept a newer state meanwhile."""
    unchanged = Session.objects.filter(pk=loan.pk, version=loan.version)
    if state == loan.state:
        unchanged.update(status=SessionStatus.VALID)
        return False
    if not _fits(state, loan.name):
        return False
    now = timezone.now()
    return unchanged.update(state=state, version=F("version") + 1, saved_at=now, status=SessionStatus.VALID) == 1


def note_expired(*, loan: Loan) -> None:
    """The site asked this state to sign in, and whoever works with the site is asked to. A newer one may be good."""
    same = Session.objects.filter(pk=loan.pk, version=loan.version).exclude(status=SessionStatus.EXPIRED)
    if not same.update(status=SessionStatus.EXPIRED):
        return
    session = Session.objects.select_related("site__team").get(pk=loan.pk)
    site = session.site
    news = notices.News(
        event="session.expired",
        text=f"{site.name} has signed the session {session.name} out. Sign in again, and go on from there.",
        path=reverse("site_detail", args=[site.pk]),
        mark=_mark(session),
        by_mail=True,
    )
    notices.tell(team=site.team, people=notices.people_of(site.team, RUNNERS), news=news)


def _mark(session: Session) -> str:
    return f"session:{session.pk}"


@transaction.atomic
def keep_login(*, site: Site, by: User, name: str, kept: Kept) -> Session:
    """What a person's login left becomes the session of that name."""
    require_runner(site, by)
    if not _fits(kept.state, name):
        raise WrongState(f"The browser keeps more than {MOST_BYTES / 1e6:g} MB of this site: too much for a session.")
    session, _ = Session.objects.get_or_create(site=site, name=name or DEFAULT, defaults={"created_by": by})
    session.state, session.probe, session.login = dict(kept.state), kept.probe, kept.login
    session.account_label, session.vault_path = kept.account_label[:120], kept.vault_path
    session.mode = SessionMode.EXCLUSIVE if kept.is_exclusive else SessionMode.SHARED
    session.status, session.saved_at, session.version = SessionStatus.VALID, timezone.now(), session.version + 1
    session.full_clean(exclude=["state"])
    session.save()
    notices.settled(site.team, _mark(session))
    audit.record(site.team, by, "session.saved", str(session), account=session.account_label)
    return session


@transaction.atomic
def remove(*, session: Session, by: User) -> None:
    require_runner(session.site, by)
    notices.settled(session.site.team, _mark(session))
    audit.record(session.site.team, by, "session.removed", str(session))
    session.delete()


def require_runner(site: Site, by: User) -> None:
    if not access.can(by, site.team, RUNNERS):
        raise NotAllowed(f"Your role in {site.team} does not let you sign in to its sites.")


def _fits(state: State, name: str) -> bool:
    size = len(json.dumps(state))
    if size > MOST_BYTES:
        logger.warning("session %s: a state of %s bytes is not kept", name, size)
    return size <= MOST_BYTES
