"""One run: planned, looked over, under way, ended; stopped and taken up again."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Page, Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from evidence_app.models import Artifact, Attempt, Run, Sample
from evidence_app.models.evidence import ArtifactKind
from evidence_app.models.run import RunStatus, SampleStatus
from evidence_app.services import access, completeness, runs
from evidence_app.views.draft import draft_context
from recipes_app.models import Job
from recipes_app.services.access import require
from recipes_app.views.allowed import allowed
from recipes_app.views.live import fragment, go_to, mark_of
from recipes_app.views.signed_in import SignedIn, refusals_told

PAGE = 50
AGAIN = tuple(
    each for each in SampleStatus if each not in (SampleStatus.DONE, SampleStatus.QUEUED, SampleStatus.RUNNING)
)


@dataclass
class Card:
    """One sample in the grid, with its newest attempt and picture."""

    sample: Sample
    attempt: Attempt | None = None
    thumbnail: Artifact | None = None


@login_required
@require_safe
def run_detail(request: SignedIn, public_id: str) -> HttpResponse:
    run = access.get_run_for(request.user, public_id)
    return render(request, template_of(run), context_of(request, run))


@login_required
@require_safe
def run_live(request: SignedIn, public_id: str) -> HttpResponse:
    """The page opens itself anew where it becomes another one: a plan that is a draft now."""
    run = access.get_run_for(request.user, public_id)
    context = context_of(request, run)
    if request.GET.get("as", run.status) != run.status and RunStatus.PLANNING in (request.GET.get("as"), run.status):
        return go_to(reverse("run_detail", args=[run.public_id]))
    template = "evidence/_planning.html" if run.status == RunStatus.PLANNING else "evidence/_run.html"
    return fragment(request, template, context, str(context["mark"]))


@login_required
@require_POST
def run_cancel(request: SignedIn, public_id: str) -> HttpResponse:
    run = access.get_run_for(request.user, public_id)
    with refusals_told(request):
        runs.cancel(run=run, by=request.user)
        messages.success(request, "Cancelled. What had begun stops as soon as its workers have seen it.")
    return redirect("run_detail", run.public_id)


@login_required
@require_POST
def run_resume(request: SignedIn, public_id: str) -> HttpResponse:
    run = access.get_run_for(request.user, public_id)
    with refusals_told(request):
        count = runs.resume(run=run, by=request.user)
        messages.success(request, f"{count} sample{'' if count == 1 else 's'} tried again, beside the older attempts.")
    return redirect("run_detail", run.public_id)


@login_required
@require_safe
def evidence_job(request: SignedIn, public_id: str) -> HttpResponse:
    """From a job to what it is about."""
    rows = Job.objects.select_related("team", "attempt_at_sample", "planned_run", "pack__run")
    job = get_object_or_404(rows, public_id=public_id)
    require(request.user, job.team)
    if attempt := getattr(job, "attempt_at_sample", None):
        return redirect("sample_detail", attempt.sample_id)
    if run := getattr(job, "planned_run", None):
        return redirect("run_detail", run.public_id)
    if pack := getattr(job, "pack", None):
        return redirect("run_packs", pack.run.public_id)
    raise Http404


def template_of(run: Run) -> str:
    by_status = {RunStatus.PLANNING: "evidence/planning.html", RunStatus.DRAFT: "evidence/draft.html"}
    return by_status.get(RunStatus(run.status), "evidence/run.html")


def context_of(request: SignedIn, run: Run) -> dict[str, Any]:
    context: dict[str, Any] = {"run": run, **allowed(request.user, run.team)}
    if run.status == RunStatus.PLANNING:
        return {**context, **planning_context(run)}
    if run.status == RunStatus.DRAFT:
        return {**context, **draft_context(run)}
    return {**context, **progress(run, request.GET.get("status", ""), request.GET.get("page", ""))}


def planning_context(run: Run) -> dict[str, Any]:
    """Of a plan: its job; of a discovery: its own run, with its one sample."""
    discovery = run.discovery
    if discovery is None:
        job = run.plan_job
        return {"job": job, "mark": mark_of(job, run.status) if job else run.status}
    found = progress(discovery, "", "")
    return {"job": None, "discovery": discovery, "found": found, "mark": f"{run.status}{found['mark']}"}


def progress(run: Run, status: str, page: str) -> dict[str, Any]:
    """Counts by one query, and no more than a page of samples."""
    status = status if status in SampleStatus.values else ""
    counts, cost = runs.counts_of(run), runs.cost_of(run)
    samples = run.samples.filter(status=status) if status else run.samples.all()
    shown: Page[Sample] = Paginator(samples, PAGE).get_page(page)
    cards = cards_of(list(shown))
    return {
        "counts": counts,
        "counted": [
            (value, label, counts.by_status[value]) for value, label in in_order() if counts.by_status.get(value)
        ],
        "cost": cost,
        "page": shown,
        "cards": cards,
        "status": status,
        "active": run.status in runs.UNDER_WAY,
        "again": sum(counts.by_status.get(value, 0) for value in AGAIN),
        "whole": None if run.status in runs.UNDER_WAY else completeness.of_run(run),
        "discovers_for": getattr(run, "discovers_for", None),
        "mark": _mark(run, counts, cost.tokens, cards),
    }


def in_order() -> list[tuple[str, str]]:
    return [(value, str(label)) for value, label in SampleStatus.choices]


def cards_of(samples: list[Sample]) -> list[Card]:
    """Two queries: the newest attempt of each, and the newest picture of those."""
    cards = {sample.pk: Card(sample) for sample in samples}
    for attempt in Attempt.objects.filter(sample__in=cards).defer("checkpoint").order_by("number"):
        cards[attempt.sample_id].attempt = attempt
    by_attempt = {card.attempt.pk: card for card in cards.values() if card.attempt}
    pictures = Artifact.objects.filter(attempt__in=by_attempt, kind=ArtifactKind.THUMBNAIL, removed_at=None)
    for picture in pictures.order_by("seq", "pk").defer("statement"):
        by_attempt[picture.attempt_id].thumbnail = picture
    return list(cards.values())


def _mark(run: Run, counts: runs.Counts, tokens: int, cards: list[Card]) -> str:
    shown = [
        (card.sample.status, card.attempt and (card.attempt.pk, card.attempt.step, card.attempt.last_thought),
         card.thumbnail and card.thumbnail.pk)
        for card in cards
    ]  # fmt: skip
    parts = (run.status, run.cancel_requested_at, sorted(counts.by_status.items()), tokens, shown)
    return sha256(repr(parts).encode()).hexdigest()[:16]
