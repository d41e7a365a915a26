"""Bytes of evidence, for members of the team only: artifacts, and a run as table, summary and folder."""

from __future__ import annotations

import json

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, HttpResponseNotModified, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from evidence_app.models import Run
from evidence_app.models.review import ShownAs
from evidence_app.services import access, archives, output, sending, showing, tables
from evidence_app.services.sending import GUARDED, KEPT
from evidence_app.services.specs import spec_of
from evidence_app.spec.shapes import TaskSpec
from recipes_app.services import audit
from recipes_app.views.signed_in import SignedIn


@login_required
@require_safe
def artifact(request: SignedIn, pk: int) -> HttpResponseBase:
    row = access.get_artifact_for(request.user, pk)
    tag = sending.tag_of(row)
    # Of another person at the same browser the copy in its cache tells nothing.
    if request.headers.get("If-None-Match") == tag and showing.was_sent(row, request.user):
        return HttpResponseNotModified(headers={"ETag": tag, **GUARDED, **KEPT})
    response = sending.shown(row)
    how = ShownAs.SENT if row.media_type in sending.SHOWN else ShownAs.SAVED
    if request.method == "GET":
        showing.note(row=row, user=request.user, how=how)
    response.headers["Vary"] = "Cookie"  # what was kept for one person is not shown to the next without a word
    return response


@login_required
@require_safe
def run_table(request: SignedIn, public_id: str) -> HttpResponse:
    run = access.get_run_for(request.user, public_id)
    text = tables.combined_csv(run, _spec(run))
    return sending.saved_text(text, "text/csv; charset=utf-8", f"{run.folder}_combined.csv")


@login_required
@require_safe
def run_summary(request: SignedIn, public_id: str) -> HttpResponse:
    run = access.get_run_for(request.user, public_id)
    text = json.dumps(output.summary_of(run), ensure_ascii=False, indent=2) + "\n"
    return sending.saved_text(text, "application/json", f"{run.folder}_summary.json")


@login_required
@require_safe
def run_folder(request: SignedIn, public_id: str) -> StreamingHttpResponse:
    run = access.get_run_for(request.user, public_id)
    _spec(run)
    audit.record(run.team, request.user, "run.downloaded", f"run {run.public_id} {run.title}")
    name = content_disposition_header(True, f"{run.folder}.zip") or "attachment"
    headers = {**GUARDED, "Content-Disposition": name}
    return StreamingHttpResponse(archives.zipped(run), content_type="application/zip", headers=headers)


def _spec(run: Run) -> TaskSpec:
    """A run that is still being planned has nothing to save."""
    if run.version is None:
        raise Http404
    return spec_of(run.version)
