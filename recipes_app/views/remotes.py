"""A remote browser in the page: pictures out, input in, and the steps it has recorded so far."""

from __future__ import annotations

import json
import secrets
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from recipes_app.forms.problems import show_refusal
from recipes_app.forms.remotes import FinishForm, RecordForm
from recipes_app.models import RemoteBrowser
from recipes_app.models.job import JobStatus
from recipes_app.models.remote import RemotePurpose
from recipes_app.models.session import DEFAULT
from recipes_app.models.team import RUNNERS
from recipes_app.queues import Unreachable
from recipes_app.queues import remote as wire
from recipes_app.services import access
from recipes_app.services import remotes as service
from recipes_app.services.errors import ServiceError
from recipes_app.views.allowed import allowed
from recipes_app.views.live import fragment, go_to, mark_of
from recipes_app.views.signed_in import SignedIn, refusals_told

MAX_BODY = 100_000
AWAY = "Redis does not answer, so nothing reaches the browser. What was recorded is kept."


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def remote_start(request: SignedIn, pk: int) -> HttpResponse:
    site = access.get_site_for(request.user, pk, RUNNERS)
    form = RecordForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            remote = service.start(site=site, by=request.user, start_url=form.cleaned_data["start_url"])
        except ServiceError as error:
            show_refusal(form, error)
        else:
            return redirect("remote_detail", remote.pk)
    context = {"site": site, "form": form, **allowed(request.user, site.team)}
    return render(request, "remotes/start.html", context, status=422 if form.errors else 200)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def remote_detail(request: SignedIn, pk: int) -> HttpResponse:
    """POST makes the tool of it."""
    remote = access.get_remote_for(request.user, pk, RUNNERS if request.method == "POST" else None)
    if remote.purpose == RemotePurpose.SIGN_IN:
        return _sign_in_page(request, remote)
    form = FinishForm(request.POST if request.method == "POST" else None, initial={"name": service.name_for(remote)})
    if request.method == "POST" and form.is_valid():
        try:
            made = service.finish(remote=remote, by=request.user, wish=service.Wish(**form.cleaned_data))
        except Unreachable:
            form.add_error(None, AWAY)
        except ServiceError as error:
            show_refusal(form, error)
        else:
            return redirect(board_of(remote) if made else reverse("remote_detail", args=[pk]))
    context = {**live_context(remote), "form": form, **allowed(request.user, remote.site.team)}
    if context["may_run"]:
        # Before the first input: a picture asked for at the same moment would be told that somebody else drives.
        token_of(request, remote)
    return render(request, "remotes/detail.html", context, status=422 if form.errors else 200)


def _sign_in_page(request: SignedIn, remote: RemoteBrowser) -> HttpResponse:
    """POST: the person says that they are signed in."""
    if request.method == "POST":
        with refusals_told(request):
            try:
                service.signed_in(remote=remote, by=request.user)
            except Unreachable:
                messages.error(request, AWAY)
        return redirect("remote_detail", remote.pk)
    context = _sign_in_context(request, remote)
    if context["may_run"]:
        token_of(request, remote)
    return render(request, "remotes/sign_in.html", context)


def _sign_in_context(request: SignedIn, remote: RemoteBrowser) -> dict[str, Any]:
    """Whoever else looks sees how far it is, and nothing of the page."""
    context = {**live_context(remote), **allowed(request.user, remote.site.team)}
    is_mine = remote.may_be_seen_by(request.user.pk)
    return {**context, "is_mine": is_mine, "may_run": context["may_run"] and is_mine}


@login_required
@require_POST
def remote_sign_in(request: SignedIn, pk: int) -> HttpResponse:
    """A browser on the server in which somebody signs in themselves."""
    site = access.get_site_for(request.user, pk, RUNNERS)
    named = request.POST.get("session", "").strip() or DEFAULT
    where = ("login_new", pk)
    with refusals_told(request):
        remote = service.start(site=site, by=request.user, purpose=RemotePurpose.SIGN_IN, session=named)
        where = ("remote_detail", remote.pk)
    return redirect(*where)


@login_required
@require_safe
def remote_live(request: SignedIn, pk: int) -> HttpResponse:
    remote = access.get_remote_for(request.user, pk)
    if remote.proposal is not None:
        return go_to(board_of(remote))
    if remote.purpose == RemotePurpose.SIGN_IN:
        context = _sign_in_context(request, remote)
        return fragment(request, "remotes/_sign_in.html", context, str(context["mark"]))
    context = {**live_context(remote), **allowed(request.user, remote.site.team)}
    return fragment(request, "remotes/_live.html", context, str(context["mark"]))


@login_required
@require_safe
def remote_picture(request: SignedIn, pk: int) -> HttpResponse:
    """The newest picture if it is newer than `after`; its state, and who drives, in headers either way."""
    remote = access.get_stage_for(request.user, pk)
    after = request.GET.get("after", "0")
    name = remote.job.public_id
    if not remote.job.is_active:
        return told(204, {"status": remote.job.status, "next": next_page(remote)})
    try:
        picture = wire.newest(name, int(after) if after.isdecimal() else 0)
        token, label = wire.driver(name)
    except Unreachable:
        return told(503, {"status": remote.job.status, "said": AWAY})
    mine = bool(token) and token == request.session.get(token_key(remote))
    state: dict[str, Any] = {"status": remote.job.status, "driver": label, "mine": mine}
    if picture is None:
        return told(204, state)
    state |= {"number": picture.number, **json.loads(picture.state)}
    return told(200, state, picture.data) if picture.data else told(204, state)


@login_required
@require_POST
def remote_input(request: SignedIn, pk: int) -> HttpResponse:
    """`{"events": […]}`, in order. The first input of a page takes the wheel where nobody has it."""
    remote = access.get_stage_for(request.user, pk, RUNNERS)
    try:
        if len(request.body) > MAX_BODY:
            return JsonResponse({"error": "That is too much at once."}, status=413)
        events = json.loads(request.body)["events"]
    except (ValueError, KeyError, TypeError):
        return JsonResponse({"error": "That is no input."}, status=400)
    return answered(
        lambda: service.send(remote=remote, by=request.user, token=token_of(request, remote), events=events)
    )


@login_required
@require_POST
def remote_drive(request: SignedIn, pk: int) -> HttpResponse:
    """Take the wheel: from nobody, or from oneself in another window."""
    remote = access.get_stage_for(request.user, pk, RUNNERS)
    token = token_of(request, remote)
    return answered(lambda: service.may_drive(remote=remote, by=request.user, token=token, take=True))


@login_required
@require_POST
def remote_edit(request: SignedIn, pk: int) -> HttpResponse:
    """One change of what was recorded: a step left out, the last one undone, a parameter renamed or fixed."""
    remote = access.get_remote_for(request.user, pk, RUNNERS)
    number = request.POST.get("step", "")
    number_of = int(number) if number.isdecimal() else 0
    with refusals_told(request):
        match request.POST.get("action"):
            case "undo":
                service.undo(remote=remote, by=request.user)
            case "leave_out":
                service.leave_out(remote=remote, by=request.user, number=number_of)
            case "rename":
                service.rename(
                    remote=remote, by=request.user, number=number_of, name=request.POST.get("name", "").strip()
                )
            case "fix" | "free":
                fixed = request.POST.get("action") == "fix"
                service.fix(remote=remote, by=request.user, number=number_of, fixed=fixed)
    if request.headers.get("HX-Request") == "true":
        remote.refresh_from_db()
        context = {
            **live_context(remote),
            **allowed(request.user, remote.site.team),
            "told": messages.get_messages(request),
        }
        return render(request, "remotes/_live.html", context)
    return redirect("remote_detail", pk)


def live_context(remote: RemoteBrowser) -> dict[str, Any]:
    lines, job = service.lines_of(remote), remote.job
    is_finishing = bool(remote.sealed.get("finish")) and job.status == JobStatus.RUNNING
    return {
        "remote": remote,
        "site": remote.site,
        "job": job,
        "lines": lines,
        "ahead": service.ahead_of(job),
        "is_finishing": is_finishing,
        "mark": mark_of(job, [repr(line) for line in lines], is_finishing, service.ahead_of(job)),
    }


def board_of(remote: RemoteBrowser) -> str:
    remote.refresh_from_db()
    if remote.proposal is None:
        return reverse("site_detail", args=[remote.site_id])
    return f"{reverse('board', args=[remote.proposal.mapping_id])}?p={remote.proposal.pk}"


def next_page(remote: RemoteBrowser) -> str:
    """Where its page leads once the browser has ended."""
    return board_of(remote) if remote.proposal else reverse("remote_detail", args=[remote.pk])


def token_key(remote: RemoteBrowser) -> str:
    return f"remote-{remote.pk}"


def token_of(request: HttpRequest, remote: RemoteBrowser) -> str:
    key = token_key(remote)
    if key not in request.session:
        request.session[key] = secrets.token_urlsafe(16)
    return str(request.session[key])


def answered(do: Any) -> HttpResponse:
    try:
        do()
    except Unreachable:
        return JsonResponse({"error": AWAY}, status=503)
    except ServiceError as error:
        return JsonResponse({"error": str(error)}, status=409)
    return HttpResponse(status=204)


def told(status: int, state: dict[str, Any], data: bytes = b"") -> HttpResponse:
    response = HttpResponse(data, status=status, content_type="image/jpeg")
    response.headers["X-State"] = json.dumps(state)
    response.headers["Cache-Control"] = "no-store"
    response.headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return response
