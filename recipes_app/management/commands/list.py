"""`./agentify list`: the sites, or the tools of one."""

from typing import Any

from django.core.management.base import CommandParser

from recipes_app.management.acting import find_site, find_user
from recipes_app.management.command import AgentifyCommand
from recipes_app.management.given import add_words, take_words
from recipes_app.management.table import table
from recipes_app.models import Recipe, Site, User
from recipes_app.services import access

TOOL_COLUMNS = {"name": "tool", "side_effect": "effect", "parameters": "arguments", "description": "what it does"}
SITE_COLUMNS = {"slug": "site", "team": "team", "base_url": "address", "tools": "tools"}


class Command(AgentifyCommand):
    help = "List the sites, or the published tools of one site."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        add_words(parser, "site", site="its tools; otherwise the sites")

    def run(self, options: dict[str, Any]) -> int:
        take_words(options, "site", optional=("site",))
        self.prepare_database()
        user = find_user(options["username"])
        if options["site"]:
            site = find_site(user, options["site"], options["team"])
            rows, columns = tools_of(site), TOOL_COLUMNS
        else:
            rows, columns = sites_of(user, options["team"]), SITE_COLUMNS
        if options["json"]:
            self.show_json(rows, on_one_line=True)
        else:
            self.show_table(rows, columns)
        return 0

    def show_table(self, rows: list[dict[str, Any]], columns: dict[str, str]) -> None:
        """Headed by the names people know the columns by; nothing at all where there is nothing."""
        if not rows:
            self.say("nothing yet: ./agentify map URL makes tools of a website.")
            return
        for line in table(list(columns.values()), [[plain(row[key]) for key in columns] for row in rows]):
            self.show(line)


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
            "side_effect": version.effect,
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
