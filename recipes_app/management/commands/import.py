"""`./agentify import`: a registry file into a site, as draft versions."""  # noqa: N999 - the command is called so

from collections.abc import Iterable
from typing import Any

from django.core.management.base import CommandParser

from recipes_app.management.acting import find_site, find_team, find_user
from recipes_app.management.command import AgentifyCommand
from recipes_app.management.files import read_json
from recipes_app.models import RecipeVersion, User
from recipes_app.models.recipe import VersionStatus
from recipes_app.services import recipes


class Command(AgentifyCommand):
    help = "Import a registry file. Its tools become drafts, published once they are verified or accepted."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("file", metavar="FILE", help="- is standard input")
        parser.add_argument("--site", default="", metavar="SLUG", help="default: the site of the file's address")
        parser.add_argument(
            "--accept", default="", metavar="REASON", help="publish the tools unverified, for this reason"
        )

    def run(self, options: dict[str, Any]) -> int:
        data = read_json(options["file"])
        self.prepare_database()
        user = find_user(options["username"])
        site = find_site(user, options["site"], options["team"]) if options["site"] else None
        team = site.team if site else find_team(user, options["team"])
        versions = recipes.import_registry(team=team, by=user, data=data, site=site)
        if options["accept"]:
            accept(versions, user, options["accept"])
        self.report(versions, as_json=options["json"])
        return 0

    def report(self, versions: list[RecipeVersion], *, as_json: bool) -> None:
        rows = [
            {
                "site": version.recipe.site.slug,
                "tool": version.recipe.name,
                "version": version.number,
                "status": version.status,
            }
            for version in versions
        ]
        if as_json:
            self.show_json(rows, on_one_line=True)
            return
        for row in rows:
            self.show("{site}  {tool}  version {version}  {status}".format(**row))
        if any(version.status == VersionStatus.DRAFT for version in versions):
            self.say(
                "drafts are not called: verify and publish them on the tool's page, or import with --accept REASON."
            )


def accept(versions: Iterable[RecipeVersion], user: User, reason: str) -> None:
    """What is live already stays as it is."""
    for version in versions:
        if version.status in (VersionStatus.DRAFT, VersionStatus.FAILED):
            recipes.accept_unverified(version=version, by=user, reason=reason)
