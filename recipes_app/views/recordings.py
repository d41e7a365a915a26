"""A recording or verification, as it runs and what came of it."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from recipes_app.models import Recording
from recipes_app.services import access
from recipes_app.views.allowed import allowed
from recipes_app.views.live import fragment, mark_of
from recipes_app.views.parts import parts_of
from recipes_app.views.rail import badges
from recipes_app.views.signed_in import SignedIn


@login_required
@require_safe
def recording_detail(request: SignedIn, pk: int) -> HttpResponse:
    recording = access.get_recording_for(request.user, pk)
    context = {**recording_context(recording), **allowed(request.user, recording.job.team)}
    return render(request, "recordings/detail.html", context)


@login_required
@require_safe
def recording_live(request: SignedIn, pk: int) -> HttpResponse:
    recording = access.get_recording_for(request.user, pk)
    context = {**recording_context(recording), **allowed(request.user, recording.job.team)}
    context |= {"swap": True, "badges": badges(recording.job.team)}
    return fragment(request, "recordings/_live.html", context, str(context["mark"]))


def recording_context(recording: Recording) -> dict[str, Any]:
    version, proposal = recording.version, recording.proposal
    return {
        "recording": recording,
        "job": recording.job,
        "parts": parts_of(recording),
        "pictures": list(recording.job.pictures.all()),
        "version": version,
        "verdict": version.verdict if version else None,
        "mark": mark_of(recording.job, version and (version.pk, version.status), proposal and proposal.status),
    }
