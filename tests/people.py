"""Plain functions that make people, teams, sites and recipes for tests."""

from typing import Any

from recipes_app.engine.acting import SENDS_NOTHING
from recipes_app.engine.document import digest, parse_recipe
from recipes_app.models import Membership, Recipe, RecipeVersion, Role, Site, Team, User
from recipes_app.models.recipe import Origin, VersionStatus

PASSWORD = "correct horse battery"


def make_team(name: str = "Blue") -> Team:
    return Team.objects.create(name=name, slug=name.lower())


def make_user(name: str, team: Team | None = None, role: Role = Role.VIEWER, **fields: Any) -> User:
    user = User.objects.create_user(username=name, email=f"{name}@example.test", password=PASSWORD, **fields)
    if team:
        Membership.objects.create(team=team, user=user, role=role)
    return user


def make_site(team: Team, owner: User, base_url: str = "http://127.0.0.1:1/", slug: str = "shop") -> Site:
    host = base_url.split("://", 1)[1].split("/", 1)[0]
    return Site.objects.create(
        team=team, slug=slug, name=slug.title(), base_url=base_url, created_by=owner, private_hosts=[host]
    )


def make_published(site: Site, document: dict[str, Any], author: User) -> Recipe:
    """A published recipe with one verified version of this document."""
    parsed = parse_recipe(document)
    recipe = Recipe.objects.create(site=site, name=document["name"])
    version = RecipeVersion.objects.create(
        recipe=recipe,
        number=1,
        document=document,
        digest=digest(parsed),
        description=parsed.description,
        side_effect=parsed.side_effect,
        origin=Origin.IMPORTED,
        author=author,
        status=VersionStatus.PUBLISHED,
        verdict={"passed": True, "checks": [{"name": SENDS_NOTHING, "ok": True, "detail": ""}]},
    )
    recipe.live_version = version
    recipe.save(update_fields=["live_version"])
    return recipe
