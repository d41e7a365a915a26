"""`./agentify replay-log FILE`: what an agent did, done again step by step, without a model."""

from __future__ import annotations

from argparse import BooleanOptionalAction
from typing import Any

from django.conf import settings
from django.core.management.base import CommandParser

from evidence_app.management.asked import read_bytes
from evidence_app.spec.replaying import Replayed, from_log
from recipes_app import wiring
from recipes_app.browser.thread import Desk
from recipes_app.engine.errors import DocumentError
from recipes_app.engine.runner import Outcome, RunOptions, run
from recipes_app.management.command import AgentifyCommand
from recipes_app.management.plain import Refused
from recipes_app.management.reach import allow_passing, passing_site
from recipes_app.management.work import drive, working
from recipes_app.models import Site


class Command(AgentifyCommand):
    help = "Do again what an action_log.json tells, without a model. Exit status 0 only if every step worked."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("file", metavar="FILE", help="an action_log.json")
        parser.add_argument("--start-url", default="", metavar="URL", help="where it began; default: as the log has it")
        parser.add_argument("--yes", action="store_true", help="also where steps fill in or send something")
        parser.add_argument("--allow-private", action="store_true", help="the address is a private one, and mine")
        parser.add_argument("--headless", action=BooleanOptionalAction, default=None, help="hide or show the browser")

    def run(self, options: dict[str, Any]) -> int:
        replayed = self.read(options)
        if replayed.changes and not options["yes"]:
            ops = ", ".join(replayed.changes)
            raise Refused(f"the log has steps that may change something ({ops}).", add="--yes")
        site = passing_site(replayed.start_url, options["username"])
        allow_passing(site, allowed=options["allow_private"], ask=self.ask)
        with working(self.say, headless=options["headless"]) as work:
            outcome = drive(
                work.place().browser,
                lambda desk: replay(replayed, site, desk),
                deadline_s=settings.SAMPLE_DEADLINE_S,
                hear=work.tell,
            )
        result = outcome.as_result()
        self.show_json({**result, **(result.pop("error", None) or {})}, on_one_line=options["json"])
        return 0 if outcome.ok else 1

    def read(self, options: dict[str, Any]) -> Replayed:
        try:
            return from_log(read_bytes(options["file"]), start_url=options["start_url"])
        except DocumentError as error:
            raise Refused(f"{options['file']}: {error}") from error


def replay(replayed: Replayed, site: Site, desk: Desk) -> Outcome:
    with desk.session(wiring.context_options(site)) as session:
        return run(replayed.recipe, {}, session, emit=desk.emit, options=RunOptions(base_url=replayed.start_url))
