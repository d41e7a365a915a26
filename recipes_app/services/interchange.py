"""Recordings of other programs in, as draft versions; published tools out, as scripts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any
from urllib.parse import urlsplit

from django.db import transaction

from recipes_app.engine.document import DocumentError
from recipes_app.engine.document import Recipe as Document
from recipes_app.formats.imported import Imported, Remark
from recipes_app.formats.playwright_py import write
from recipes_app.formats.recordings import TITLES, read_recording
from recipes_app.models import Recipe, RecipeVersion, Site, User
from recipes_app.models.recipe import Origin
from recipes_app.models.team import EDITORS
from recipes_app.services import access, audit
from recipes_app.services.errors import BadInput, NotAllowed, WrongState
from recipes_app.services.recipes import document_of, save_version


@dataclass(frozen=True, slots=True)
class Wish:
    """How a recording is taken in: `name` is the tool's, else it is made from the recording's title."""

    format: str
    name: str = ""
    parametrize: bool = False


@transaction.atomic
def import_recording(*, site: Site, by: User, data: Any, wish: Wish) -> tuple[RecipeVersion, Imported]:
    """A draft version of the tool, and what of the recording could not be carried over.

    BadInput names the place in the recording; a recording that is already a version adds none.
    """
    if not access.can(by, site.team, EDITORS):
        raise NotAllowed(f"Your role in {site.team} does not let you import tools.")
    try:
        imported = read_recording(data, wish.format, name=wish.name, parametrize=wish.parametrize)
    except DocumentError as error:
        raise BadInput({error.path: error.message}) from error
    imported = replace(imported, report=(*imported.report, *strangers(imported.recipe, site)))
    version = save_version(
        site=site,
        document=imported.recipe,
        author=by,
        origin=Origin.IMPORTED,
        examples=dict(imported.examples),
    )
    detail = {"format": wish.format, "remarks": len(imported.report), "complete": imported.complete}
    audit.record(site.team, by, "recording.imported", f"version {version.pk} {version}", **detail)
    return version, imported


def strangers(recipe: Document, site: Site) -> list[Remark]:
    """Pages of other hosts: a run reaches them only if the site's settings allow it."""
    addresses = {index: str(step.fields["url"]) for index, step in enumerate(recipe.steps) if step.op == "goto"}
    return [
        Remark(f"steps[{index}]", f"opens {urlsplit(url).netloc}, which the settings of {site.name} do not allow yet")
        for index, url in addresses.items()
        if urlsplit(url).netloc and not is_known(urlsplit(url).netloc.lower(), site)
    ]


def is_known(host: str, site: Site) -> bool:
    if host in {urlsplit(site.base_url).netloc.lower(), *site.private_hosts}:
        return True
    return any(fnmatchcase(host.partition(":")[0], pattern.lower()) for pattern in site.allowed_hosts)


def export_script(*, recipe: Recipe) -> str:
    """The live version as a Python script that runs without this application. WrongState when nothing is live."""
    if recipe.live_version is None:
        raise WrongState(f"{recipe.name} is not published, so there is nothing to export.")
    return write(document_of(recipe.live_version), base_url=recipe.site.base_url)


def format_title(name: str) -> str:
    return TITLES.get(name, name)
