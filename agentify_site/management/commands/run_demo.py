"""The part of `./agentify demo` that runs once everything is up; `demo` starts it."""

import sys
from typing import Any

from django.conf import settings
from django.core.management.base import CommandParser

from agentify_site.demo import Demo
from agentify_site.leftovers import find_leftovers
from recipes_app.management.plain import PlainCommand, Refused
from recipes_app.services.errors import ServiceError


class Command(PlainCommand):
    help = "Run the main job on the practice site against an installation that is up; `demo` calls this."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--once", action="store_true", help="nothing stays up afterwards")
        parser.add_argument("--fresh", action="store_true", help="replace also what people have worked in")
        parser.add_argument("--new-passwords", action="store_true", help="also for accounts of an earlier demo")

    def handle(self, *_args: Any, **options: Any) -> None:
        found = find_leftovers()
        if found and found.of_people and not options["fresh"]:
            raise Refused(f"people have worked in the last demo ({found}); --fresh replaces it.")
        demo = Demo(
            settings.PUBLIC_URL,
            f"http://127.0.0.1:{settings.PRACTICE_PORT}",
            once=options["once"],
            new_passwords=options["new_passwords"],
        )
        try:
            sys.exit(0 if demo.run() else 1)
        except ServiceError as refusal:
            raise Refused(str(refusal)) from refusal
