"""Bytes of evidence on their way out: what came from a site, or is a table of it, must not act in this one's name."""

from __future__ import annotations

from django.http import FileResponse, Http404, HttpResponse
from django.utils.http import content_disposition_header

from evidence_app.models import Artifact
from evidence_app.services import artifacts
from evidence_app.store.blobs import Missing

SHOWN = frozenset({"image/png", "image/jpeg", "image/webp", "image/gif"})
GUARDED = {"X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'; sandbox"}
KEPT = {"Cache-Control": "private, max-age=86400, immutable"}


def tag_of(row: Artifact) -> str:
    return f'"{row.sha256}"'


def shown(row: Artifact) -> FileResponse:
    """Pictures are shown; whatever else came out of a browser is only ever saved."""
    is_shown = row.media_type in SHOWN
    return _sent(row, row.media_type if is_shown else "application/octet-stream", is_saved=not is_shown)


def saved(row: Artifact) -> FileResponse:
    """For programs: to be saved, whatever it is, and called what it was when it came."""
    return _sent(row, row.media_type or "application/octet-stream", is_saved=True)


def saved_text(text: str, media_type: str, name: str) -> HttpResponse:
    headers = {**GUARDED, "Content-Disposition": content_disposition_header(True, name) or "attachment"}
    return HttpResponse(text, content_type=media_type, headers=headers)


def _sent(row: Artifact, media_type: str, *, is_saved: bool) -> FileResponse:
    if row.removed_at is not None:
        raise Http404(f"The bytes of {row.name} were deleted, as its task's retention says.")
    try:
        file = artifacts.blobs().open(row.sha256)
    except Missing as error:
        raise Http404(f"The file {row.name} is not there any more.") from error
    response = FileResponse(file, as_attachment=is_saved, filename=row.name, content_type=media_type)
    response.headers["Content-Length"] = str(row.size)
    for name, value in {"ETag": tag_of(row), **GUARDED, **KEPT}.items():
        response.headers[name] = value
    return response
