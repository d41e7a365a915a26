"""Healing: a replacement for a lost element, as it is looked for, and decided by an editor."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from recipes_app.models import Healing
from recipes_app.models.healing import HealingStatus
from recipes_app.models.recipe import SideEffect
from recipes_app.models.team import EDITORS
from recipes_app.services import access
from recipes_app.services import healings as service
from recipes_app.services.errors import BadInput, ServiceError, WrongState
from recipes_app.views.allowed import allowed
from recipes_app.views.diffs import json_diff
from recipes_app.views.live import fragment, mark_of
from recipes_app.views.rail import badges
from recipes_app.views.signed_in import SignedIn


@login_required
@require_POST
def healing_start(request: SignedIn, pk: int) -> HttpResponse:
    """For a step of the live version; with `call`, for the one this call failed at."""
    recipe = access.get_recipe_for(request.user, pk, EDITORS)
    key = request.POST.get("call", "")
    call = access.get_call_for(request.user, key) if key else None
    path = request.POST.get("path") or str(((call.job.error if call else None) or {}).get("failed_step", ""))
    try:
        if recipe.live_version is None or (call is not None and call.recipe_id != recipe.pk):
            raise WrongState(f"{recipe.name} is not live, so there is nothing to mend.")
        healing = service.request_healing(version=recipe.live_version, path=path, by=request.user, call=call)
    except ServiceError as error:
        messages.error(request, str(error))
        return redirect("tool_detail", recipe.pk)
    return redirect("healing_detail", healing.pk)


@login_required
@require_safe
def healing_detail(request: SignedIn, pk: int) -> HttpResponse:
    healing = access.get_healing_for(request.user, pk)
    return healing_page(request, healing)


def healing_page(request: SignedIn, healing: Healing, **more: Any) -> HttpResponse:
    context = {**healing_context(healing), **allowed(request.user, healing.job.team), **more}
    return render(request, "healings/detail.html", context, status=422 if more else 200)


@login_required
@require_safe
def healing_live(request: SignedIn, pk: int) -> HttpResponse:
    healing = access.get_healing_for(request.user, pk)
    context = {**healing_context(healing), **allowed(request.user, healing.job.team)}
    context |= {"swap": True, "badges": badges(healing.job.team)}
    return fragment(request, "healings/_live.html", context, str(context["mark"]))


@login_required
@require_POST
def healing_accept(request: SignedIn, pk: int) -> HttpResponse:
    healing = access.get_healing_for(request.user, pk, EDITORS)
    try:
        version = service.accept(healing=healing, by=request.user)
    except ServiceError as error:
        messages.error(request, str(error))
        return redirect("healing_detail", pk)
    messages.success(request, f"{version} is made and is being verified; it can be published once it has passed.")
    recording = version.recordings.first()
    return redirect("recording_detail", recording.pk) if recording else redirect("tool_versions", version.recipe_id)


@login_required
@require_POST
def healing_reject(request: SignedIn, pk: int) -> HttpResponse:
    healing = access.get_healing_for(request.user, pk, EDITORS)
    reason = request.POST.get("reason", "")
    try:
        service.reject(healing=healing, by=request.user, reason=reason)
    except BadInput as error:
        return healing_page(request, healing, problem=error.by_path.get("reason", str(error)), reason=reason)
    except ServiceError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, "Rejected. The version stays as it is; your reason is kept.")
    return redirect("healing_detail", pk)


def healing_context(healing: Healing) -> dict[str, Any]:
    version = healing.version
    steps = list(healing.job.steps.all())
    return {
        "healing": healing,
        "job": healing.job,
        "version": version,
        "recipe": version.recipe,
        "steps": steps,
        "diff": json_diff(healing.old_target, healing.new_target) if healing.new_target else [],
        "open": healing.status == HealingStatus.PROPOSED,
        "really_submits": version.side_effect == SideEffect.WRITE,
        "mark": mark_of(healing.job, healing.status),
    }
