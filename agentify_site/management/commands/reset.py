"""`./agentify reset`: take data out again, after asking."""

import shutil
import sys
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.db import connection

from agentify_site.leftovers import counted, described
from agentify_site.runtime.running import is_running
from evidence_app.models import Run
from recipes_app.management.acting import known
from recipes_app.management.plain import REFUSED, PlainCommand
from recipes_app.models import Call, Recipe, Site, User
from recipes_app.services import removal
from recipes_app.services.errors import ServiceError

KEPT = "The demo's data is gone, but for {} that collected evidence: its history is never removed."


class Command(PlainCommand):
    help = "Remove the demo's data; or one site with its tools and calls; or everything. Says what, and asks first."

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
        teams = list(removal.demo_teams()) if has_tables() else []
        users = list(removal.demo_users()) if has_tables() else []
        if not (teams or users):
            self.show("There is no demo data.")
            return
        names = ", ".join(user.username for user in users) or "none"
        self.confirm("; ".join([*described(teams), f"the demo's accounts: {names}"]), asked)
        kept = len(teams) - removal.remove_demo()
        self.show("The demo's data is gone." if not kept else KEPT.format(counted(kept, "team")))

    def remove_site(self, slug: str, team: str | None, *, asked: bool) -> None:
        site = one_site(slug, team)
        goes = removal.what_goes(site)
        counts = ", ".join(
            counted(number, name.removesuffix("s")) for name, number in goes.items() if name != "running"
        )
        self.confirm(f"the site {site.name} of {site.team} ({site.base_url}) with {counts}", asked)
        try:
            removal.remove_site(site=site)
        except ServiceError as refusal:
            raise refused(str(refusal)) from refusal
        self.show(f"{site.name} is gone.")

    def remove_everything(self, *, asked: bool) -> None:
        if is_running(settings.VAR_DIR):
            raise refused("Agentify is running on this folder: end it with Ctrl-C first.")
        if connection.vendor != "sqlite":
            raise refused("The database is not in that folder: drop it with its own tools, such as dropdb.")
        self.confirm(f"the whole of {settings.VAR_DIR}, with {everything()}", asked)
        connection.close()
        shutil.rmtree(settings.VAR_DIR)
        self.show("Everything is gone; the next use starts afresh.")

    def confirm(self, what: str, asked: bool) -> None:
        """Says what would go, whoever listens; anything but yes ends the command with nothing done."""
        self.say(f"to be removed: {what}.")
        if asked:
            return
        if not sys.stdin.isatty():
            raise refused("Nothing was removed, as nobody can be asked here: --yes removes it.")
        try:
            answer = self.ask("Remove it? [yes/NO] ")
        except EOFError:
            answer = ""
        if answer.strip().lower() not in ("y", "yes"):
            raise refused("Nothing was removed.")


def refused(line: str) -> CommandError:
    return CommandError(line, returncode=REFUSED)


def everything() -> str:
    """What a person would miss, counted."""
    if not has_tables():
        return "no data yet"
    rows = (("site", Site), ("tool", Recipe), ("call", Call), ("evidence run", Run), ("account", User))
    return ", ".join(counted(model._default_manager.count(), name) for name, model in rows)


def one_site(slug: str, team: str | None) -> Site:
    if not has_tables():
        raise refused("There is no data yet.")
    found = list(Site.objects.filter(slug=slug, **({"team__slug": team} if team else {})).select_related("team"))
    if not found:
        raise refused(f"There is no site {slug}{known(Site.objects.values_list('slug', flat=True))}")
    if len(found) > 1:
        raise refused(f"Several teams have a site {slug}: name one with --team{known(s.team.slug for s in found)}")
    return found[0]


def has_tables() -> bool:
    return Site._meta.db_table in connection.introspection.table_names()
