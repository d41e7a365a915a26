"""The published tools of a site, as the programs of others meet them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings

from recipes_app.engine.parameters import secret_names
from recipes_app.formats.exports import FORMS
from recipes_app.formats.published import NO_PARAMETERS, PublishedSite, PublishedTool
from recipes_app.models import Recipe, Site
from recipes_app.services.errors import BadInput


@dataclass(frozen=True, slots=True)
class File:
    name: str
    text: str
    media_type: str


def published_tools(site: Site) -> tuple[PublishedTool, ...]:
    """In order of name."""
    rows = Recipe.objects.published().filter(site=site).select_related("live_version")
    return tuple(as_published(recipe, site.slug) for recipe in rows)


def as_published(recipe: Recipe, site: str) -> PublishedTool:
    version = recipe.live_version
    if version is None:
        raise ValueError(f"{recipe} is not published")
    parameters = version.document.get("parameters") or NO_PARAMETERS
    return PublishedTool(
        site=site,
        name=recipe.name,
        description=version.description,
        effect=version.effect,
        parameters=parameters,
        returns=version.document.get("returns"),
        version=version.number,
        hidden=frozenset(secret_names(parameters)),
    )


def export(*, site: Site, form: str) -> File:
    """`form` is one of `forms()`: BadInput says which there are."""
    if form not in FORMS:
        raise BadInput([f"there is no form {form}; there are: {', '.join(forms())}"])
    written = FORMS[form]
    published = PublishedSite(site.slug, site.name, site.base_url, settings.PUBLIC_URL, published_tools(site))
    stem = site.slug.replace("-", "_") if written.media_type == "text/x-python" else site.slug
    return File(stem + written.ending, written.write(published), written.media_type)


def forms() -> Sequence[str]:
    return list(FORMS)
