"""Registry files: the tools of a site as one JSON document, in and out."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from recipes_app.engine.document import Registry, dump_recipe, dump_registry, parse_registry
from recipes_app.engine.errors import DocumentError
from recipes_app.models import RecipeVersion, Site, Team, User
from recipes_app.models.recipe import Origin, Recipe
from recipes_app.models.team import EDITORS
from recipes_app.services import access, audit, sites
from recipes_app.services.errors import BadInput, NotAllowed
from recipes_app.services.recipes import document_of, save_version


@transaction.atomic
def import_registry(*, team: Team, by: User, data: Any, site: Site | None = None) -> list[RecipeVersion]:
    """All tools of the file as draft versions, or none; without `site`, into the team's site of that address.

    A tool that says what a version already says adds none.
    """
    if not access.can(by, team, EDITORS):
        raise NotAllowed(f"Your role in {team} does not let you import tools.")
    try:
        registry = parse_registry(data)
    except DocumentError as error:
        raise BadInput({error.path: error.message}) from error
    into = site or _site_of(registry, team, by)
    versions = [
        save_version(site=into, document=dump_recipe(tool), author=by, origin=Origin.IMPORTED)
        for tool in registry.tools
    ]
    audit.record(team, by, "registry.imported", f"site {into.slug}", tools=[tool.name for tool in registry.tools])
    return versions


def export_registry(*, site: Site) -> dict[str, Any]:
    """The live versions of the site's tools, in order of name."""
    live = Recipe.objects.published().filter(site=site).select_related("live_version__recipe")
    tools = [document_of(recipe.live_version) for recipe in live if recipe.live_version]
    newest = max((recipe.live_version.created_at for recipe in live if recipe.live_version), default=site.created_at)
    mapped_at = newest.isoformat(timespec="seconds").replace("+00:00", "Z")
    return dump_registry(Registry(site.slug, site.base_url, tools=tuple(tools), mapped_at=mapped_at))


def _site_of(registry: Registry, team: Team, by: User) -> Site:
    url = sites.normal_url(registry.base_url)
    found = Site.objects.of(team).filter(base_url=url).first()
    return found or sites.create_site(team=team, by=by, base_url=url, name=registry.site, slug=registry.site)
