"""`./agentify reset`: take data out again, after asking."""

import shutil
import sys
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from agentify_site.runtime.running import is_running
from agentify_site.runtime.terminal import show
from recipes_app.models import Site
from recipes_app.services import removal
from recipes_app.services.errors import ServiceError


class Command(BaseCommand):
    help = "Remove the demo's data; or one site with its tools and calls; or everything. Asks first."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        what = parser.add_mutually_exclusive_group()
        what.add_argument("--site", metavar="SLUG", help="remove this site, its tools, calls and pictures")
        what.add_argument("--everything", action="store_true", help="remove the whole folder of data")
        parser.add_argument("--team", metavar="SLUG", help="whose site, where two teams have one of that name")
        parser.add_argument("--yes", action="store_true", help="do not ask")

    def handle(self, *_args: Any, **options: Any) -> None:
        if options["everything"]:
            return self.remove_everything(asked=options["yes"])
        if options["site"]:
            return self.remove_site(options["site"], options["team"], asked=options["yes"])
        return self.remove_demo(asked=options["yes"])

    def remove_demo(self, *, asked: bool) -> None:
        if not has_tables() or not (removal.demo_teams() or removal.demo_users()):
            show("There is no demo data.")
            return
        confirm("Remove the demo's team, its practice site, tools, calls and accounts?", asked)
        removal.remove_demo()
        show("The demo's data is gone.")

    def remove_site(self, slug: str, team: str | None, *, asked: bool) -> None:
        site = one_site(slug, team)
        counts = f"{site.recipes.count()} tools, {site.mappings.count()} mappings"
        confirm(f"Remove the site {site.name} of {site.team} ({counts}, and all calls)?", asked)
        try:
            removal.remove_site(site=site)
        except ServiceError as refusal:
            raise CommandError(str(refusal)) from refusal
        show(f"{site.name} is gone.")

    def remove_everything(self, *, asked: bool) -> None:
        if is_running(settings.VAR_DIR):
            raise CommandError("Agentify is running on this folder: end it with Ctrl-C first.")
        confirm(f"Remove all sites, tools, calls, pictures and accounts: the whole of {settings.VAR_DIR}?", asked)
        if connection.vendor != "sqlite":
            raise CommandError("The database is not in that folder: drop it with its own tools, such as dropdb.")
        connection.close()
        shutil.rmtree(settings.VAR_DIR)
        show("Everything is gone; the next use starts afresh.")


def confirm(question: str, asked: bool) -> None:
    """Ask on the terminal; anything but yes ends the command with nothing done."""
    if asked:
        return
    try:
        answer = input(f"{question} [yes/NO] ") if sys.stdin.isatty() else ""
    except EOFError:
        answer = ""
    if answer.strip().lower() not in ("y", "yes"):
        raise CommandError("Nothing was removed. Answer yes, or give --yes where nobody can be asked.")


def one_site(slug: str, team: str | None) -> Site:
    if not has_tables():
        raise CommandError("There is no data yet.")
    found = list(Site.objects.filter(slug=slug, **({"team__slug": team} if team else {})).select_related("team"))
    if not found:
        known = ", ".join(sorted(set(Site.objects.values_list("slug", flat=True)))) or "none"
        raise CommandError(f"There is no site {slug}. Sites: {known}.")
    if len(found) > 1:
        teams = ", ".join(site.team.slug for site in found)
        raise CommandError(f"Several teams have a site {slug}: name one with --team ({teams}).")
    return found[0]


def has_tables() -> bool:
    return Site._meta.db_table in connection.introspection.table_names()
