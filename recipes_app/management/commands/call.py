"""`./agentify call`: call a tool, of the database or straight from a registry file."""

from argparse import BooleanOptionalAction
from typing import Any

from django.core.management.base import CommandParser

from recipes_app.engine.errors import ArgumentsError
from recipes_app.management import from_file
from recipes_app.management.acting import find_site, find_tool, find_user
from recipes_app.management.command import AgentifyCommand
from recipes_app.management.files import parse_arguments
from recipes_app.management.given import add_words, take_words
from recipes_app.management.plain import Refused
from recipes_app.management.reach import allow_passing, open_private
from recipes_app.management.sessions import add_session, with_session
from recipes_app.management.work import working
from recipes_app.models import Call
from recipes_app.services import calls


class Command(AgentifyCommand):
    help = "Call a tool. The result goes to standard output as JSON; exit status 0 only if the call succeeded."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        add_words(parser, "site", "tool", tool="its name; alone after --file")
        parser.add_argument("--args", dest="arguments", default="{}", metavar="JSON", help='such as \'{"q": "lamp"}\'')
        add_session(parser)
        parser.add_argument("--queue", action="store_true", help="by the workers of ./agentify up, not in this process")
        parser.add_argument("--file", default="", metavar="REGISTRY", help="run it from this file, without a database")
        parser.add_argument(
            "--allow-private", action="store_true", help="the site's address is a private one, and mine"
        )
        parser.add_argument("--headless", action=BooleanOptionalAction, default=None, help="hide or show the browser")

    def run(self, options: dict[str, Any]) -> int:
        self.take_names(options)
        arguments = parse_arguments(options["arguments"])
        try:
            result = self.from_file(options, arguments) if options["file"] else self.from_database(options, arguments)
        except ArgumentsError as error:
            raise Refused("; ".join(error.problems)) from error
        self.show_json(result, on_one_line=options["json"])
        if result["ok"]:
            return 0
        self.say(f"{options['tool']} failed: {result.get('error', 'for an unknown reason')}")
        return 1

    def take_names(self, options: dict[str, Any]) -> None:
        """`--file` stands for the site: only the tool's name is left to give."""
        if not options["file"]:
            take_words(options, "site", "tool")
        elif options["site"]:
            raise Refused(f"--site {options['site']} and --file {options['file']}: give one of the two.")
        else:
            take_words(options, "tool")

    def from_database(self, options: dict[str, Any], arguments: dict[str, Any]) -> dict[str, Any]:
        self.prepare_database()
        user = find_user(options["username"])
        site = find_site(user, options["site"], options["team"])
        tool = find_tool(site, options["tool"])
        open_private(site, user, allowed=options["allow_private"], ask=self.ask)
        with working(self.say, queue=options["queue"], headless=options["headless"]) as work:
            with work.opening(), with_session(site, options):
                call = calls.request_call(recipe=tool, arguments=arguments, by=user, via="cli")
            work.finish([call.job])
        return result_of(Call.objects.select_related("job").get(pk=call.pk))

    def from_file(self, options: dict[str, Any], arguments: dict[str, Any]) -> dict[str, Any]:
        replay = from_file.prepare(options["file"], options["tool"], arguments, username=options["username"])
        allow_passing(replay.site, allowed=options["allow_private"], ask=self.ask)
        with working(self.say, headless=options["headless"]) as work:
            return replay.run(work)


def result_of(call: Call) -> dict[str, Any]:
    """What the replay brought, or why there was none."""
    return call.result or {"ok": False, "error": f"The job is {call.job.status}.", **(call.job.error or {})}
