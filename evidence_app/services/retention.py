"""Evidence whose time is over: found, asked to be deleted, decided by a second person, deleted; the ledger tells it.

No row goes. Of the run's entries about what was captured the salt and the facts are blanked, so that nobody can say
any more what they committed to, and the tombstone names them; the tree over them stays whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Count, QuerySet, Sum
from django.urls import reverse
from django.utils import timezone

from evidence_app.models import (
    ActionEntry,
    Artifact,
    Attempt,
    Field,
    Hold,
    Opening,
    Pack,
    Removal,
    Run,
    RunMemory,
    Sample,
    TaskSpecVersion,
)
from evidence_app.models.retention import Asked
from evidence_app.models.run import RunStatus
from evidence_app.services import four_eyes, holds, ledger
from recipes_app.models import JobStep, Team, User
from recipes_app.models.team import EDITORS, SIGNERS
from recipes_app.services import access, audit, notices
from recipes_app.services.errors import NotAllowed, WrongState

ENDED = (RunStatus.DONE, RunStatus.FAILED, RunStatus.CANCELLED)
# What these say came from the site that was visited; what people decided stays.
FORGOTTEN = ("capture.kept", "derived.kept", "sample.finished")
TOMBSTONE = "retention.removed"


@dataclass(frozen=True, slots=True)
class Due:
    """A run whose evidence may go; `since` when its time was over, `held` by what it is kept all the same."""

    run: Run
    days: int
    since: datetime
    held: tuple[Hold, ...]


def due(team: Team, now: datetime | None = None) -> Iterator[Due]:
    """Longest over first; without those that somebody has asked for already."""
    now = now or timezone.now()
    kept = _days_now(team)
    active = list(holds.active(team).select_related("run", "spec"))
    rows = _ended(team).exclude(removals__status__in=(Asked.WAITING, Asked.APPROVED)).select_related("version__spec")
    for run in rows.order_by("finished_at", "pk").iterator(chunk_size=500):
        days = _longer(days_in(run.version), kept.get(run.version.spec_id, 0)) if run.version else 0
        if not days or run.finished_at is None or run.finished_at + timedelta(days=days) > now:
            continue
        held = tuple(hold for hold in active if _covers(hold, run))
        yield Due(run, days, run.finished_at + timedelta(days=days), held)


def days_of(run: Run) -> int:
    """As the run's own version of the task has it or the newest, whichever is longer; 0: for good."""
    if run.version is None:
        return 0
    newest = TaskSpecVersion.objects.filter(spec=run.version.spec_id).order_by("-number").first()
    return _longer(days_in(run.version), days_in(newest)) if newest else 0


def days_in(version: TaskSpecVersion) -> int:
    return int(version.document.get("retention_days", 0))


@transaction.atomic
def ask(*, run: Run, by: User, words: str = "") -> Removal:
    if not access.can(by, run.team, EDITORS):
        raise NotAllowed("An editor or an owner of the team asks for evidence to be deleted.")
    holds.lock(run.team)
    _refuse_kept(run)
    if Removal.objects.filter(run=run).exclude(status=Asked.DECLINED).exists():
        raise WrongState(f"Somebody has asked already for {run.title} to be deleted.")
    removal = Removal.objects.create(run=run, days=days_of(run), words=words.strip(), asked_by=by)
    audit.record(run.team, by, "retention.asked", f"run {run.public_id} {run.title}", words=removal.words)
    text = (
        f"{by} asks to delete the evidence of {run.title}, whose {removal.days} days are over. A second person decides."
    )
    _tell(removal, notices.people_of(run.team, SIGNERS, but=by), text)
    return removal


@transaction.atomic
def decline(*, removal: Removal, by: User, words: str = "") -> None:
    """Also by whoever asked: taking it back."""
    if removal.asked_by_id != by.pk and not access.can(by, removal.run.team, SIGNERS):
        raise NotAllowed("A reviewer or an owner of the team decides that, or who asked takes it back.")
    _decide(removal, by, Asked.DECLINED, words)
    run = removal.run
    audit.record(run.team, by, "retention.declined", f"run {run.public_id} {run.title}", words=words.strip())
    notices.settled(run.team, mark_of(removal))
    if removal.asked_by_id != by.pk:
        _tell(removal, [removal.asked_by], f"{by} declined to delete the evidence of {run.title}.")


@transaction.atomic
def approve(*, removal: Removal, by: User, words: str = "") -> None:
    """Blanks the rows now; the bytes follow. A hold placed meanwhile stops it."""
    run = removal.run
    if not access.can(by, run.team, SIGNERS):
        raise NotAllowed("A reviewer or an owner of the team decides that.")
    if removal.asked_by_id == by.pk:
        raise NotAllowed("You asked for it: somebody else decides.")
    if holds.lifted_from(run).filter(lifted_by=by).exists():
        raise NotAllowed("You lifted a hold that kept it: somebody else decides.")
    holds.lock(run.team)
    _refuse_kept(run)
    found = Artifact.objects.filter(attempt__sample__run=run, removed_at=None).aggregate(Count("pk"), Sum("size"))
    _decide(removal, by, Asked.APPROVED, words, files=found["pk__count"], bytes=found["size__sum"] or 0)
    facts = _tombstone(removal, by, words)
    blank(run)
    audit.record(run.team, by, "retention.approved", f"run {run.public_id} {run.title}", files=found["pk__count"])
    notices.settled(run.team, mark_of(removal))
    _tell(removal, [removal.asked_by], f"{by} approved: the evidence of {run.title} is deleted.")
    ledger.append(TOMBSTONE, facts, run=run)


def blank(run: Run) -> None:
    """Everything that came from the pages that were visited, in rows; who did what and when stays."""
    now = timezone.now()
    of_run = {"attempt__sample__run": run}
    Artifact.objects.filter(**of_run).update(statement=None, source_url="", removed_at=now)
    Pack.objects.filter(run=run, removed_at=None).update(removed_at=now)
    Field.objects.filter(**of_run).update(value=None, problem="", url="", box=None)
    ActionEntry.objects.filter(**of_run).update(
        params={}, step=None, thinking="", evaluation="", memory_update="", next_goal="", result="", url="", mark=""
    )
    Attempt.objects.filter(sample__run=run).update(
        extracted={}, judgment=None, notes="", errors=[], reasons=[], last_thought="", current_url="", checkpoint={}
    )
    Sample.objects.filter(run=run).update(url="", extra={})
    RunMemory.objects.filter(run=run).delete()
    JobStep.objects.filter(job__attempt_at_sample__sample__run=run).delete()
    openings = Opening.objects.filter(entry__run=run, entry__kind__in=FORGOTTEN, removed_at=None)
    openings.update(salt="", facts="", removed_at=now)


def mark_of(removal: Removal) -> str:
    return f"removal:{removal.pk}"


def refuse_removed(run: Run) -> None:
    """What was deleted is not collected again under the same name."""
    if Removal.objects.filter(run=run, status=Asked.APPROVED).exists():
        raise WrongState(f"The evidence of {run.title} was deleted, as its task says. Start a new run instead.")


def _refuse_kept(run: Run) -> None:
    if run.status not in ENDED or run.finished_at is None:
        raise WrongState(f"{run.title} has not ended.")
    days = days_of(run)
    if not days:
        raise WrongState(f"The task of {run.title} keeps its evidence for good.")
    over = run.finished_at + timedelta(days=days)
    if over > timezone.now():
        raise WrongState(f"The evidence of {run.title} is kept until {over:%-d %b %Y %H:%M} UTC.")
    if hold := holds.covering(run).first():
        raise WrongState(f"There is a hold on {hold.what}: {hold.words}")


def _decide(removal: Removal, by: User, status: Asked, words: str, **more: int) -> None:
    decided = {"decided_by": by, "decided_at": timezone.now(), "decided_words": words.strip()}
    waiting = Removal.objects.filter(pk=removal.pk, status=Asked.WAITING)
    if waiting.update(status=status, **decided, **more) != 1:
        raise WrongState("Somebody has decided that already.")


def _tombstone(removal: Removal, by: User, words: str) -> dict[str, object]:
    """What goes, by number and hash, and who said so."""
    run = removal.run
    entries = Opening.objects.filter(entry__run=run, entry__kind__in=FORGOTTEN, removed_at=None)
    rows = Artifact.objects.filter(attempt__sample__run=run, removed_at=None).order_by("pk")
    return {
        "team": run.team_id,
        "run": run.public_id,
        "removal": removal.pk,
        "retention_days": removal.days,
        "asked_by": four_eyes.person(removal.asked_by),
        "approved_by": four_eyes.person(by),
        "words": [removal.words, words.strip()],
        "entries": _ranges(entries.order_by("pk").values_list("pk", flat=True)),
        "artifacts": [
            {"id": pk, "sha256": sha256, "size": size} for pk, sha256, size in rows.values_list("pk", "sha256", "size")
        ],
        "packs": [
            {"id": pack.public_id, "sha256": pack.sha256} for pack in Pack.objects.filter(run=run, removed_at=None)
        ],
    }


def _ranges(numbers: QuerySet[Opening, int]) -> list[list[int]]:
    """[[first, last], …] of numbers that rise."""
    found: list[list[int]] = []
    for number in numbers.iterator(chunk_size=2000):
        if found and found[-1][1] + 1 == number:
            found[-1][1] = number
        else:
            found.append([number, number])
    return found


def _days_now(team: Team) -> dict[int, int]:
    """By task, as its newest version has it."""
    rows = TaskSpecVersion.objects.filter(spec__team=team).order_by("spec", "number")
    return {spec: days or 0 for spec, days in rows.values_list("spec", "document__retention_days")}


def _ended(team: Team) -> QuerySet[Run]:
    return Run.objects.filter(team=team, status__in=ENDED, version__document__retention_days__gt=0)


def _longer(first: int, second: int) -> int:
    return max(first, second) if first and second else 0


def _covers(hold: Hold, run: Run) -> bool:
    if hold.run_id:
        return hold.run_id == run.pk
    return hold.spec_id is None or (run.version is not None and hold.spec_id == run.version.spec_id)


def _tell(removal: Removal, people: list[User], text: str) -> None:
    news = notices.News(event="retention", text=text, path=reverse("retention"), mark=mark_of(removal), by_mail=True)
    notices.tell(team=removal.run.team, people=people, news=news)
