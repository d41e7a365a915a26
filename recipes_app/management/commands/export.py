"""`./agentify export`: the registry file of a site."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from recipes_app.management.acting import find_site, find_user
from recipes_app.management.command import AgentifyCommand
from recipes_app.management.files import write_json
from recipes_app.management.given import add_words, take_words
from recipes_app.services import recipes


class Command(AgentifyCommand):
    help = "Write the registry file of a site: its published tools as recipes."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        add_words(parser, "site")
        parser.add_argument("--out", default="-", metavar="FILE", help="default: standard output")

    def run(self, options: dict[str, Any]) -> int:
        take_words(options, "site")
        self.prepare_database()
        site = find_site(find_user(options["username"]), options["site"], options["team"])
        registry = recipes.export_registry(site=site)
        if options["out"] == "-":
            self.show_json(registry, on_one_line=options["json"])
        else:
            path = write_json(Path(options["out"]), registry)
            self.say(f"{len(registry['tools'])} tools written to {path}.")
        return 0
