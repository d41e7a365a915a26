"""`./agentify demo`: everything up, and the main job run on the bundled practice site."""

import sys
from typing import Any

from django.conf import settings
from django.core.management.base import CommandParser

from agentify_site.management.start import StartCommand
from agentify_site.runtime.launcher import Plan, launch
from agentify_site.runtime.ports import first_free
from agentify_site.runtime.terminal import say


class Command(StartCommand):
    help = "Map the practice site, record, verify, publish and call its tools; then stay up until Ctrl-C."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--once", action="store_true", help="end after the last call: status 0 if all went well")

    def run(self, options: dict[str, Any]) -> int:
        errand = (sys.executable, str(settings.BASE_DIR / "manage.py"), "run_demo")
        plan = Plan(
            root=settings.BASE_DIR,
            var=settings.VAR_DIR,
            host=options["host"],
            port=options["port"],
            errand=(*errand, "--once") if options["once"] else errand,
            ends_with_errand=options["once"],
        )
        return launch(plan, prepare=self.prepare, announce=lambda address: say(f"up at {address}; running the demo."))

    def prepare(self) -> int:
        self.migrate()
        return first_free(settings.PRACTICE_PORT)
