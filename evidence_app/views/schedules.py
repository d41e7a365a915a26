"""Runs that recur: listed, added, stopped."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from evidence_app.forms.schedules import ScheduleForm
from evidence_app.models import Schedule, TaskSpec
from evidence_app.services import access, schedules
from recipes_app.forms.problems import show_refusal
from recipes_app.models.team import RUNNERS
from recipes_app.services import access as teams
from recipes_app.services.errors import ServiceError
from recipes_app.views.allowed import allowed
from recipes_app.views.given import number_of
from recipes_app.views.signed_in import SignedIn, refusals_told


@login_required
@require_safe
def schedule_list(request: SignedIn) -> HttpResponse:
    team = teams.current_team(request)
    if team is None:
        return redirect("team_new")
    rows = Schedule.objects.filter(team=team).select_related("spec", "owner").order_by("-is_active", "next_at", "-pk")
    shown = [(row, schedules.may_stop(row, request.user), row.runs.first()) for row in rows[:200]]
    has_specs = TaskSpec.objects.filter(team=team, archived_at=None).exists()
    context = {"team": team, "rows": shown, "has_specs": has_specs, **allowed(request.user, team)}
    return render(request, "evidence/schedule_list.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def schedule_new(request: SignedIn) -> HttpResponse:
    team = teams.current_team(request)
    if team is None:
        return redirect("team_new")
    if not teams.can(request.user, team, RUNNERS):
        raise PermissionDenied
    if not TaskSpec.objects.filter(team=team, archived_at=None).exists():
        messages.info(request, "There is no task to schedule yet: write one first, or begin with a sentence.")
        return redirect("schedule_list")
    spec = TaskSpec.objects.filter(team=team, pk=number_of(request.GET.get("task", "")) or 0).first()
    form = ScheduleForm(team, request.POST or None, request.FILES or None, spec=spec)
    if request.method == "POST" and form.is_valid() and (row := _made(request, form)):
        messages.success(request, f"{row.spec.task_id} runs next on {row.next_at:%-d %b %Y at %H:%M} UTC.")
        return redirect("schedule_list")
    context = {"team": team, "form": form, "problems": form.problems, **allowed(request.user, team)}
    return render(request, "evidence/schedule_new.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def schedule_stop(request: SignedIn, pk: int) -> HttpResponse:
    row = access.get_schedule_for(request.user, pk)
    with refusals_told(request):
        schedules.stop(row=row, by=request.user)
        messages.success(request, "Stopped. Its runs stay.")
    return redirect("schedule_list")


def _made(request: SignedIn, form: ScheduleForm) -> Schedule | None:
    given = form.cleaned_data
    samples = form.given.samples if form.given else ()
    when = {name: str(given[name]) for name in ("cron", "time_zone", "period")}
    try:
        return schedules.schedule(spec=given["spec"], by=request.user, samples=samples, **when)
    except ServiceError as error:
        show_refusal(form, error)
        return None
