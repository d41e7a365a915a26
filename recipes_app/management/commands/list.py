"""`./agentify list`: the sites, or the tools of one."""

from typing import Any

from django.core.management.base import CommandParser

from recipes_app.management.acting import find_site, find_user
from recipes_app.management.command import AgentifyCommand
from recipes_app.models import Recipe, Site, User
from recipes_app.services import access


class Command(AgentifyCommand):
    help = "List the sites, or the published tools of one site."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--site", default="", metavar="SLUG")

    def run(self, options: dict[str, Any]) -> int:
        self.prepare_database()
        user = find_user(options["username"])
        if options["site"]:
            site = find_site(user, options["site"], options["team"])
            rows, columns = tools_of(site), ("name", "side_effect", "parameters", "description")
        else:
            rows, columns = sites_of(user, options["team"]), ("slug", "team", "base_url", "tools")
        if options["json"]:
            self.show_json(rows, on_one_line=True)
        else:
            self.show_table(rows, columns)
        return 0

    def show_table(self, rows: list[dict[str, Any]], columns: tuple[str, ...]) -> None:
        if not rows:
            self.say("nothing yet: ./agentify map --url ADDRESS makes tools of a website.")
        cells = [[plain(row[column]) for column in columns] for row in rows]
        widths = [max(len(row[at]) for row in cells) if cells else 0 for at in range(len(columns))]
        for row in cells:
            self.show("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def sites_of(user: User, team: str) -> list[dict[str, Any]]:
    sites = Site.objects.filter(team__in=access.teams_of(user)).select_related("team")
    chosen = sites.filter(team__slug=team) if team else sites
    return [
        {
            "slug": site.slug,
            "name": site.name,
            "team": site.team.slug,
            "base_url": site.base_url,
            "tools": Recipe.objects.published().filter(site=site).count(),
        }
        for site in chosen
    ]


def tools_of(site: Site) -> list[dict[str, Any]]:
    published = Recipe.objects.published().filter(site=site).select_related("live_version")
    return [
        {
            "name": recipe.name,
            "description": version.description,
            "side_effect": version.side_effect,
            "parameters": version.document.get("parameters", {}),
            "version": version.number,
        }
        for recipe in published
        if (version := recipe.live_version)
    ]


def plain(value: Any) -> str:
    """A schema as the names of its parameters, the required ones with a star."""
    if not isinstance(value, dict):
        return " ".join(str(value).split())
    required = value.get("required", [])
    names = [f"{name}*" if name in required else name for name in value.get("properties", {})]
    return f"({', '.join(names)})"
