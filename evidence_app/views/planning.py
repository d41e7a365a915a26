"""From a sentence to a run that is being planned."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from evidence_app.forms.planning import SentenceForm
from evidence_app.models import Run
from evidence_app.services import plans
from recipes_app.forms.problems import show_refusal
from recipes_app.models import Team
from recipes_app.models.team import RUNNERS
from recipes_app.services import access
from recipes_app.services.errors import ServiceError
from recipes_app.views.allowed import allowed
from recipes_app.views.signed_in import SignedIn


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def plan_start(request: SignedIn) -> HttpResponse:
    team = access.current_team(request)
    if team is None:
        return redirect("team_new")
    if not access.can(request.user, team, RUNNERS):
        raise PermissionDenied
    form = SentenceForm(request.POST if request.method == "POST" else None, initial=said_before(request, team))
    if request.method == "POST" and form.is_valid():
        run = _planned(request, team, form)
        if run is not None:
            return redirect("run_detail", run.public_id)
    context = {"team": team, "form": form, **allowed(request.user, team)}
    return render(request, "evidence/plan.html", context, status=422 if form.errors else 200)


def said_before(request: SignedIn, team: Team) -> dict[str, Any]:
    """Of a run that is to be planned again: what was asked for."""
    run = Run.objects.filter(team=team, public_id=request.GET.get("again", "")).first()
    return {"sentence": run.sentence, "control": run.control, "period": run.period} if run else {}


def _planned(request: SignedIn, team: Team, form: SentenceForm) -> Run | None:
    given = form.cleaned_data
    how: plans.How = {name: given[name] for name in ("control", "period", "budget_tokens")}  # type: ignore[assignment]
    if not form.model:
        form.add_error(None, "No model is set up: whoever runs this installation sets a key. Nothing was lost.")
        return None
    try:
        return plans.request_plan(team=team, by=request.user, sentence=given["sentence"], **how)
    except ServiceError as error:
        show_refusal(form, error)
        return None
