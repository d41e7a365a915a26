"""`./agentify bench`: the measurements of bench/, by name."""

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
        measured = self.measure(name, frame.Options(options["rounds"], tuple(options["only"]), self.say))
        for line in [frame.as_line(measured)] if options["json"] else frame.as_table(measured):
            self.show(line)

    def measure(self, name: str, options: frame.Options) -> dict[str, Any]:
        try:
            return frame.measure(name, options)
        except frame.NotReady as missing:
            raise Refused(str(missing)) from missing
