"""`./agentify collect-samples RUN`: one of the processes that `run-task` starts; collects until nothing waits."""

from argparse import BooleanOptionalAction
from typing import Any

from django.core.management.base import CommandParser

from evidence_app.management.crew import collect_waiting
from evidence_app.models import Run
from recipes_app import wiring
from recipes_app.jobs import running
from recipes_app.management.plain import PlainCommand, Refused


class Command(PlainCommand):
    help = "Collect the waiting samples of a run, one after the other, until none waits. run-task starts several."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("run", metavar="RUN")
        parser.add_argument("--headless", action=BooleanOptionalAction, default=None, help="hide or show the browser")

    def handle(self, *_args: Any, **options: Any) -> None:
        run = Run.objects.filter(public_id=options["run"]).first()
        if run is None:
            raise Refused(f"there is no run {options['run']}.")
        browser = wiring.started_browser(headless=options["headless"])
        try:
            collect_waiting(run, running.Place(running.new_name(), browser))
        finally:
            browser.stop()
