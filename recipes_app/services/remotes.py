"""Remote browsers: asked for, driven by one person, watched by the team; what was recorded, and what becomes of it.

What was recorded stands in the row, sealed: {"entries", "edits", "finish"}. The worker writes only `entries`, people
write the rest, so that neither undoes the other.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction

from recipes_app.engine.plain_json import clean
from recipes_app.formats.taped import Edits, Line, Taped, lines, write
from recipes_app.models import Job, Proposal, RemoteBrowser, Site, User
from recipes_app.models import Mapping as MappingRow
from recipes_app.models.job import ACTIVE, JobKind, JobStatus
from recipes_app.models.proposal import ProposalKind, ProposalOrigin
from recipes_app.models.recipe import SideEffect
from recipes_app.models.remote import RemotePurpose
from recipes_app.models.session import DEFAULT
from recipes_app.models.team import RUNNERS
from recipes_app.queues import remote as wire
from recipes_app.services import access, audit, dispatch, planning, proposals, sealing, sites
from recipes_app.services.errors import BadInput, NotAllowed, WrongState
from recipes_app.services.runs import Claim

TOOL_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")
SESSION_NAME = re.compile(r"[-a-zA-Z0-9_]{1,40}")
PARAMETER = re.compile(r"[a-zA-Z][a-zA-Z0-9_]{0,59}")
MAX_EVENTS, MAX_EVENT = 60, 20_000
BY_HAND = "hand"
Edit = Callable[[dict[str, Any]], None]


@dataclass(frozen=True, slots=True)
class Wish:
    """What the recorded tool is to be called."""

    name: str
    description: str = ""


@transaction.atomic
def start(
    *, site: Site, by: User, start_url: str = "", purpose: str = RemotePurpose.RECORD, session: str = DEFAULT
) -> RemoteBrowser:
    """A row and its job, given to a worker on commit. A person drives one browser at a time. `session`: what a sign-in
    is kept as."""
    _require(by, site.team)
    if RemoteBrowser.objects.filter(job__requested_by=by, job__status__in=ACTIVE).exists():
        raise WrongState("You have a remote browser already: finish or cancel that one first.")
    url = sites.start_of(site, start_url)
    signs_in = purpose == RemotePurpose.SIGN_IN
    if signs_in and not SESSION_NAME.fullmatch(session):
        raise BadInput({"session": "Letters, digits, - and _ only, at most 40."})
    with dispatch.signed_in_as(session if signs_in else dispatch.session_chosen()):
        job = dispatch.open_job(
            team=site.team,
            by=by,
            kind=JobKind.REMOTE,
            title=f"Sign in to {site.name}" if signs_in else f"Record by hand on {site.name}",
            deadline_s=settings.REMOTE_DEADLINE_S,
        )
    # What a person was doing cannot be done again without them.
    Job.objects.filter(pk=job.pk).update(max_attempts=1)
    audit.record(site.team, by, "remote.started", f"site {site.slug}", url=url)
    return RemoteBrowser.objects.create(job=job, site=site, purpose=purpose, start_url=url)


def signed_in(*, remote: RemoteBrowser, by: User) -> None:
    """The person says that they are: the worker looks whether it is so, and keeps the session."""
    _require(by, remote.site.team)
    if not remote.may_be_seen_by(by.pk):
        raise NotAllowed("Somebody else signs in here: only they can say that they are done.")
    if remote.purpose != RemotePurpose.SIGN_IN or remote.job.status != JobStatus.RUNNING:
        raise WrongState("This browser does not run.")
    wire.send(remote.job.public_id, [sealing.seal({"kind": "finish"})])


@transaction.atomic
def keep(*, claim: Claim, remote: RemoteBrowser, entries: Sequence[Mapping[str, Any]], url: str) -> None:
    """The whole tape as it is now; committed when this returns."""
    claim.hold()
    row = RemoteBrowser.objects.select_for_update().get(pk=remote.pk)
    row.sealed = {**row.sealed, "entries": clean(list(entries))}
    row.current_url = clean(url)[:2000]
    row.save(update_fields=["sealed", "current_url"])


def secrets_in(entries: Sequence[Mapping[str, Any]]) -> list[str]:
    return [str(entry["value"]["given"]) for entry in entries if entry["value"] and entry["value"]["secret"]]


def ahead_of(job: Job) -> int:
    """How many jobs of its queue run or wait before it."""
    if job.status != JobStatus.QUEUED:
        return 0
    before = Job.objects.filter(queue=job.queue, status=JobStatus.QUEUED, created_at__lt=job.created_at).count()
    return before + Job.objects.filter(queue=job.queue, status=JobStatus.RUNNING).count()


# --- what the person changes of it


def lines_of(remote: RemoteBrowser) -> list[Line]:
    return lines(_entries(remote), edits_of(remote))


def taped(remote: RemoteBrowser) -> Taped:
    return write(_entries(remote), edits_of(remote))


def edits_of(remote: RemoteBrowser) -> Edits:
    told = remote.sealed.get("edits") or {}
    names = {int(number): str(name) for number, name in (told.get("names") or {}).items()}
    return Edits(frozenset(told.get("left_out") or ()), names, frozenset(told.get("fixed") or ()))


def leave_out(*, remote: RemoteBrowser, by: User, number: int) -> None:
    def edit(told: dict[str, Any]) -> None:
        told["left_out"] = sorted({*told.get("left_out", ()), number})

    _edit(remote, by, edit)


def undo(*, remote: RemoteBrowser, by: User) -> None:
    """The last step that is still there; nothing is undone on the site."""
    remote.refresh_from_db()
    there = lines_of(remote)
    if there:
        leave_out(remote=remote, by=by, number=there[-1].id)


def rename(*, remote: RemoteBrowser, by: User, number: int, name: str) -> None:
    """BadInput where a parameter cannot be called so, or another one is."""
    if not PARAMETER.fullmatch(name):
        raise BadInput({"name": "A parameter is called by letters, digits and _, such as order_number."})
    if any(line.name == name and line.id != number for line in lines_of(remote)):
        raise BadInput({"name": f"Another parameter is called {name}."})

    def edit(told: dict[str, Any]) -> None:
        told["names"] = {**told.get("names", {}), str(number): name}

    _edit(remote, by, edit)


def fix(*, remote: RemoteBrowser, by: User, number: int, fixed: bool) -> None:
    """Whether a value stays as it was typed rather than being a parameter; what is secret never does."""

    def edit(told: dict[str, Any]) -> None:
        kept = set(told.get("fixed", ()))
        told["fixed"] = sorted(kept | {number} if fixed else kept - {number})

    _edit(remote, by, edit)


@transaction.atomic
def _edit(remote: RemoteBrowser, by: User, edit: Edit) -> None:
    _require(by, remote.site.team)
    row = RemoteBrowser.objects.select_for_update().get(pk=remote.pk)
    if row.proposal_id is not None:
        raise WrongState("This recording has become a proposal; edit that one.")
    told = dict(row.sealed.get("edits") or {})
    edit(told)
    row.sealed = {**row.sealed, "edits": told}
    row.save(update_fields=["sealed"])
    remote.sealed = row.sealed


# --- what becomes of it


def finish(*, remote: RemoteBrowser, by: User, wish: Wish) -> Proposal | None:
    """The proposal, or None while the worker still reads what the page shows; it makes the proposal then."""
    _require(by, remote.site.team)
    _check(wish, remote)
    with transaction.atomic():
        row = RemoteBrowser.objects.select_for_update().get(pk=remote.pk)
        row.sealed = {**row.sealed, "finish": {"name": wish.name, "description": wish.description, "by": by.pk}}
        row.save(update_fields=["sealed"])
    remote.refresh_from_db()
    if remote.job.status == JobStatus.RUNNING:
        wire.send(remote.job.public_id, [sealing.seal({"kind": "finish"})])
        return None
    if remote.job.is_active:
        raise WrongState("The browser has not been started yet; cancel it instead.")
    return conclude(remote=remote)


@transaction.atomic
def conclude(*, remote: RemoteBrowser) -> Proposal:
    """The proposal of what was recorded, by the wish in the row. BadInput names the steps that cannot be said."""
    row = RemoteBrowser.objects.select_for_update().select_related("site__team", "job").get(pk=remote.pk)
    if row.proposal is not None:
        return row.proposal
    wished = row.sealed.get("finish") or {}
    made = taped(row)
    if made.problems:
        raise BadInput([f"Leave out what could not be recorded: {problem}" for problem in made.problems])
    if len(made.steps) < 1 or not made.start_url:
        raise BadInput(["Nothing was recorded."])
    secret = secrets_in(_entries(row))
    by = User.objects.get(pk=wished["by"])
    proposal = Proposal(
        site=row.site,
        mapping=_mapping(row),
        name=wished["name"],
        description=wished["description"] or f"Recorded by hand on {row.site.name}.",
        kind=_kind(made),
        side_effect=made.side_effect,
        proposed_effect=made.side_effect,
        parameters=made.parameters,
        examples=made.examples,
        others=made.others,
        returns=made.returns,
        start_url=made.start_url,
        steps=sealing.blot_out(made.steps, secret),
        submit_index=made.submit_index,
        dry_run=made.side_effect == SideEffect.DESTRUCTIVE,
        reason=f"Recorded by hand by {by}.",
        origin=ProposalOrigin.HAND,
    )
    planning.check(proposal)
    proposal.submits = proposals.submits_of(proposal)
    proposal.save()
    RemoteBrowser.objects.filter(pk=row.pk).update(proposal=proposal)
    audit.record(row.site.team, by, "proposal.recorded_by_hand", f"proposal {proposal.pk} {proposal.name}")
    return proposal


def _mapping(remote: RemoteBrowser) -> MappingRow:
    """The board that people look at now; a site without one gets one for this."""
    newest = MappingRow.objects.filter(site=remote.site, proposals__isnull=False).order_by("-pk").first()
    if newest is not None:
        return newest
    blank = {"site": remote.site, "method": BY_HAND, "start_url": remote.start_url[:500], "max_pages": 0}
    return MappingRow.objects.get_or_create(job=remote.job, defaults=blank)[0]


def _kind(made: Taped) -> str:
    if made.side_effect != SideEffect.READ:
        return ProposalKind.ACTION
    return ProposalKind.SEARCH if made.examples else ProposalKind.LIST


def _check(wish: Wish, remote: RemoteBrowser) -> None:
    if not TOOL_NAME.fullmatch(wish.name):
        raise BadInput({"name": "Small letters, digits and _ only, such as find_products."})
    if Proposal.objects.filter(mapping=_mapping_known(remote), name=wish.name).exists():
        raise BadInput({"name": f"Another proposal of this site is called {wish.name}."})


def _mapping_known(remote: RemoteBrowser) -> MappingRow | None:
    return MappingRow.objects.filter(site=remote.site, proposals__isnull=False).order_by("-pk").first()


def _entries(remote: RemoteBrowser) -> list[dict[str, Any]]:
    return list(remote.sealed.get("entries") or ())


# --- who drives, and what they send


def may_drive(*, remote: RemoteBrowser, by: User, token: str, take: bool = False) -> bool:
    """One at a time. Whoever has not been heard of for a while drives no more; `take`: the same person, elsewhere."""
    _require(by, remote.site.team)
    name = remote.job.public_id
    if take and wire.driver(name)[1] not in {"", by.username}:
        raise WrongState("Somebody else drives this browser.")
    return wire.drive(name, token, by.username, take=take)


def send(*, remote: RemoteBrowser, by: User, token: str, events: Any) -> None:
    """BadInput for what is no input, WrongState where somebody else drives or the browser does not keep up."""
    if remote.job.status != JobStatus.RUNNING:
        raise WrongState("This browser does not run.")
    if not isinstance(events, list) or not 0 < len(events) <= MAX_EVENTS or not all(map(_is_event, events)):
        raise BadInput(["That is no input."])
    if not may_drive(remote=remote, by=by, token=token):
        raise WrongState("Somebody else drives this browser.")
    if not wire.send(remote.job.public_id, [sealing.seal(event) for event in events]):
        raise WrongState("The browser does not keep up.")


def _is_event(event: Any) -> bool:
    return isinstance(event, dict) and isinstance(event.get("kind"), str) and len(json.dumps(event)) <= MAX_EVENT


def _require(by: User, team: Any) -> None:
    if not access.can(by, team, RUNNERS):
        raise NotAllowed(f"Your role in {team} does not let you drive a browser.")


def name_for(remote: RemoteBrowser) -> str:
    """From what was pressed last, else from the address: a person changes it."""
    pressed = [str(entry["words"]) for entry in _entries(remote) if entry["op"] in {"click", "double_click"}]
    words = pressed[-1] if pressed else urlsplit(remote.start_url).path.strip("/")
    named = re.sub(r"[^a-z0-9]+", "_", words.lower()).strip("_")
    return named[:60] if named[:1].isalpha() else "recorded_tool"
