"""The part of `./agentify demo` that runs once everything is up; `demo` starts it."""

import sys
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from agentify_site.demo import Demo
from recipes_app.services.errors import ServiceError


class Command(BaseCommand):
    help = "Run the main job on the practice site against an installation that is up; `demo` calls this."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--once", action="store_true", help="nothing stays up afterwards")

    def handle(self, *_args: Any, **options: Any) -> None:
        demo = Demo(settings.PUBLIC_URL, f"http://127.0.0.1:{settings.PRACTICE_PORT}", once=options["once"])
        try:
            sys.exit(0 if demo.run() else 1)
        except ServiceError as refusal:
            raise CommandError(str(refusal)) from refusal
