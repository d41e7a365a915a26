"""Parts of a page that follow a job: asked for again each second, answered only when something changed."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from recipes_app.models import Job


def mark_of(job: Job, *more: object) -> str:
    """Changes whenever the page would look different, elapsed time apart."""
    states = list(job.steps.values_list("state", flat=True))
    parts = (
        job.status, job.phase, job.note, job.done_count, job.total_count, job.cancel_requested_at, job.attempt,
        states, job.pictures.count(), *more,
    )  # fmt: skip
    return sha256(repr(parts).encode()).hexdigest()[:16]


def is_poll(request: HttpRequest) -> bool:
    return request.headers.get("HX-Request") == "true"


def fragment(request: HttpRequest, template: str, context: Mapping[str, Any], mark: str) -> HttpResponse:
    """204 leaves the page as it is: nothing flickers, and focus stays."""
    if request.GET.get("seen") == mark:
        return HttpResponse(status=204)
    return render(request, template, {**context, "mark": mark})


def go_to(url: str) -> HttpResponse:
    """Make the page that polls open another one."""
    return HttpResponse(headers={"HX-Redirect": url})
