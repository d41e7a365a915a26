"""`./agentify bench`: the measurements of bench/, by name."""

from collections.abc import Callable
from typing import Any

from django.core.management.base import CommandParser

from bench import frame
from recipes_app.management.plain import PlainCommand, Refused


class Command(PlainCommand):
    help = "Measure: without a name the list of benches; with one, its result as a table, or one line of JSON."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", nargs="?", help="of the bench")
        parser.add_argument("--json", action="store_true", help="print one JSON object, on the last line")
        parser.add_argument("--rounds", type=int, help="how often, or how many seeds; each bench has its own number")
        parser.add_argument("--samples", type=int, help="how many samples, of benches that collect evidence")
        parser.add_argument("--site", action="append", default=[], metavar="URL", help="an application to measure on")
        parser.add_argument("--only", action="append", default=[], metavar="PART", help="a part of it; may be repeated")

    def handle(self, *_args: Any, **options: Any) -> None:
        known = frame.benches()
        name = options["name"]
        if name is None:
            for each, words in known.items():
                self.show(f"{each:<12} {words}")
            return
        if name not in known:
            raise Refused(f"no bench is named {name}; there are {', '.join(known) or 'none'}.")
        if options["rounds"] is not None and options["rounds"] < 1:
            raise Refused("--rounds must be at least 1.")
        if options["samples"] is not None and options["samples"] < 1:
            raise Refused("--samples must be at least 1.")
        measured = self.measure(name, options_of(options, self.say))
        for line in [frame.as_line(measured)] if options["json"] else frame.as_table(measured):
            self.show(line)

    def measure(self, name: str, options: frame.Options) -> dict[str, Any]:
        try:
            return frame.measure(name, options)
        except frame.NotReady as missing:
            raise Refused(str(missing)) from missing


def options_of(given: dict[str, Any], tell: Callable[[str], None]) -> frame.Options:
    return frame.Options(
        given["rounds"], tuple(given["only"]), tell, samples=given["samples"], sites=tuple(given["site"])
    )
