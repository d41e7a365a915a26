"""What every page's left rail needs: the team, and what each place holds or waits for."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from recipes_app.models import Job, Proposal, Recipe, Site, Team
from recipes_app.models.job import JobStatus
from recipes_app.services import access

# name, url name, icon, beginnings of the paths that belong to it
PLACES = (
    ("Sites", "site_list", "sites", ("/sites/", "/mappings/", "/proposals/", "/recordings/")),
    ("Tools", "tool_list", "tools", ("/tools/", "/versions/", "/import/")),
    ("Calls", "call_list", "calls", ("/calls/",)),
    ("Jobs", "job_list", "jobs", ("/jobs/",)),
    ("Team", "team_current", "team", ("/team/", "/teams/")),
)


@dataclass(frozen=True)
class Entry:
    """One line of the rail: `count` is how many there are, `waits` how many want a person."""

    name: str
    url: str
    icon: str
    current: bool
    count: int | None = None
    waits: int = 0
    waits_for: str = ""


def rail(request: HttpRequest) -> dict[str, Any]:
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated or request.headers.get("HX-Request"):
        return {}
    team = access.current_team(request)
    role = access.role_in(user, team) if team else None
    entries = [entry(place, request.path, team) for place in PLACES]
    return {"rail": {"team": team, "role": role, "teams": access.teams_of(user), "entries": entries}}


def entry(place: tuple[str, str, str, tuple[str, ...]], path: str, team: Team | None) -> Entry:
    name, url_name, icon, beginnings = place
    return Entry(name, reverse(url_name), icon, path.startswith(beginnings), **numbers(name, team))


def numbers(name: str, team: Team | None) -> dict[str, Any]:
    if team is None:
        return {}
    match name:
        case "Sites":
            waiting = Proposal.objects.filter(site__team=team).undecided().count()
            return {"count": Site.objects.of(team).count(), "waits": waiting, "waits_for": "proposals to decide"}
        case "Tools":
            return {"count": Recipe.objects.of(team).published().count()}
        case "Jobs":
            running = Job.objects.of(team).filter(status=JobStatus.RUNNING).count()
            return {"count": running, "waits": 0}
        case _:
            return {}
