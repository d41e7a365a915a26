"""`./agentify worker QUEUE`: run the jobs of one queue."""

from typing import Any

from django.conf import settings
from django.core.management.base import CommandParser

from recipes_app.jobs import worker
from recipes_app.management.plain import PlainCommand


class Command(PlainCommand):
    help = "Run the jobs of one queue until stopped by SIGTERM or Ctrl-C; a running job is finished first."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("queue", choices=settings.QUEUE_NAMES)
        parser.add_argument("--burst", action="store_true", help="end as soon as the queue is empty")

    def handle(self, *_args: Any, **options: Any) -> None:
        worker.work(options["queue"], burst=options["burst"])
