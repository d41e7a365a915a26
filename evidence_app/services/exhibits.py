"""What waits to be reviewed: samples are put up as they end, and found again by what a reviewer asks for."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from evidence_app.models import Attempt, Conclusion, Exhibit, Review, Run, Sample, TaskSpec
from evidence_app.models.review import WAITING, ExhibitState, Level
from evidence_app.models.run import SAMPLE_ENDED, SampleStatus
from evidence_app.services import doubts, review_news
from recipes_app.models import Job, Team, User

REVIEWABLE = (SampleStatus.DONE, SampleStatus.PARTIAL, SampleStatus.REVIEW)
ALL, NOBODY, ME, WAITS, UNCONCLUDED = "all", "nobody", "me", "waiting", "unconcluded"
COUNTED = 1000  # beyond that a count says “more than”


@dataclass(frozen=True, slots=True)
class Wanted:
    """What of the queue is shown; empty is everything. `days`: waits that long or longer. `run`: its public id."""

    run: str = ""
    task: int | None = None
    control: str = ""
    period: str = ""
    days: int | None = None
    assignee: str = ""  # "me", "nobody", or a person's user name
    state: str = WAITS
    q: str = ""  # the beginning of a sample's id


def put_up(job: Job) -> None:
    """Called in the transaction that ends a sample's job."""
    attempt = Attempt.objects.select_related("sample__run").filter(job=job).first()
    if attempt is None or Run.objects.filter(discovery=attempt.sample.run_id).exists():
        return
    exhibit = Exhibit.objects.filter(sample=attempt.sample_id).first()
    if attempt.status in REVIEWABLE:
        _put_up(attempt, exhibit)
    elif exhibit is not None and exhibit.state == ExhibitState.RECAPTURE and _is_last(attempt):
        # The new capture brought nothing: what there was before waits again.
        Exhibit.objects.filter(pk=exhibit.pk).update(state=ExhibitState.OPEN, opened_at=timezone.now())


def _put_up(attempt: Attempt, exhibit: Exhibit | None) -> None:
    values: dict[str, Any] = {
        "attempt": attempt,
        "doubts": doubts.count(attempt),
        "opened_at": timezone.now(),
        "decided_at": None,
        "mismatch_at": None,
    }
    if exhibit is None:
        run = attempt.sample.run
        Exhibit.objects.create(sample=attempt.sample, run=run, team_id=run.team_id, **values)
        return
    signed = exhibit.state in (ExhibitState.APPROVED, ExhibitState.SECOND, ExhibitState.STALE)
    state = ExhibitState.STALE if signed else ExhibitState.OPEN
    Exhibit.objects.filter(pk=exhibit.pk).update(state=state, **values)


def _is_last(attempt: Attempt) -> bool:
    """Not tried again by itself."""
    return not attempt.sample.attempts.exclude(status__in=SAMPLE_ENDED).exists()


def run_ended(run: Run) -> None:
    review_news.run_waits(run)


def queue(team: Team, wanted: Wanted, by: User) -> QuerySet[Exhibit]:
    """The longest waiting first."""
    rows = Exhibit.objects.filter(team=team).filter(_state(wanted.state))
    if wanted.state == WAITS and settings.REVIEW_TWO_SIGNATURES:
        rows = rows.exclude(Q(state=ExhibitState.SECOND) & Q(_signed_by(by)))
    if (runs := _runs(team, wanted)) is not None:
        rows = rows.filter(run__in=runs)
    order: Any = "opened_at"
    if begins := wanted.q.strip():
        rows, order = rows.filter(_begins(begins)), Coalesce("opened_at", "opened_at")  # found first, ordered then
    if wanted.days:
        rows = rows.filter(opened_at__lte=timezone.now() - timedelta(days=wanted.days))
    if wanted.assignee == NOBODY:
        rows = rows.filter(assignee=None)
    elif wanted.assignee:
        rows = rows.filter(assignee=by) if wanted.assignee == ME else rows.filter(assignee__username=wanted.assignee)
    return rows.order_by(order, "pk")


def _runs(team: Team, wanted: Wanted) -> list[int] | QuerySet[Run] | None:
    """Looked up first where there are few: the queue is then read in its own order. None where any will do."""
    filters: dict[str, Any] = {
        "public_id": wanted.run,
        "version__spec": wanted.task,
        "control": wanted.control,
        "period": wanted.period,
    }
    given = {name: value for name, value in filters.items() if value}
    if not given:
        return None
    rows = Run.objects.filter(team=team, **given).order_by()
    keys = list(rows.values_list("pk", flat=True)[: COUNTED + 1])
    return keys if len(keys) <= COUNTED else rows


def _begins(text: str) -> Q:
    """Samples called so, looked up first where there are few."""
    samples = Sample.objects.filter(sample_id__istartswith=text).order_by()
    keys = list(samples.values_list("pk", flat=True)[: COUNTED + 1])
    return Q(sample__in=keys) if len(keys) <= COUNTED else Q(sample__sample_id__istartswith=text)


def _signed_by(user: User) -> Exists:
    """Whose first signature it has: the second is somebody else's."""
    firsts = Review.objects.filter(reviewer=user, level=Level.FIRST, undone_at=None)
    return Exists(firsts.filter(attempt=OuterRef("attempt")))


def _state(state: str) -> Q:
    if state == ALL:
        return Q()
    if state == UNCONCLUDED:
        return Q(state=ExhibitState.APPROVED) & ~Q(Exists(Conclusion.objects.filter(sample=OuterRef("sample"))))
    return Q(state=state) if state in ExhibitState.values else Q(state__in=WAITING)


@dataclass(frozen=True, slots=True)
class Around:
    """The exhibits before and after one in the queue; None at its ends."""

    before: Exhibit | None
    after: Exhibit | None


def around(exhibit: Exhibit, rows: QuerySet[Exhibit]) -> Around:
    at, key = exhibit.opened_at, exhibit.pk
    earlier = rows.filter(Q(opened_at__lt=at) | Q(pk__lt=key), opened_at__lte=at)
    later = rows.filter(Q(opened_at__gt=at) | Q(pk__gt=key), opened_at__gte=at)
    return Around(earlier.order_by("-opened_at", "-pk").first(), later.first())


def following(exhibit: Exhibit, rows: QuerySet[Exhibit]) -> Exhibit | None:
    """What is looked at after this one was decided: the next, or the first that still waits."""
    waiting = rows.filter(state__in=WAITING)
    return around(exhibit, waiting).after or waiting.exclude(pk=exhibit.pk).first()


def count_of(rows: QuerySet[Exhibit]) -> int:
    """At most one more than is counted: what takes no longer however many there are."""
    return rows.order_by()[: COUNTED + 1].count()


@dataclass(frozen=True, slots=True)
class Choices:
    """What the queue may be narrowed by: of the team's runs, the newest first."""

    runs: list[Run]
    tasks: list[TaskSpec]
    controls: list[str]
    periods: list[str]


def choices(team: Team) -> Choices:
    runs = Run.objects.filter(team=team, discovers_for=None).exclude(version=None)
    newest = list(runs.order_by("-pk")[:200])
    return Choices(
        runs=newest,
        tasks=list(TaskSpec.objects.filter(team=team, archived_at=None)),
        controls=sorted({run.control for run in newest if run.control}),
        periods=sorted({run.period for run in newest if run.period}),
    )
