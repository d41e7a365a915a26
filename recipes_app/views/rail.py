"""What every page's left rail needs: the team, and what each place holds or waits for."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.template.defaultfilters import pluralize
from django.urls import reverse

from recipes_app.models import Proposal, Team
from recipes_app.models.recipe import VersionStatus
from recipes_app.services import access
from recipes_app.services.notices import unread
from recipes_app.views.bundles import one_by_one
from recipes_app.views.waiting import newest_versions

# name, url name, icon, beginnings of the paths that belong to it
PLACES = (
    ("Sites", "site_list", "sites", ("/sites/", "/mappings/", "/proposals/", "/recordings/", "/remote/")),
    ("Tools", "tool_list", "tools", ("/tools/", "/versions/", "/import/", "/healings/")),
    ("Calls", "call_list", "calls", ("/calls/",)),
    ("Jobs", "job_list", "jobs", ("/jobs/",)),
    ("Team", "team_current", "team", ("/team/", "/teams/")),
)


@dataclass(frozen=True)
class Badge:
    """A number with one meaning, said in `label`; nothing is shown for none."""

    place: str
    number: int
    label: str
    urgent: bool = False  # a person is waited for
    kind: str = ""  # tells several of one place apart


@dataclass(frozen=True)
class Place:
    """A place of another application, with what it counts."""

    name: str
    url_name: str
    icon: str
    beginnings: tuple[str, ...]
    badges: Callable[[Team], list[Badge]]


# Filled by applications above this one. Their places stand before the jobs.
MORE: list[Place] = []
BEFORE = "Jobs"


@dataclass(frozen=True)
class Entry:
    """One line of the rail."""

    name: str
    url: str
    icon: str
    current: bool
    badges: tuple[Badge, ...] = ()


def rail(request: HttpRequest) -> dict[str, Any]:
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated or request.headers.get("HX-Request"):
        return {}
    team = access.current_team(request)
    role = access.role_in(user, team) if team else None
    found = badges(team) if team else []
    here = current(request.path)
    entries = [
        Entry(
            name,
            reverse(url_name),
            icon,
            beginnings == here,
            tuple(badge for badge in found if badge.place == name),
        )
        for name, url_name, icon, beginnings in places()
    ]
    bell = unread(user, team).count() if team else 0
    return {"rail": {"team": team, "role": role, "teams": access.teams_of(user), "entries": entries, "bell": bell}}


def current(path: str) -> tuple[str, ...]:
    """The beginnings of the place this path belongs to: where several fit, of the longest."""
    fitting = [(len(begin), all_of) for *_, all_of in places() for begin in all_of if path.startswith(begin)]
    return max(fitting)[1] if fitting else ()


def places() -> list[tuple[str, str, str, tuple[str, ...]]]:
    """In the order of the rail."""
    at = next(index for index, place in enumerate(PLACES) if place[0] == BEFORE)
    more = [(each.name, each.url_name, each.icon, each.beginnings) for each in MORE]
    return [*PLACES[:at], *more, *PLACES[at:]]


def badges(team: Team) -> list[Badge]:
    """What waits in the team, for the rail and for parts of pages that keep it true."""
    undecided = Proposal.objects.filter(site__team=team).waiting().count()
    versions = newest_versions(team).filter(status__in=(VersionStatus.DRAFT, VersionStatus.PASSED)).count()
    active = one_by_one(team).active().count()
    return [
        Badge("Sites", undecided, f"proposal{pluralize(undecided)} to decide", urgent=True),
        Badge("Tools", versions, f"tool{pluralize(versions)} to verify or publish", urgent=True),
        Badge("Jobs", active, f"job{pluralize(active)} running or waiting"),
        *(badge for place in MORE for badge in place.badges(team)),
    ]
