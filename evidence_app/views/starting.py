"""A run of a task spec: its samples named, looked over with the cost, started."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from evidence_app.forms.planning import model_at_hand
from evidence_app.forms.starting import StartForm
from evidence_app.models import Run, TaskSpecVersion
from evidence_app.services import access, estimates, plans, runs, specs
from evidence_app.spec.shapes import TaskSpec
from recipes_app.forms.problems import show_refusal
from recipes_app.models.team import RUNNERS
from recipes_app.services.errors import ServiceError
from recipes_app.views.allowed import allowed
from recipes_app.views.live import is_poll
from recipes_app.views.signed_in import SignedIn

SHOWN = 5


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def run_start(request: SignedIn, pk: int) -> HttpResponse:
    """Asked by htmx, or by the button "Look", it says what would run; else it starts it."""
    row = access.get_spec_for(request.user, pk, RUNNERS)
    version = row.versions.select_related("spec__team").first()
    if version is None or row.archived_at is not None:
        messages.error(request, f"{row.task_id} is archived; save it again to run it.")
        return redirect("spec_detail", row.pk)
    spec = specs.spec_of(version)
    form = StartForm(spec, request.POST if request.method == "POST" else None, request.FILES or None)
    is_valid = request.method == "POST" and form.is_valid()
    context = {
        "row": row,
        "version": version,
        "form": form,
        "model": model_at_hand(),
        **allowed(request.user, row.team),
    }
    if is_poll(request):
        return render(request, "evidence/_preview.html", {**context, **preview(version, spec, form)})
    if is_valid and "look" not in request.POST and (run := _started(request, version, form)):
        return redirect("run_detail", run.public_id)
    shown = preview(version, spec, form) if request.method == "POST" else {}
    return render(request, "evidence/run_start.html", {**context, **shown}, status=422 if form.errors else 200)


def preview(version: TaskSpecVersion, spec: TaskSpec, form: StartForm) -> dict[str, Any]:
    """How many samples, the first of them, what they may cost; or every row that is wrong."""
    given = form.given
    if given is None:
        finds = form.is_bound and not form.errors and bool(form.cleaned_data.get("start_url"))
        return {"looked": True, "finds": finds, "problems": form.problems}
    count = len(given.samples)
    estimate = estimates.of_version(version, spec, count, budget=form.how.get("budget_tokens"))
    return {"looked": True, "count": count, "first": given.samples[:SHOWN], "estimate": estimate}


def _started(request: SignedIn, version: TaskSpecVersion, form: StartForm) -> Run | None:
    how = form.how
    try:
        if form.given is not None:
            return runs.request_run(version=version, samples=form.given.samples, by=request.user, **how)
        start_url = form.cleaned_data["start_url"]
        named = {name: how[name] for name in ("control", "period", "budget_tokens")}
        return plans.request_discovery(version=version, start_url=start_url, by=request.user, **named)
    except ServiceError as error:
        show_refusal(form, error)
        return None
