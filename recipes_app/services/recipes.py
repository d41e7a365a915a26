"""Versions of recipes: saved once, judged, published by guarded UPDATE; registry files in and out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Max, OuterRef, Subquery
from django.utils import timezone

from recipes_app.engine.acting import SENDS_NOTHING
from recipes_app.engine.document import Recipe as Document
from recipes_app.engine.document import Registry, digest, dump_recipe, dump_registry, parse_recipe, parse_registry
from recipes_app.engine.errors import DocumentError
from recipes_app.engine.nesting import called_tools
from recipes_app.engine.plain_json import check_plain
from recipes_app.models import Recipe, RecipeVersion, Recording, Site, Team, User
from recipes_app.models.job import ACTIVE, JobKind
from recipes_app.models.recipe import Origin, SideEffect, VersionStatus, lowers
from recipes_app.models.team import EDITORS, RUNNERS
from recipes_app.services import access, announcements, audit, dispatch, sites
from recipes_app.services.errors import BadInput, NotAllowed, WrongState

KNOW_BETTER = "This one says it does less: tick that you know better; the audit log keeps it."
OPEN = (VersionStatus.DRAFT, VersionStatus.VERIFYING, VersionStatus.PASSED, VersionStatus.FAILED)


def document_of(version: RecipeVersion) -> Document:
    return parse_recipe(version.document, format=version.format)


def document_as_taken(version: RecipeVersion) -> Document:
    """To run: whatever is not believed to only read has the life of a step that writes."""
    document = document_of(version)
    return replace(document, side_effect=version.effect) if version.is_doubted else document


def callable_tools(document: Document, site: Site) -> dict[str, Document]:
    """What the op call may use in it: the live versions it names, and those they name in turn."""
    found: dict[str, Document] = {}
    wanted = set(called_tools(document))
    while wanted:
        live = Recipe.objects.published().filter(site=site, name__in=wanted).select_related("live_version__recipe")
        new = {recipe.name: document_as_taken(recipe.live_version) for recipe in live if recipe.live_version}
        found |= new
        wanted = {name for tool in new.values() for name in called_tools(tool)} - found.keys()
    return found


def published_tools(site: Site) -> dict[str, Document]:
    """The live version of each of its tools that only reads, by name."""
    live = Recipe.objects.published().filter(site=site, live_version__side_effect=SideEffect.READ)
    rows = live.select_related("live_version__recipe")
    return {recipe.name: document_as_taken(recipe.live_version) for recipe in rows if recipe.live_version}


@transaction.atomic
def save_version(
    *,
    site: Site,
    document: dict[str, Any] | Document,
    author: User,
    origin: str,
    examples: dict[str, Any] | None = None,
    verdict: dict[str, Any] | None = None,
) -> RecipeVersion:
    """The next numbered version of the recipe the document names; the version that says the same, if there is one.

    BadInput names the field that is wrong.
    """
    parsed = document if isinstance(document, Document) else _parsed(document)
    _fit_to_be_kept(parsed)
    Recipe.objects.get_or_create(site=site, name=parsed.name)
    recipe = Recipe.objects.select_for_update().get(site=site, name=parsed.name)
    version = recipe.versions.filter(digest=digest(parsed)).first()
    if version is None:
        version = _new_version(recipe, parsed, author, origin)
    if examples:
        RecipeVersion.objects.filter(pk=version.pk).update(examples=examples)
        version.examples = examples
    return set_verdict(version=version, verdict=verdict) if verdict is not None else version


@transaction.atomic
def set_verdict(*, version: RecipeVersion, verdict: dict[str, Any]) -> RecipeVersion:
    """What verification said: {"passed", "mode", "checks"}. A version that was published keeps its status."""
    after = VersionStatus.PASSED if verdict.get("passed") else VersionStatus.FAILED
    RecipeVersion.objects.filter(pk=version.pk).update(verdict=verdict)
    RecipeVersion.objects.filter(pk=version.pk, status__in=OPEN).update(status=after)
    version.refresh_from_db(fields=["verdict", "status"])
    return version


@transaction.atomic
def save_edited(
    *, site: Site, document: Document, by: User, examples: dict[str, Any] | None = None, relabel: bool = False
) -> tuple[RecipeVersion, bool]:
    """(a version a person wrote, whether it is new). One that says what a version says already makes none.

    Calling a tool less harmful than the version before needs `relabel`, which the audit log keeps: what is taken for
    reading is run again after a crash.
    """
    if not access.can(by, site.team, EDITORS):
        raise NotAllowed(f"Your role in {site.team} does not let you edit tools.")
    recipe = Recipe.objects.filter(site=site, name=document.name).select_related("live_version").first()
    before = (recipe.live_version or recipe.versions.first()) if recipe else None
    was = before.side_effect if before else document.side_effect
    lowered = lowers(was, document.side_effect)
    if lowered and not relabel:
        raise BadInput({"side_effect": f"So far this tool is {_label(was)}. {KNOW_BETTER}"})
    newest = recipe.versions.first() if recipe else None
    values = examples if examples is not None else (before.examples if before else None)
    version = save_version(site=site, document=document, author=by, origin=Origin.EDITED, examples=values)
    is_new = newest is None or version.number > newest.number
    if is_new:
        relabelled = {"label": version.side_effect, "was": was} if lowered else {}
        audit.record(site.team, by, "version.edited", f"version {version.pk} {version}", **relabelled)
    return version, is_new


@transaction.atomic
def publish_all(*, versions: Iterable[RecipeVersion], by: User) -> list[RecipeVersion]:
    """All of them or none."""
    return [publish(version=version, by=by) for version in versions]


def publishable(site: Site) -> list[RecipeVersion]:
    """Of each tool the newest version, where it has passed its verification and is not live."""
    newest = RecipeVersion.objects.filter(recipe=OuterRef("recipe")).order_by("-number").values("pk")[:1]
    rows = RecipeVersion.objects.filter(recipe__site=site, status=VersionStatus.PASSED, pk=Subquery(newest))
    return list(rows.select_related("recipe__site__team", "recipe__live_version").order_by("recipe__name"))


@transaction.atomic
def publish(*, version: RecipeVersion, by: User) -> RecipeVersion:
    """Make this the version that calls use. It must have passed its verification."""
    _require(by, version, EDITORS, "publish")
    if not (version.verdict or {}).get("passed"):
        raise WrongState(f"{version} has not passed a verification yet.")
    _go_live(version, by, before=VersionStatus.PASSED)
    audit.record(version.recipe.site.team, by, "version.published", f"version {version.pk} {version}")
    return version


@transaction.atomic
def accept_unverified(*, version: RecipeVersion, by: User, reason: str, only_reads: bool = False) -> RecipeVersion:
    """Publish a version as it is; the stated reason stands in its verdict and in the audit log.

    That it only reads is believed where the editor says so (`only_reads`).
    """
    _require(by, version, EDITORS, "publish")
    if not may_be_accepted(version):
        raise WrongState("Only imported versions, and those that just sent too much, can be published unverified.")
    if not reason.strip():
        raise BadInput({"reason": "Say why this version can be used without a verification."})
    check = {"name": f"accepted by {by}", "ok": True, "detail": reason.strip()}
    believed = [{"name": SENDS_NOTHING, "ok": True, "detail": f"said by {by}"}] if only_reads else []
    verdict = {"passed": True, "mode": "accepted", "checks": [check, *believed]}
    unjudged = RecipeVersion.objects.filter(pk=version.pk, status__in=(VersionStatus.DRAFT, VersionStatus.FAILED))
    if unjudged.update(verdict=verdict, status=VersionStatus.PASSED) != 1:
        raise WrongState(f"{version} is {version.get_status_display().lower()}.")
    version.refresh_from_db()
    _go_live(version, by, before=VersionStatus.PASSED)
    audit.record(
        version.recipe.site.team,
        by,
        "version.accepted_unverified",
        f"version {version.pk} {version}",
        reason=reason,
        only_reads=only_reads,
    )
    return version


def may_be_accepted(version: RecipeVersion) -> bool:
    """An imported version, or one of which a verification found nothing wrong but what it sends."""
    if version.status not in (VersionStatus.DRAFT, VersionStatus.FAILED):
        return False
    failed = {check["name"] for check in (version.verdict or {}).get("checks", ()) if not check["ok"]}
    return version.origin == Origin.IMPORTED or failed == {SENDS_NOTHING}


@transaction.atomic
def retire(*, recipe: Recipe, by: User) -> Recipe:
    """Take the tool out of use; its versions stay, and roll_back brings one of them back."""
    live = recipe.live_version
    if live is None:
        raise WrongState(f"{recipe.name} is not published.")
    _require(by, live, EDITORS, "retire a tool")
    _swap_live(recipe, live, None)
    audit.record(recipe.site.team, by, "recipe.retired", subject_of(recipe))
    return recipe


@transaction.atomic
def roll_back(*, recipe: Recipe, to_version: RecipeVersion, by: User) -> RecipeVersion:
    """Put a version that was live once back in its place."""
    if to_version.recipe_id != recipe.pk:
        raise BadInput([f"{to_version} is no version of {recipe.name}."])
    _require(by, to_version, EDITORS, "publish")
    _go_live(to_version, by, before=VersionStatus.RETIRED)
    audit.record(recipe.site.team, by, "recipe.rolled_back", subject_of(recipe), to=to_version.number)
    return to_version


@transaction.atomic
def request_verification(*, version: RecipeVersion, by: User) -> Recording:
    """A job that runs this version with its examples and other values, and sets its verdict."""
    _require(by, version, RUNNERS, "verify a version")
    if Recording.objects.filter(version=version, job__status__in=ACTIVE).exists():
        raise WrongState(f"{version} is being verified already.")
    RecipeVersion.objects.filter(pk=version.pk, status__in=OPEN).update(status=VersionStatus.VERIFYING)
    version.refresh_from_db(fields=["status"])
    job = dispatch.open_job(
        team=version.recipe.site.team,
        by=by,
        kind=JobKind.RECORD,
        title=f"Verify {version}",
        deadline_s=settings.RECORDING_DEADLINE_S,
    )
    return Recording.objects.create(job=job, version=version)


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
    versions = [save_version(site=into, document=tool, author=by, origin=Origin.IMPORTED) for tool in registry.tools]
    audit.record(team, by, "registry.imported", f"site {into.slug}", tools=[tool.name for tool in registry.tools])
    return versions


def export_registry(*, site: Site) -> dict[str, Any]:
    """The live versions of the site's tools, in order of name."""
    live = Recipe.objects.published().filter(site=site).select_related("live_version__recipe")
    tools = [document_of(recipe.live_version) for recipe in live if recipe.live_version]
    newest = max((recipe.live_version.created_at for recipe in live if recipe.live_version), default=site.created_at)
    mapped_at = newest.isoformat(timespec="seconds").replace("+00:00", "Z")
    newest_format = max((tool.format for tool in tools), default=2)
    return dump_registry(Registry(site.slug, site.base_url, tuple(tools), mapped_at, format=newest_format))


def subject_of(recipe: Recipe) -> str:
    """As the audit log names it."""
    return f"recipe {recipe.pk} {recipe.name}"[:120]


def _fit_to_be_kept(parsed: Document) -> None:
    """One made from a page may hold what no file could."""
    try:
        check_plain(dump_recipe(parsed))
    except DocumentError as error:
        raise BadInput({error.path: error.message}) from error


def _parsed(document: dict[str, Any]) -> Document:
    try:
        return parse_recipe(document)
    except DocumentError as error:
        raise BadInput({error.path: error.message}) from error


def _label(effect: str) -> str:
    return SideEffect(effect).label.lower()


def _new_version(recipe: Recipe, parsed: Document, author: User, origin: str) -> RecipeVersion:
    last = recipe.versions.aggregate(last=Max("number"))["last"] or 0
    return RecipeVersion.objects.create(
        recipe=recipe,
        number=last + 1,
        document=dump_recipe(parsed),
        format=parsed.format,
        digest=digest(parsed),
        description=parsed.description,
        side_effect=parsed.side_effect,
        origin=origin,
        author=author,
    )


def _go_live(version: RecipeVersion, by: User, *, before: VersionStatus) -> None:
    recipe = Recipe.objects.select_for_update().get(pk=version.recipe_id)
    now = timezone.now()
    ready = RecipeVersion.objects.filter(pk=version.pk, status=before)
    if ready.update(status=VersionStatus.PUBLISHED, published_at=now, published_by=by) != 1:
        raise WrongState(f"{version} is {version.get_status_display().lower()}, so it cannot be published.")
    _swap_live(recipe, recipe.live_version, version)
    version.refresh_from_db()
    announcements.version_published(version)


def _swap_live(recipe: Recipe, old: RecipeVersion | None, new: RecipeVersion | None) -> None:
    """Someone else's swap in between wins, and is not undone."""
    if Recipe.objects.filter(pk=recipe.pk, live_version=old).update(live_version=new) != 1:
        raise WrongState(f"Someone else has just changed which version of {recipe.name} is live.")
    if old is not None:
        RecipeVersion.objects.filter(pk=old.pk, status=VersionStatus.PUBLISHED).update(status=VersionStatus.RETIRED)
    recipe.live_version = new


def _require(by: User, version: RecipeVersion, need: frozenset[Any], what: str) -> None:
    team = version.recipe.site.team
    if not access.can(by, team, need):
        raise NotAllowed(f"Your role in {team} does not let you {what}.")


def _site_of(registry: Registry, team: Team, by: User) -> Site:
    url = sites.normal_url(registry.base_url)
    found = Site.objects.of(team).filter(base_url=url).first()
    return found or sites.create_site(team=team, by=by, base_url=url, name=registry.site, slug=registry.site)
