"""The ledger's signed heads outside: where copies lie, who set a time under them, and backups that were put back."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from evidence_app.models import Restoration
from evidence_app.services import head_copies, timestamps
from recipes_app.services import access as teams
from recipes_app.views.signed_in import SignedIn


@login_required
@require_safe
def heads(request: SignedIn) -> HttpResponse:
    team = teams.current_team(request)
    if team is None:
        return redirect("team_new")
    context = {
        "places": head_copies.places(),
        "authorities": timestamps.authorities(),
        "restorations": Restoration.objects.select_related("asked_by", "decided_by")[:10],
    }
    return render(request, "evidence/heads.html", context)
