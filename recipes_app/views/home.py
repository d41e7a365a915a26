"""The first page: what to do first, later what waits."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from recipes_app.forms.sites import NewSiteForm
from recipes_app.models import Call, Mapping, Proposal, Recipe, Site, Team
from recipes_app.models.recipe import VersionStatus
from recipes_app.services import access
from recipes_app.services import sites as service
from recipes_app.views.allowed import allowed
from recipes_app.views.bundles import bundles, one_by_one
from recipes_app.views.rail import MORE, Badge
from recipes_app.views.signed_in import SignedIn
from recipes_app.views.waiting import newest_versions


@login_required
@require_safe
def home(request: SignedIn) -> HttpResponse:
    team = access.current_team(request)
    if team is None:
        return redirect("team_new")
    context = {"team": team, **allowed(request.user, team), **practice(team)}
    is_new = not Site.objects.of(team).filter(is_demo=False).exists() and not Recipe.objects.of(team).exists()
    if is_new and not elsewhere(team):
        return render(request, "home/first.html", {**context, "form": NewSiteForm()})
    return render(request, "home/home.html", {**context, **what_waits(team)})


def practice(team: Team) -> dict[str, object]:
    """The team's practice shop; or that it could try one, as it runs and the team has no site for it."""
    demo = service.practice_site(team) or Site.objects.of(team).filter(is_demo=True).first()
    return {"demo": demo, "practice_offered": demo is None and bool(service.practice_url())}


def what_waits(team: Team) -> dict[str, object]:
    undecided = Proposal.objects.filter(site__team=team).waiting()
    mappings = Mapping.objects.filter(proposals__in=undecided).select_related("site", "job").distinct()
    boards = [(mapping, undecided.filter(mapping=mapping).count()) for mapping in mappings[:5]]
    versions = newest_versions(team)
    return {
        "boards": boards,
        "to_publish": versions.filter(status=VersionStatus.PASSED)[:8],
        "to_verify": versions.filter(status=VersionStatus.DRAFT)[:8],
        "running": one_by_one(team).active().prefetch_related("model_uses")[:5],
        "bundles": [bundle for bundle in bundles(team, 0) if bundle.is_active],
        "calls": Call.objects.filter(job__team=team)
        .exclude(via="canary")
        .select_related("job__requested_by", "recipe__site")[:6],
        "elsewhere": elsewhere(team),
        "tool_count": Recipe.objects.of(team).published().count(),
    }


def elsewhere(team: Team) -> list[tuple[str, Badge]]:
    """What waits for a person in places of other applications: (address, how much of what)."""
    found = [(reverse(place.url_name), badge) for place in MORE for badge in place.badges(team)]
    return [(url, badge) for url, badge in found if badge.urgent and badge.number]
