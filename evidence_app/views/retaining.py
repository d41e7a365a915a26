"""Retention: whose time is over, what waits for a second person, what holds stop, what has gone."""

from __future__ import annotations

from itertools import islice
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from evidence_app.forms.retaining import HoldForm, WordsForm
from evidence_app.models import Hold, Removal
from evidence_app.models.retention import Asked
from evidence_app.services import access, holds
from evidence_app.services import retention as evidence_retention
from recipes_app.forms.problems import show_refusal
from recipes_app.models import Team, User
from recipes_app.models.team import EDITORS, OWNERS, SIGNERS
from recipes_app.services import access as teams
from recipes_app.services.errors import ServiceError
from recipes_app.views.allowed import allowed
from recipes_app.views.signed_in import SignedIn, refusals_told

SHOWN = 50
DECIDED = {
    "approve": "Approved. The rows are blank now; the files go in the background.",
    "decline": "Declined. Everything stays.",
}


@login_required
@require_safe
def retention(request: SignedIn) -> HttpResponse:
    team = teams.current_team(request)
    if team is None:
        return redirect("team_new")
    return _page(request, team, HoldForm(team, about=request.GET.get("hold", "")))


@login_required
@require_POST
def removal_ask(request: SignedIn, public_id: str) -> HttpResponse:
    run = access.get_run_for(request.user, public_id)
    with refusals_told(request):
        evidence_retention.ask(run=run, by=request.user, words=_words(request))
        messages.success(request, "Asked. A reviewer or an owner who is not you decides.")
    return redirect("retention")


@login_required
@require_POST
def removal_decide(request: SignedIn, pk: int) -> HttpResponse:
    removal = access.get_removal_for(request.user, pk)
    decide = {"approve": evidence_retention.approve, "decline": evidence_retention.decline}
    with refusals_told(request):
        choice = "approve" if request.POST.get("decision") == "approve" else "decline"
        decide[choice](removal=removal, by=request.user, words=_words(request))
        said = (
            "Approved. The rows are blank now; the files go in the background." if choice == "approve" else "Declined."
        )
        messages.success(request, said)
    return redirect("retention")


@login_required
@require_POST
def hold_place(request: SignedIn) -> HttpResponse:
    team = teams.current_team(request)
    if team is None:
        return redirect("team_new")
    form = HoldForm(team, request.POST)
    if form.is_valid() and (hold := _placed(request, team, form)):
        messages.success(request, f"Nothing of {hold.what} is deleted until an owner lifts the hold.")
        return redirect("retention")
    return _page(request, team, form)


@login_required
@require_POST
def hold_lift(request: SignedIn, pk: int) -> HttpResponse:
    hold = access.get_hold_for(request.user, pk)
    with refusals_told(request):
        holds.lift(hold=hold, by=request.user, words=_words(request))
        messages.success(request, "Lifted. What is over its time may be deleted again.")
    return redirect("retention")


def _page(request: SignedIn, team: Team, form: HoldForm) -> HttpResponse:
    found = list(islice(evidence_retention.due(team), SHOWN + 1))
    of_team = Removal.objects.filter(run__team=team).select_related("run", "asked_by", "decided_by")
    context: dict[str, Any] = {
        "team": team,
        "due": found[:SHOWN],
        "more": len(found) > SHOWN,
        "waiting": [(row, _may_decide(row, request.user, team)) for row in of_team.filter(status=Asked.WAITING)],
        "decided": of_team.exclude(status=Asked.WAITING)[:SHOWN],
        "holds": holds.active(team).select_related("run", "spec", "placed_by"),
        "lifted": Hold.objects.filter(team=team, lifted_at__isnull=False).select_related("run", "spec")[:10],
        "form": form,
        "may_ask": teams.can(request.user, team, EDITORS),
        "may_hold": teams.can(request.user, team, holds.PLACERS),
        "may_lift": teams.can(request.user, team, OWNERS),
        **allowed(request.user, team),
    }
    return render(request, "evidence/retention.html", context, status=422 if form.errors else 200)


def _may_decide(removal: Removal, user: User, team: Team) -> bool:
    return removal.asked_by_id != user.pk and teams.can(user, team, SIGNERS)


def _words(request: SignedIn) -> str:
    form = WordsForm(request.POST)
    return form.cleaned_data["words"] if form.is_valid() else ""


def _placed(request: SignedIn, team: Team, form: HoldForm) -> Hold | None:
    try:
        return holds.place(team=team, by=request.user, words=form.cleaned_data["words"], **form.cleaned_data["about"])
    except ServiceError as error:
        show_refusal(form, error)
        return None
