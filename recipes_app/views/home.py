"""The first page: what to do first, later what waits."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from recipes_app.forms.sites import NewSiteForm
from recipes_app.models import Call, Job, Mapping, Proposal, Recipe, Site, Team
from recipes_app.services import access
from recipes_app.views.allowed import allowed
from recipes_app.views.signed_in import SignedIn


@login_required
@require_safe
def home(request: SignedIn) -> HttpResponse:
    team = access.current_team(request)
    if team is None:
        return redirect("team_new")
    context = {"team": team, **allowed(request.user, team)}
    demo = Site.objects.of(team).filter(is_demo=True).first()
    if not Site.objects.of(team).filter(is_demo=False).exists() and not Recipe.objects.of(team).exists():
        return render(request, "home/first.html", {**context, "form": NewSiteForm(), "demo": demo})
    return render(request, "home/home.html", {**context, **what_waits(team)})


def what_waits(team: Team) -> dict[str, object]:
    undecided = Proposal.objects.filter(site__team=team).undecided()
    mappings = Mapping.objects.filter(proposals__in=undecided).select_related("site", "job").distinct()
    boards = [(mapping, undecided.filter(mapping=mapping).count()) for mapping in mappings[:5]]
    verified = Recipe.objects.of(team).filter(versions__status="passed", live_version=None).select_related("site")
    return {
        "boards": boards,
        "to_publish": verified.distinct()[:8],
        "running": Job.objects.of(team).active()[:5],
        "calls": Call.objects.filter(job__team=team).select_related("job__requested_by", "recipe__site")[:6],
        "tool_count": Recipe.objects.of(team).published().count(),
    }
