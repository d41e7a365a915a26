"""`./agentify import`: a registry file or a recording into a site, as draft versions."""  # noqa: N999 - the command is called so

from collections.abc import Iterable
from typing import Any

from django.core.management.base import CommandParser
from django.db import transaction

from recipes_app.engine.document import DocumentError, parse_registry
from recipes_app.formats.imported import Imported
from recipes_app.formats.recordings import REGISTRY, parse
from recipes_app.management.acting import check_slug, find_site, find_team, find_user
from recipes_app.management.command import AgentifyCommand, one_line
from recipes_app.management.files import text_of
from recipes_app.management.plain import Refused
from recipes_app.management.reach import web_address
from recipes_app.models import RecipeVersion, Site, User
from recipes_app.models.recipe import VersionStatus
from recipes_app.services import access, interchange, recipes, sites
from recipes_app.services.errors import BadInput


class Command(AgentifyCommand):
    help = (
        "Import a registry file, or a recording (Chrome DevTools Recorder, Selenium IDE, Playwright codegen jsonl). "
        "Its tools become drafts, published once they are verified or accepted."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("file", metavar="FILE", help="- is standard input")
        of_site = "made if there is none of that name; default: the site of the file's address"
        parser.add_argument("--site", "--name", dest="site", default="", metavar="SLUG", help=of_site)
        parser.add_argument("--as-tool", default="", metavar="NAME", help="of a recording: the name of the tool")
        parser.add_argument("--parametrize", action="store_true", help="of a recording: what was typed is a parameter")
        parser.add_argument(
            "--accept", default="", metavar="REASON", help="publish the tools unverified, for this reason"
        )

    def run(self, options: dict[str, Any]) -> int:
        kind, data = read_tools(options["file"])
        self.prepare_database()
        user = find_user(options["username"])
        before = set(Site.objects.values_list("pk", flat=True))
        try:
            versions, imported = bring_in(kind, data, user, options)
        except (BadInput, DocumentError) as error:
            raise Refused(f"{options['file']}: {one_line(error)}") from error
        for site in Site.objects.exclude(pk__in=before).select_related("team"):
            self.say(f"made the site {site.slug} of {site.base_url}, in the team {site.team}.")
        self.report(versions, imported, as_json=options["json"])
        return 0

    def report(self, versions: list[RecipeVersion], imported: Imported | None, *, as_json: bool) -> None:
        rows = [
            {
                "site": version.recipe.site.slug,
                "tool": version.recipe.name,
                "version": version.number,
                "status": version.status,
            }
            for version in versions
        ]
        if imported is not None:
            rows = [{**row, **remarks_of(imported)} for row in rows]
        if as_json:
            self.show_json(rows, on_one_line=True)
            return
        for remark in imported.report if imported else ():
            self.say(f"{remark.path}: {remark.message}" if remark.path else remark.message)
        for row in rows:
            self.show("{site}  {tool}  version {version}  {status}".format(**row))
        if any(version.status == VersionStatus.DRAFT for version in versions):
            self.say(
                "drafts are not called: verify and publish them on the tool's page, or import with --accept REASON."
            )


def remarks_of(imported: Imported) -> dict[str, Any]:
    report = [{"path": remark.path, "message": remark.message} for remark in imported.report]
    return {"complete": imported.complete, "report": report}


def read_tools(name: str) -> tuple[str, Any]:
    """(the format, told by the content; the content): a registry file, or a recording."""
    try:
        return parse(text_of(name))
    except (DocumentError, ValueError) as error:
        raise Refused(f"{name} is no JSON: {error}") from error


@transaction.atomic
def bring_in(kind: str, data: Any, user: User, options: dict[str, Any]) -> tuple[list[RecipeVersion], Imported | None]:
    """All of it, the site that had to be made included, or nothing."""
    imported: Imported | None = None
    if kind == REGISTRY:
        site = site_for(data, user, options) if options["site"] else None
        team = site.team if site else find_team(user, options["team"])
        versions = recipes.import_registry(team=team, by=user, data=data, site=site)
    else:
        if not options["site"]:
            raise Refused(f"a recording of {interchange.format_title(kind)} names no site: give --site SLUG.")
        site = find_site(user, options["site"], options["team"])
        wish = interchange.Wish(kind, options["as_tool"], options["parametrize"])
        version, imported = interchange.import_recording(site=site, by=user, data=data, wish=wish)
        versions = [version]
    if options["accept"]:
        accept(versions, user, options["accept"])
    return versions, imported


def site_for(data: Any, user: User, options: dict[str, Any]) -> Site:
    """The site of that name; else a new one for the address in the registry file."""
    slug = options["site"]
    check_slug(slug, "site")
    teams = access.teams_of(user).filter(**({"slug": options["team"]} if options["team"] else {}))
    if Site.objects.filter(team__in=teams, slug=slug).exists():
        return find_site(user, slug, options["team"])
    url = web_address(parse_registry(data).base_url)
    return sites.create_site(team=find_team(user, options["team"]), by=user, base_url=url, name=slug, slug=slug)


def accept(versions: Iterable[RecipeVersion], user: User, reason: str) -> None:
    """What is live already stays as it is."""
    for version in versions:
        if version.status in (VersionStatus.DRAFT, VersionStatus.FAILED):
            recipes.accept_unverified(version=version, by=user, reason=reason)
