"""Whether the ledger is whole: a page for people, and the public key at a well-known address."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from evidence_app.services import integrity as service
from recipes_app.services import access
from recipes_app.views.signed_in import SignedIn


@login_required
@require_safe
def integrity(request: SignedIn) -> HttpResponse:
    if access.current_team(request) is None:
        return redirect("team_new")
    return render(request, "evidence/integrity.html", {"state": service.state_for_page()})


@require_safe
def well_known(_request: HttpRequest) -> JsonResponse:
    """For anybody: the key that signs, those before it, and the newest head. Nothing of what the ledger tells."""
    keys, head = service.public_keys(), service.published_head()
    told = {
        "keys": [{"name": key.name, "fingerprint": key.fingerprint, "verifier": key.text} for key in keys],
        "head": head.note if head else None,
    }
    return JsonResponse(told, headers={"Access-Control-Allow-Origin": "*", "Cache-Control": "no-cache"})
