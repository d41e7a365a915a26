"""Calls: the list, and one call as it runs and what it gave."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from recipes_app.models import Call, Recipe
from recipes_app.models.job import JobStatus
from recipes_app.services import access
from recipes_app.services.healings import can_be_healed
from recipes_app.views.allowed import allowed
from recipes_app.views.given import number_of
from recipes_app.views.live import fragment, mark_of
from recipes_app.views.rail import badges
from recipes_app.views.results import blocks
from recipes_app.views.signed_in import SignedIn

PAGE = 30


@login_required
@require_safe
def call_list(request: SignedIn) -> HttpResponse:
    team = access.current_team(request)
    if team is None:
        return redirect("team_new")
    calls = Call.objects.filter(job__team=team).select_related("job__requested_by", "recipe__site", "version")
    status = request.GET.get("status", "")
    if status in JobStatus.values:
        calls = calls.filter(job__status=status)
    if (tool := number_of(request.GET.get("tool", ""))) is not None:
        calls = calls.filter(recipe_id=tool)
    page = Paginator(calls, PAGE).get_page(request.GET.get("page"))
    context = {"page": page, "status": status, "statuses": JobStatus.choices, "tool": request.GET.get("tool", "")}
    return render(request, "calls/list.html", context)


@login_required
@require_safe
def call_detail(request: SignedIn, public_id: str) -> HttpResponse:
    call = access.get_call_for(request.user, public_id)
    return render(request, "calls/detail.html", {**call_context(call), **allowed(request.user, call.job.team)})


@login_required
@require_safe
def call_live(request: SignedIn, public_id: str) -> HttpResponse:
    """With what else on a page follows a call: the tool's last calls and the numbers of the rail."""
    call = access.get_call_for(request.user, public_id)
    context = {**call_context(call), **allowed(request.user, call.job.team)}
    context |= {"swap": True, "calls": last_calls(call.recipe), "badges": badges(call.job.team)}
    return fragment(request, "calls/_live.html", context, str(context["mark"]))


def last_calls(recipe: Recipe) -> QuerySet[Call]:
    """Canaries have their place under Health."""
    return recipe.calls.exclude(via="canary").select_related("job__requested_by", "recipe__site")[:8]


def call_context(call: Call) -> dict[str, Any]:
    result = call.result or {}
    return {
        "call": call,
        "job": call.job,
        "steps": list(call.job.steps.all()),
        "pictures": list(call.job.pictures.all()),
        "files": list(call.job.files.all()),
        "result": result,
        "blocks": blocks(partial(call)),
        "healable": can_be_healed(call),
        "mark": mark_of(call.job, bool(result)),
    }


def partial(call: Call) -> dict[str, Any]:
    """The data of the result; of a call that failed, what it had read by then."""
    result, error = call.result or {}, call.job.error or {}
    data = result.get("data") or result.get("partial") or error.get("partial") or {}
    return data if isinstance(data, dict) else {"result": data}
