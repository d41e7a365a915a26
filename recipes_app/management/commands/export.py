"""`./agentify export`: the registry file of a site, its tools for other programs, or one as a script."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from recipes_app.management.acting import find_site, find_tool, find_user
from recipes_app.management.command import AgentifyCommand
from recipes_app.management.files import write_json, write_text
from recipes_app.management.given import add_words, take_words
from recipes_app.management.plain import Refused
from recipes_app.models import Site
from recipes_app.services import exports, interchange, recipes


class Command(AgentifyCommand):
    help = (
        "Write the registry file of a site, its published tools as recipes; or the same tools for OpenAI, for "
        "Anthropic, as an OpenAPI document or a Python module; or one tool as a Playwright script."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        add_words(parser, "site")
        parser.add_argument("--format", default="registry", choices=["registry", *exports.forms(), "playwright"])
        parser.add_argument("--tool", default="", metavar="NAME", help="which tool, for --format playwright")
        parser.add_argument("--out", default="-", metavar="FILE", help="default: standard output")

    def run(self, options: dict[str, Any]) -> int:
        take_words(options, "site")
        self.prepare_database()
        site = find_site(find_user(options["username"]), options["site"], options["team"])
        if options["format"] == "playwright":
            return self.write_script(site, options)
        if options["tool"]:
            raise Refused("--tool is for --format playwright; the others hold all tools of their site.")
        if options["format"] != "registry":
            return self.write_out(exports.export(site=site, form=options["format"]).text, options)
        registry = recipes.export_registry(site=site)
        if options["out"] == "-":
            self.show_json(registry, on_one_line=options["json"])
        else:
            path = write_json(Path(options["out"]), registry)
            self.say(f"{len(registry['tools'])} tools written to {path}.")
        return 0

    def write_script(self, site: Site, options: dict[str, Any]) -> int:
        if not options["tool"]:
            raise Refused("name the --tool that becomes a script.")
        script = interchange.export_script(recipe=find_tool(site, options["tool"]))
        return self.write_out(script, options)

    def write_out(self, text: str, options: dict[str, Any]) -> int:
        if options["out"] == "-":
            self.stdout.write(text, ending="")
        else:
            what = options["tool"] or f"the tools of {options['site']}"
            self.say(f"{what} written to {write_text(Path(options['out']), text)}.")
        return 0
