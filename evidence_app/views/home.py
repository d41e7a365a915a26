"""The first page of evidence: the team's runs, and the way to the next one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from django.contrib.auth.decorators import login_required
from django.core.paginator import Page, Paginator
from django.db.models import Count, Q, QuerySet, Sum
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from evidence_app.forms.planning import SentenceForm
from evidence_app.models import Run, Sample
from evidence_app.models.run import SAMPLE_ENDED, RunStatus
from evidence_app.services import alarms
from evidence_app.services.estimates import dollars
from recipes_app.models import ModelUse, Team
from recipes_app.services import access
from recipes_app.views.allowed import allowed
from recipes_app.views.live import fragment, is_poll
from recipes_app.views.signed_in import SignedIn

PAGE = 30
MOVING = (RunStatus.PLANNING, RunStatus.QUEUED, RunStatus.RUNNING)


@dataclass
class RunRow:
    """One run in the list, with what its samples have come to."""

    run: Run
    counts: dict[str, int] = field(default_factory=dict)
    tokens: int = 0
    micros: int = 0
    unpriced: int = 0

    @property
    def total(self) -> int:
        return sum(self.counts.values())

    @property
    def ended(self) -> int:
        return sum(number for status, number in self.counts.items() if status in SAMPLE_ENDED)

    @property
    def cost(self) -> str:
        money = "no price known" if self.unpriced else dollars(self.micros)
        return f"{self.tokens:,} tokens, {money}" if self.tokens else ""


@login_required
@require_safe
def evidence_home(request: SignedIn) -> HttpResponse:
    team = access.current_team(request)
    if team is None:
        return redirect("team_new")
    status = request.GET.get("status", "")
    status = status if status in RunStatus.values else ""
    rows = runs_of(team)
    page = Paginator(rows.filter(status=status) if status else rows, PAGE).get_page(request.GET.get("page"))
    shown = rows_of(page)
    mark = "-".join(f"{row.run.pk}{row.run.status[:4]}{row.ended}" for row in shown if row.run.status in MOVING)
    context = {"team": team, "page": page, "rows": shown, "status": status, "mark": mark, "moving": bool(mark)}
    context |= allowed(request.user, team)
    if is_poll(request):
        return fragment(request, "evidence/_runs.html", context, mark)
    context |= {"form": SentenceForm(), "filters": filters(team), "alarms": alarms.standing()}
    return render(request, "evidence/home.html", context)


def runs_of(team: Team) -> QuerySet[Run]:
    """What people asked for: a discovery is shown with the run it is for."""
    rows = Run.objects.filter(team=team, discovers_for=None)
    return rows.select_related("version__spec", "requested_by", "schedule")


def rows_of(page: Page[Run] | Sequence[Run]) -> list[RunRow]:
    """Two queries, however many runs and samples there are."""
    rows = {run.pk: RunRow(run) for run in page}
    counted = Sample.objects.filter(run__in=rows).order_by().values_list("run", "status").annotate(Count("pk"))
    counts: dict[int, dict[str, int]] = defaultdict(dict)
    for run, status, number in counted:
        counts[run][status] = number
    path = "job__attempt_at_sample__sample__run"
    uses = ModelUse.objects.filter(**{f"{path}__in": list(rows)}).order_by().values_list(path)
    unpriced = Count("pk", filter=Q(cost_micros=None))
    spent = uses.annotate(Sum("input_tokens"), Sum("output_tokens"), Sum("cost_micros"), unpriced=unpriced)
    for run, given, answered, micros, without in spent:
        row = rows[run]
        row.tokens, row.micros, row.unpriced = (given or 0) + (answered or 0), micros or 0, without
    for run, found in counts.items():
        rows[run].counts = found
    return list(rows.values())


def filters(team: Team) -> list[tuple[str, str, int]]:
    """[(status, label, how many)], those that exist."""
    counts = dict(runs_of(team).order_by().values_list("status").annotate(Count("pk")))
    rows = [(value, str(label), counts[value]) for value, label in RunStatus.choices if value in counts]
    return [("", "All", sum(counts.values())), *rows]
