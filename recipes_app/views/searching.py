"""The search box: sites, tools and jobs of the team by name."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.db.models import Q, QuerySet
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from recipes_app.models import Job, Recipe, Site, Team
from recipes_app.services import access
from recipes_app.views.given import words_of
from recipes_app.views.signed_in import SignedIn

MOST = 20
NEWEST = 20_000  # jobs that are looked through
OF_JOBS = ("title", "public_id")


@login_required
@require_safe
def search(request: SignedIn) -> HttpResponse:
    team = access.current_team(request)
    if team is None:
        return redirect("team_new")
    words = request.GET.get("q", "").replace("\0", "").strip()[:200]
    found = found_in(team, words) if words else {}
    return render(request, "search.html", {"q": words, "nothing": not any(found.values()), **found})


def found_in(team: Team, text: str) -> dict[str, list[Any]]:
    jobs = (
        Job.objects.of(team)
        .on_stage()
        .select_related("requested_by", "mapping", "recording", "call", "healing", "remote_browser", "login")
    )
    named = jobs.filter(public_id=text)
    recipes = Recipe.objects.of(team).select_related("site", "live_version").order_by("name", "pk")
    return {
        "sites": list(with_words(Site.objects.of(team), text, "name", "slug", "base_url")[:MOST]),
        "recipes": list(with_words(recipes, text, "name", "live_version__description")[:MOST]),
        "jobs": [*named, *with_words(newest(jobs).exclude(public_id=text), text, *OF_JOBS)[:MOST]],
    }


def newest(jobs: QuerySet[Job]) -> QuerySet[Job]:
    """Of hundreds of thousands the last ones; an older job is found by the whole of its id."""
    last = Job.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    return jobs.filter(pk__gt=last - NEWEST)


def with_words(rows: QuerySet[Any], text: str, *columns: str) -> QuerySet[Any]:
    """Those that have every word in one of the columns."""
    for word in words_of(text):
        anywhere = Q()
        for column in columns:
            anywhere |= Q(**{f"{column}__icontains": word})
        rows = rows.filter(anywhere)
    return rows
