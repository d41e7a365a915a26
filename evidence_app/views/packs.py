"""The packs of a run: those there are, one more, and their bytes."""

from __future__ import annotations

from hashlib import sha256

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_POST, require_safe

from evidence_app.bundle import verifier
from evidence_app.models import Run
from evidence_app.models.pack import Scope
from evidence_app.services import access, packs
from evidence_app.services.sending import GUARDED
from evidence_app.store.blobs import Missing
from recipes_app.services import access as teams
from recipes_app.views.live import fragment, mark_of
from recipes_app.views.signed_in import SignedIn, refusals_told


@login_required
@require_safe
def run_packs(request: SignedIn, public_id: str) -> HttpResponse:
    run = access.get_run_for(request.user, public_id)
    may_make = teams.can(request.user, run.team, packs.MAKERS)
    context = {"run": run, "scopes": Scope.choices, "may_make": may_make, **_listed(run)}
    return render(request, "evidence/packs.html", context)


@login_required
@require_safe
def run_packs_live(request: SignedIn, public_id: str) -> HttpResponse:
    context = _listed(access.get_run_for(request.user, public_id))
    return fragment(request, "evidence/_packs.html", context, str(context["mark"]))


@login_required
@require_POST
def pack_new(request: SignedIn, public_id: str) -> HttpResponse:
    run = access.get_run_for(request.user, public_id)
    scope = request.POST.get("scope", Scope.ALL)
    with refusals_told(request):
        packs.request(
            run=run,
            by=request.user,
            scope=scope if scope in Scope.values else Scope.ALL,
            withholds=request.POST.get("withholds") == "on",
        )
        messages.success(request, "The pack is being made. You may close this page: it waits for you here.")
    return redirect("run_packs", run.public_id)


@login_required
@require_safe
def pack_file(request: SignedIn, public_id: str) -> HttpResponseBase:
    pack = access.get_pack_for(request.user, public_id)
    try:
        file = packs.opened(pack, request.user)
    except Missing as error:
        raise Http404 from error
    response = FileResponse(file, content_type="application/zip")
    response.headers["Content-Length"] = str(pack.size)
    response.headers["Content-Disposition"] = content_disposition_header(True, pack.file_name) or "attachment"
    for name, value in GUARDED.items():
        response.headers[name] = value
    return response


@require_safe
def verify_program(_request: HttpRequest) -> HttpResponse:
    """verify.py, for everybody: the same bytes that lie in each pack of this version."""
    headers = {**GUARDED, "Content-Disposition": 'attachment; filename="verify.py"'}
    return HttpResponse(verifier.text(), content_type="text/x-python; charset=utf-8", headers=headers)


def _listed(run: Run) -> dict[str, object]:
    rows = list(packs.of_run(run))
    is_active = any(row.job is not None and row.job.is_active for row in rows)
    marks = [mark_of(row.job, row.built_at) if row.job else row.public_id for row in rows]
    mark = sha256(repr(marks).encode()).hexdigest()[:16]
    return {"run": run, "packs": rows, "active": is_active, "key": packs.key_of_ledger(), "mark": mark}
