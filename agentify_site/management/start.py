"""What `up` and `demo` share."""

import sys
from abc import ABC, abstractmethod
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandParser

from agentify_site.runtime.errors import RuntimeProblem
from agentify_site.runtime.terminal import say


class StartCommand(BaseCommand, ABC):
    """Turns a RuntimeProblem into its one line and exit status 1."""

    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, help="of the web application; default 8000 or the next free one")
        parser.add_argument("--host", default="127.0.0.1", help="to listen on; default 127.0.0.1")

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            status = self.run(options)
        except RuntimeProblem as problem:
            say(str(problem))
            status = 1
        sys.exit(status)

    @abstractmethod
    def run(self, options: dict[str, Any]) -> int:
        """Start everything and wait for its end; returns the exit status."""

    def migrate(self) -> None:
        call_command("migrate", interactive=False, verbosity=0, skip_checks=True)
