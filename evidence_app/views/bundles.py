"""The jobs of a run's samples, as one line of the list of jobs."""

from __future__ import annotations

from collections import defaultdict

from django.db.models import Count, Exists, OuterRef
from django.urls import reverse

from evidence_app.models import Attempt, Run
from evidence_app.services.runs import UNDER_WAY
from recipes_app.models import Team
from recipes_app.models.job import ENDED, JobStatus
from recipes_app.views.bundles import Bundle

MOST_ACTIVE = 20


def sample_jobs(team: Team, most: int) -> list[Bundle]:
    """Three queries, however many samples there are."""
    tried = Attempt.objects.filter(sample__run=OuterRef("pk"))
    begun = Run.objects.filter(Exists(tried), team=team).order_by("-pk")
    active = list(begun.filter(status__in=UNDER_WAY)[:MOST_ACTIVE])
    found = [*active, *begun.exclude(status__in=UNDER_WAY)[:most]]
    counts: dict[int, dict[str, int]] = defaultdict(dict)
    counted = Attempt.objects.filter(sample__run__in=found).order_by().values_list("sample__run", "job__status")
    for run, status, number in counted.annotate(Count("pk")):
        counts[run][status] = number
    return [_bundle(run, counts[run.pk]) for run in found]


def _bundle(run: Run, by_status: dict[str, int]) -> Bundle:
    named = tuple((str(label).lower(), by_status[value]) for value, label in JobStatus.choices if value in by_status)
    ended = sum(number for status, number in by_status.items() if status in ENDED)
    return Bundle(run.title, reverse("run_detail", args=[run.public_id]), named, ended, sum(by_status.values()))
