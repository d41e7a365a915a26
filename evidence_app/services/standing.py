"""How the review room stands: what waits for whom and since when, what was decided, what could not be captured."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.db.models import Count, Min
from django.db.models.functions import TruncDate
from django.utils import timezone

from evidence_app.models import Attempt, Exhibit, Review
from evidence_app.models.review import WAITING, Decision
from evidence_app.models.run import SampleStatus
from recipes_app.models import Team

DAYS = 14
FAILED_DAYS = 30
FAILED_MOST = 2000
NOT_CAPTURED = (SampleStatus.FAILED, SampleStatus.ERRORED, SampleStatus.INTERRUPTED)


@dataclass(frozen=True, slots=True)
class Waiting:
    """`person`: a user name, empty where nobody was asked."""

    person: str
    count: int
    oldest: datetime


@dataclass(frozen=True, slots=True)
class Done:
    """What one person decided in these days."""

    person: str
    approved: int
    turned_back: int

    @property
    def total(self) -> int:
        return self.approved + self.turned_back


@dataclass(frozen=True, slots=True)
class Standing:
    waiting: list[Waiting]
    done: list[Done]
    days: list[tuple[date, int]]
    failed: list[tuple[str, int]]  # reason, samples; the most first
    mismatched: list[Exhibit]

    @property
    def total(self) -> int:
        return sum(each.count for each in self.waiting)

    @property
    def oldest(self) -> datetime | None:
        return min((each.oldest for each in self.waiting), default=None)

    @property
    def a_day(self) -> float:
        return sum(count for _, count in self.days) / DAYS


def of_team(team: Team) -> Standing:
    return Standing(_waiting(team), _done(team), _days(team), _failed(team), _mismatched(team))


def _waiting(team: Team) -> list[Waiting]:
    rows = Exhibit.objects.filter(team=team, state__in=WAITING).order_by()
    found = rows.values_list("assignee__username").annotate(Count("pk"), Min("opened_at"))
    return sorted((Waiting(name or "", count, oldest) for name, count, oldest in found), key=lambda each: each.oldest)


def _done(team: Team) -> list[Done]:
    since = timezone.now() - timedelta(days=DAYS)
    rows = Review.objects.filter(sample__run__team=team, at__gte=since, undone_at=None).order_by()
    counted = rows.values_list("reviewer__username", "decision").annotate(Count("pk"))
    by_person: dict[str, Counter[str]] = {}
    for name, decision, count in counted:
        by_person.setdefault(name, Counter())[decision] += count
    done = [
        Done(name, each[Decision.APPROVE], each[Decision.REJECT] + each[Decision.RECAPTURE])
        for name, each in by_person.items()
    ]
    return sorted(done, key=lambda each: (-each.total, each.person))


def _days(team: Team) -> list[tuple[date, int]]:
    """Each of the last days with how many decisions, the oldest first; days without any too."""
    today = timezone.now().date()
    first = today - timedelta(days=DAYS - 1)
    rows = Review.objects.filter(sample__run__team=team, at__date__gte=first, undone_at=None).order_by()
    counts = dict(rows.annotate(day=TruncDate("at")).values_list("day").annotate(Count("pk")))
    return [(day, counts.get(day, 0)) for day in (first + timedelta(days=n) for n in range(DAYS))]


def _failed(team: Team) -> list[tuple[str, int]]:
    """By the first reason of each attempt; of the newest, where there are very many."""
    since = timezone.now() - timedelta(days=FAILED_DAYS)
    rows = Attempt.objects.filter(sample__run__team=team, status__in=NOT_CAPTURED, finished_at__gte=since)
    counted: Counter[str] = Counter()
    for status, reasons in rows.order_by("-pk").values_list("status", "reasons")[:FAILED_MOST]:
        counted[str(reasons[0].get("code", status)) if reasons else status] += 1
    return counted.most_common(20)


def _mismatched(team: Team) -> list[Exhibit]:
    rows = Exhibit.objects.filter(team=team).exclude(mismatch_at=None).select_related("sample", "run")
    return list(rows.order_by("-mismatch_at")[:20])
