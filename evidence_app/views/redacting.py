"""A copy of a picture in which chosen places are black, and the exhibit with its band; both are files of their own."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from evidence_app.forms.redacting import RedactForm
from evidence_app.models import Artifact
from evidence_app.models.evidence import ArtifactKind
from evidence_app.services import access, derived
from recipes_app.forms.problems import show_refusal
from recipes_app.services import access as teams
from recipes_app.services.errors import ServiceError
from recipes_app.views.signed_in import SignedIn, refusals_told

COPIES = (ArtifactKind.REDACTED, ArtifactKind.STAMPED, ArtifactKind.DIFFERENCE)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def file_redact(request: SignedIn, pk: int) -> HttpResponse:
    row = _picture(request, pk)
    form = RedactForm(row, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid() and (made := _made(request, row, form)):
        messages.success(request, f"{made.name} was made. {row.name} itself is as it was.")
        return redirect("file_redact", row.pk)
    copies = row.derived.filter(kind__in=COPIES, removed_at=None).order_by("-pk")
    sample = row.attempt.sample
    context = {"row": row, "form": form, "copies": copies, "sample": sample, "run": sample.run}
    return render(request, "evidence/redact.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def file_stamp(request: SignedIn, pk: int) -> HttpResponse:
    row = _picture(request, pk)
    with refusals_told(request):
        made = derived.stamp(row=row, by=request.user)
        messages.success(request, f"{made.name} says where, when and for which sample the picture was taken.")
    return redirect("file_redact", row.pk)


def _picture(request: SignedIn, pk: int) -> Artifact:
    row = access.get_artifact_for(request.user, pk)
    if row.media_type not in derived.OF_PICTURES or row.removed_at is not None:
        raise Http404
    if not teams.can(request.user, row.attempt.sample.run.team, derived.MAKERS):
        raise PermissionDenied
    return row


def _made(request: SignedIn, row: Artifact, form: RedactForm) -> Artifact | None:
    try:
        return derived.redact(row=row, boxes=form.marked, by=request.user)
    except ServiceError as error:
        show_refusal(form, error)
        return None
