"""`./agentify demo`: everything up, and the main job run on the bundled practice site."""

import sys
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.core.management.base import CommandParser
from django.db import DatabaseError

from agentify_site.leftovers import Leftovers, find_leftovers
from agentify_site.management.start import StartCommand
from agentify_site.runtime.launcher import Plan, launch
from agentify_site.runtime.running import is_running
from agentify_site.runtime.terminal import say
from recipes_app.management.plain import Refused

IN_USE = "there is a demo already, and people have worked in it"
WAYS_OUT = "./agentify up starts it as it is, ./agentify demo --fresh replaces it."


class Command(StartCommand):
    help = "Map the practice site, record, verify, publish and call its tools; then stay up until Ctrl-C."
    replaces = False

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--once", action="store_true", help="end after the last call: status 0 if all went well")
        parser.add_argument(
            "--fresh",
            action="store_true",
            help="replace an earlier demo without asking, what people did in it included",
        )
        parser.add_argument("--new-passwords", action="store_true", help="also for accounts of an earlier demo")

    def run(self, options: dict[str, Any]) -> int:
        if not options["fresh"] and not is_running(settings.VAR_DIR):
            with suppress(DatabaseError):  # no tables yet, or old ones: `prepare` looks again
                self.replaces = self.may_replace(find_leftovers())
        self.replaces = self.replaces or options["fresh"]
        flags = [f"--{name.replace('_', '-')}" for name in ("once", "new_passwords") if options[name]]
        errand = (sys.executable, str(settings.BASE_DIR / "manage.py"), "run_demo", "--fresh", *flags)
        plan = Plan(
            root=settings.BASE_DIR,
            var=settings.VAR_DIR,
            host=options["host"],
            port=options["port"],
            errand=errand,
            ends_with_errand=options["once"],
        )
        return launch(plan, prepare=self.prepare, announce=lambda address: say(f"up at {address}; running the demo."))

    def may_replace(self, found: Leftovers | None) -> bool:
        """Whether a person has said so; what nobody has worked in is replaced without a word."""
        if found is None or not found.of_people:
            return False
        if not sys.stdin.isatty():
            raise Refused(f"{IN_USE} ({found}): {WAYS_OUT}")
        self.say(f"{IN_USE}. This would be removed: {found}.")
        try:
            answer = self.ask("Replace it? [yes/NO] ")
        except EOFError:
            answer = ""
        if answer.strip().lower() not in ("y", "yes"):
            raise Refused("nothing was removed: ./agentify up starts it as it is.")
        return True

    def prepare(self) -> int:
        self.migrate()
        found = find_leftovers()
        if found and found.of_people and not self.replaces:
            raise Refused(f"{IN_USE} ({found}): {WAYS_OUT}")
        return self.practice_port()
