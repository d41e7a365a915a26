"""Legal holds: while one lies on a run, on its task or on the team, nothing of the run is deleted."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils import timezone

from evidence_app.models import Hold, Run, TaskSpec
from evidence_app.services import four_eyes, ledger
from recipes_app.models import Team, User
from recipes_app.models.team import EDITORS, OWNERS, SIGNERS
from recipes_app.services import access, audit, notices
from recipes_app.services.errors import BadInput, NotAllowed, WrongState

PLACERS = EDITORS | SIGNERS


@transaction.atomic
def place(*, team: Team, by: User, words: str, spec: TaskSpec | None = None, run: Run | None = None) -> Hold:
    """On the run, or on every run of the task, or on all of the team; `words` say what for."""
    if not access.can(by, team, PLACERS):
        raise NotAllowed("A reviewer, an editor or an owner of the team places a hold.")
    if not words.strip():
        raise BadInput({"words": "Say what the hold is for: a case, a letter, a date."})
    if any(each is not None and each.team_id != team.pk for each in (spec, run)) or (spec and run):
        raise BadInput({"what": "A hold lies on one run or one task of this team, or on all of it."})
    lock(team)
    if active(team).filter(spec=spec, run=run).exists():
        raise WrongState("There is a hold on that already.")
    hold = Hold.objects.create(team=team, spec=spec, run=run, words=words.strip(), placed_by=by)
    audit.record(team, by, "hold.placed", f"hold {hold.pk} on {hold.what}", words=hold.words)
    ledger.append("hold.placed", {**_facts(hold), "words": hold.words, "by": four_eyes.person(by)}, run=run)
    return hold


@transaction.atomic
def lift(*, hold: Hold, by: User, words: str) -> None:
    """Whoever placed it is told; whoever lifts it does not decide afterwards that what it kept is deleted."""
    if not access.can(by, hold.team, OWNERS):
        raise NotAllowed("Only an owner of the team lifts a hold.")
    if not words.strip():
        raise BadInput({"words": "Say why the hold is not needed any more."})
    lifted = {"lifted_by": by, "lifted_at": timezone.now(), "lifted_words": words.strip()}
    if Hold.objects.filter(pk=hold.pk, lifted_at=None).update(**lifted) != 1:
        raise WrongState("This hold was lifted already.")
    if hold.placed_by_id != by.pk:
        text = f"{by} lifted your hold on {hold.what}: {words.strip()}"
        news = notices.News(
            event="retention", text=text, path=reverse("retention"), mark=f"hold:{hold.pk}", by_mail=True
        )
        notices.tell(team=hold.team, people=[hold.placed_by], news=news)
    audit.record(hold.team, by, "hold.lifted", f"hold {hold.pk} on {hold.what}", words=words.strip())
    ledger.append("hold.lifted", {**_facts(hold), "words": words.strip(), "by": four_eyes.person(by)}, run=hold.run)


def active(team: Team) -> QuerySet[Hold]:
    return Hold.objects.filter(team=team, lifted_at=None)


def covering(run: Run) -> QuerySet[Hold]:
    """Those that keep this run's evidence: what found the samples of a run is kept with it."""
    return active(run.team).filter(_over(run))


def lifted_from(run: Run) -> QuerySet[Hold]:
    """Those that have kept it, and do not any more."""
    return Hold.objects.filter(team=run.team, lifted_at__isnull=False).filter(_over(run))


def _over(run: Run) -> Q:
    kept = Run.objects.filter(Q(pk=run.pk) | Q(discovery=run))
    specs = kept.exclude(version=None).values("version__spec")
    return Q(run__in=kept) | Q(spec__in=specs) | Q(run=None, spec=None)


def lock(team: Team) -> None:
    """Until the transaction ends nobody else places a hold on, or deletes, anything of the team."""
    Team.objects.select_for_update().get(pk=team.pk)


def _facts(hold: Hold) -> dict[str, object]:
    run = {"run": hold.run.public_id} if hold.run else {}
    return {"team": hold.team_id, **run, "hold": hold.pk, "task_id": hold.spec.task_id if hold.spec else None}
