"""On whose behalf a command acts, and the rows it was asked for by name."""

import re
from collections.abc import Iterable

from django.db import transaction

from recipes_app.management.plain import Refused
from recipes_app.models import Membership, Recipe, Role, Site, Team, User
from recipes_app.services import access, people

LOCAL = "local"
MOST_NAMES = 12
SLUG = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,59}")


def find_user(username: str) -> User:
    """The named one; else the only superuser; else the first owner; else `local`, made with a team of its own."""
    if username:
        user = User.objects.filter(username=username, is_active=True).first()
        if user is None:
            raise Refused(f"there is no user {username}.")
        return user
    roots = list(User.objects.filter(is_superuser=True, is_active=True)[:2])
    if len(roots) == 1:
        return roots[0]
    owners = Membership.objects.filter(role=Role.OWNER, user__is_active=True).select_related("user").order_by("pk")
    first = owners.first()
    return first.user if first else (roots[0] if roots else make_local())


@transaction.atomic
def make_local() -> User:
    """Nobody can sign in as `local` until somebody sets it a password."""
    user, is_new = User.objects.get_or_create(username=LOCAL)
    if is_new:
        user.set_unusable_password()
        user.save(update_fields=["password"])
    return user


def find_team(user: User, slug: str) -> Team:
    """The named one, else the first this user belongs to, else a new one."""
    teams = access.teams_of(user)
    if slug:
        team = teams.filter(slug=slug).first()
        if team is None:
            raise Refused(f"there is no team {slug}{known(teams.values_list('slug', flat=True))}")
        return team
    return Team.objects.of(user).first() or teams.first() or people.create_team(name="Local", owner=user)


def find_site(user: User, slug: str, team_slug: str) -> Site:
    check_slug(slug, "site")
    teams = access.teams_of(user).filter(slug=team_slug) if team_slug else access.teams_of(user)
    reachable = Site.objects.filter(team__in=teams)
    found = list(reachable.filter(slug=slug).select_related("team"))
    if not found:
        raise Refused(f"there is no site {slug}{known(reachable.values_list('slug', flat=True))}")
    if len(found) > 1:
        names = sorted(site.team.slug for site in found)
        raise Refused(f"several teams have a site {slug}: name one with --team{known(names)}", add=f"--team {names[0]}")
    return found[0]


def find_tool(site: Site, name: str) -> Recipe:
    """A published tool of the site."""
    published = Recipe.objects.published().filter(site=site)
    tool = published.filter(name=name).select_related("site__team", "live_version").first()
    if tool is None:
        raise Refused(f"{site.slug} has no published tool {name}{known(published.values_list('name', flat=True))}")
    return tool


def check_slug(slug: str, noun: str) -> None:
    if not SLUG.fullmatch(slug):
        raise Refused(f"{slug!r} is no name of a {noun}: letters, digits, - and _ only.")


def known(names: Iterable[str]) -> str:
    """`; known: a, b.`, or with how many more there are."""
    each = sorted(set(names))
    shown = ", ".join(each[:MOST_NAMES])
    more = f" and {len(each) - MOST_NAMES} more" if len(each) > MOST_NAMES else ""
    return f"; known: {shown}{more}." if each else "."
