"""A task spec as it is written: new, or a new version, by its common fields or as JSON, checked while one types."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from evidence_app.forms.specs import EMPTY, DocumentForm, SpecForm
from evidence_app.models import Run, TaskSpec, TaskSpecVersion
from evidence_app.models.run import RunStatus
from evidence_app.services import access, drafts, specs
from evidence_app.views.specs import named_version, writing_team
from recipes_app.forms.problems import show_refusal
from recipes_app.models import Team
from recipes_app.models.team import EDITORS
from recipes_app.services.errors import ServiceError
from recipes_app.views.allowed import allowed
from recipes_app.views.signed_in import SignedIn

Form = SpecForm | DocumentForm


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def spec_new(request: SignedIn) -> HttpResponse:
    team = writing_team(request)
    if team is None:
        return redirect("team_new")
    return written(request, team, None, None)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def spec_edit(request: SignedIn, pk: int) -> HttpResponse:
    """Begins with the newest version, with `?from=3` with that one, with `?run=…` with the one of that draft."""
    row = access.get_spec_for(request.user, pk, EDITORS)
    run = draft_of(request, row)
    start = run.version if run else named_version(list(row.versions.all()), request.GET.get("from", ""))
    return written(request, row.team, start, run)


@login_required
@require_POST
def spec_check(request: SignedIn) -> HttpResponse:
    """While one types: the problem of each field, to be put beside it. Nothing is saved."""
    team = writing_team(request)
    pk = request.POST.get("spec", "")
    row = TaskSpec.objects.filter(team=team, pk=pk).first() if pk.isdecimal() and len(pk) < 10 else None
    start = row.versions.filter(number=request.POST.get("base") or 0).first() if row else None
    form = form_of(way_of(request), start, request.POST)
    form.is_valid()
    return render(request, "evidence/_spec_check.html", {"form": form})


def draft_of(request: SignedIn, row: TaskSpec) -> Run | None:
    """The draft whose task is being edited."""
    public_id = request.GET.get("run", "")
    drafts_of = Run.objects.filter(status=RunStatus.DRAFT, version__spec=row).select_related("version", "team")
    return drafts_of.filter(public_id=public_id).first() if public_id else None


def way_of(request: SignedIn) -> str:
    return "json" if "json" in (request.GET.get("as"), request.POST.get("as")) else "form"


def form_of(way: str, start: TaskSpecVersion | None, data: Any) -> Form:
    kind: type[Form] = DocumentForm if way == "json" else SpecForm
    return kind(start.document if start else EMPTY, data, fixed_id=start.spec.task_id if start else "")


def written(request: SignedIn, team: Team, start: TaskSpecVersion | None, run: Run | None) -> HttpResponse:
    way = way_of(request)
    form = form_of(way, start, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid() and (then := _saved(request, team, form, run)):
        return redirect(then)
    context = {"team": team, "form": form, "way": way, "start": start, "run": run, **allowed(request.user, team)}
    return render(request, "evidence/spec_edit.html", context, status=422 if form.errors else 200)


def _saved(request: SignedIn, team: Team, form: Form, run: Run | None) -> str:
    """Where to go on; empty where the service refused, which the form says."""
    try:
        if run is not None:
            drafts.change_spec(run=run, by=request.user, document=form.written)
            messages.success(request, "The task is changed; the draft uses its newest version.")
            return reverse("run_detail", args=[run.public_id])
        version = specs.save(team=team, by=request.user, data=form.written)
    except ServiceError as error:
        show_refusal(form, error)
        return ""
    messages.success(request, f"{version.spec.task_id} stands as version {version.number}.")
    return reverse("spec_detail", args=[version.spec_id])
