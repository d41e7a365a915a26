"""A planned run before it is confirmed: looked over, changed, confirmed or discarded."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from evidence_app.forms.populations import RowsForm
from evidence_app.models import Run
from evidence_app.models.run import RunStatus
from evidence_app.services import access, drafts, estimates, runs
from evidence_app.services.specs import spec_of
from evidence_app.views.saying import spec_said
from recipes_app.models.team import RUNNERS
from recipes_app.services.errors import BadInput, ServiceError
from recipes_app.views.allowed import allowed
from recipes_app.views.signed_in import SignedIn, refusals_told

SHOWN = 500


def draft_context(run: Run) -> dict[str, Any]:
    """What a person looks at before it runs: the task in words, its samples, what it may cost."""
    if run.version is None:
        return {"mark": run.status}
    spec = spec_of(run.version)
    total = run.samples.count()
    return {
        "spec": spec,
        "said": spec_said(spec),
        "version": run.version,
        "total": total,
        "samples": list(run.samples.all()[:SHOWN]),
        "estimate": estimates.of_version(run.version, spec, total, budget=run.budget_tokens),
        "mark": run.status,
    }


@login_required
@require_POST
def run_confirm(request: SignedIn, public_id: str) -> HttpResponse:
    run = access.get_run_for(request.user, public_id)
    with refusals_told(request):
        runs.confirm(run=run, by=request.user)
        messages.success(request, "Confirmed. Its samples are given to the workers.")
    return redirect("run_detail", run.public_id)


@login_required
@require_POST
def run_discard(request: SignedIn, public_id: str) -> HttpResponse:
    run = access.get_run_for(request.user, public_id)
    with refusals_told(request):
        drafts.discard(run=run, by=request.user)
        messages.success(request, "Discarded. Nothing was run.")
    return redirect("evidence_home")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def draft_samples(request: SignedIn, public_id: str) -> HttpResponse:
    """Rows are changed, added, and left out by emptying them."""
    run = access.get_run_for(request.user, public_id, RUNNERS)
    if run.status != RunStatus.DRAFT or run.version is None:
        messages.error(request, f"{run.title} is not waiting to be confirmed; its samples stand.")
        return redirect("run_detail", run.public_id)
    data = request.POST if request.method == "POST" else None
    rows = RowsForm(run.samples.all(), data, schema=spec_of(run.version).input_schema)
    if data and _changed(request, run, rows):
        return redirect("run_detail", run.public_id)
    context = {"run": run, "rows": rows, **allowed(request.user, run.team)}
    return render(request, "evidence/draft_samples.html", context, status=422 if rows.problems else 200)


def _changed(request: SignedIn, run: Run, rows: RowsForm) -> bool:
    samples = rows.read()
    if samples is None:
        return False
    try:
        count = drafts.change_samples(run=run, by=request.user, samples=samples)
    except ServiceError as error:
        rows.problems = list(error.problems) if isinstance(error, BadInput) else [str(error)]
        return False
    messages.success(request, f"{count} sample{'' if count == 1 else 's'} now.")
    return True
