"""Every long job of the team, and the way to stop one."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Count
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST, require_safe

from recipes_app.models.job import JobQuerySet, JobStatus
from recipes_app.services import access, runs
from recipes_app.views.allowed import allowed
from recipes_app.views.bundles import BUNDLED, bundles, in_bundles, one_by_one
from recipes_app.views.live import fragment, is_poll
from recipes_app.views.signed_in import SignedIn, refusals_told

PAGE = 30
BUNDLES = 5


@login_required
@require_safe
def job_list(request: SignedIn) -> HttpResponse:
    team = access.current_team(request)
    if team is None:
        return redirect("team_new")
    status = request.GET.get("status", "")
    status = status if status in JobStatus.values else ""
    each = request.GET.get("each", "") if BUNDLED else ""  # whatever it says: the bundled ones, one by one
    jobs = in_bundles(team) if each else one_by_one(team)
    rows = jobs.select_related(
        "requested_by", "mapping", "recording", "call", "healing", "remote_browser", "login"
    ).prefetch_related("model_uses")
    page = Paginator(rows.filter(status=status) if status else rows, PAGE).get_page(request.GET.get("page"))
    moving = any(job.is_active for job in page)
    mark = "-".join(f"{job.pk}{job.status[:4]}{job.done_count}{job.phase}" for job in page if job.is_active)
    context = {"page": page, "status": status, "each": each, "moving": moving, "mark": mark}
    context |= allowed(request.user, team)
    if is_poll(request):
        return fragment(request, "jobs/_rows.html", context, mark)
    told = [] if each or status or page.number > 1 else bundles(team, BUNDLES)
    more = {"filters": filters(jobs), "bundles": told, "bundled": in_bundles(team).count()}
    return render(request, "jobs/list.html", {**context, **more})


def filters(jobs: JobQuerySet) -> list[tuple[str, str, int]]:
    """[(status, label, how many)], those that exist."""
    counts = dict(jobs.order_by().values_list("status").annotate(Count("pk")))
    rows = [(value, str(label), counts[value]) for value, label in JobStatus.choices if value in counts]
    return [("", "All", sum(counts.values())), *rows]


@login_required
@require_POST
def job_cancel(request: SignedIn, public_id: str) -> HttpResponse:
    """Whoever asked for the job may stop it, and so may the team's runners: the service says who."""
    job = access.get_job_for(request.user, public_id)
    with refusals_told(request):
        stopped = runs.request_cancel(job=job, by=request.user)
        if not stopped.is_active:  # of one that still runs the page says "stopping", and then how it ended
            messages.success(request, f"{job.title} is cancelled.")
    then = request.POST.get("next", "")
    here = url_has_allowed_host_and_scheme(then, {request.get_host()}, require_https=request.is_secure())
    return redirect(then if here else "job_list")
