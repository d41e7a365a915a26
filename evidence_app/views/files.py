"""Bytes of evidence, for members of the team only: artifacts, and a run as table, summary and folder."""

from __future__ import annotations

import json

from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404, HttpResponse, HttpResponseNotModified, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from evidence_app.models import Artifact, Run
from evidence_app.services import access, archives, artifacts, output, tables
from evidence_app.services.specs import spec_of
from evidence_app.spec.shapes import TaskSpec
from evidence_app.store.blobs import Missing
from recipes_app.views.signed_in import SignedIn

SHOWN = frozenset({"image/png", "image/jpeg", "image/webp", "image/gif"})
GUARDED = {"X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'; sandbox"}
KEPT = {"Cache-Control": "private, max-age=86400, immutable"}


@login_required
@require_safe
def artifact(request: SignedIn, pk: int) -> HttpResponseBase:
    """Pictures are shown; whatever else came out of a browser is only ever saved."""
    row = access.get_artifact_for(request.user, pk)
    tag = f'"{row.sha256}"'
    if request.headers.get("If-None-Match") == tag:
        return HttpResponseNotModified(headers={"ETag": tag, **GUARDED, **KEPT})
    response = _sent(row)
    for name, value in {"ETag": tag, **GUARDED, **KEPT}.items():
        response.headers[name] = value
    return response


def _sent(row: Artifact) -> FileResponse:
    if row.removed_at is not None:
        raise Http404
    try:
        file = artifacts.blobs().open(row.sha256)
    except Missing as error:
        raise Http404 from error
    is_shown = row.media_type in SHOWN
    response = FileResponse(file, content_type=row.media_type if is_shown else "application/octet-stream")
    response.headers["Content-Length"] = str(row.size)
    disposition = content_disposition_header(not is_shown, row.name)
    response.headers["Content-Disposition"] = disposition or "attachment"
    return response


@login_required
@require_safe
def run_table(request: SignedIn, public_id: str) -> HttpResponse:
    run = access.get_run_for(request.user, public_id)
    text = tables.combined_csv(run, _spec(run))
    return _saved(text, "text/csv; charset=utf-8", f"{run.folder}_combined.csv")


@login_required
@require_safe
def run_summary(request: SignedIn, public_id: str) -> HttpResponse:
    run = access.get_run_for(request.user, public_id)
    text = json.dumps(output.summary_of(run), ensure_ascii=False, indent=2) + "\n"
    return _saved(text, "application/json", f"{run.folder}_summary.json")


@login_required
@require_safe
def run_folder(request: SignedIn, public_id: str) -> StreamingHttpResponse:
    run = access.get_run_for(request.user, public_id)
    _spec(run)
    name = content_disposition_header(True, f"{run.folder}.zip") or "attachment"
    headers = {**GUARDED, "Content-Disposition": name}
    return StreamingHttpResponse(archives.zipped(run), content_type="application/zip", headers=headers)


def _spec(run: Run) -> TaskSpec:
    """A run that is still being planned has nothing to save."""
    if run.version is None:
        raise Http404
    return spec_of(run.version)


def _saved(text: str, media_type: str, name: str) -> HttpResponse:
    headers = {**GUARDED, "Content-Disposition": content_disposition_header(True, name) or "attachment"}
    return HttpResponse(text, content_type=media_type, headers=headers)
