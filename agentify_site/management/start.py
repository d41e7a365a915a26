"""What `up` and `demo` share."""

import sys
from abc import ABC, abstractmethod
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core import checks
from django.core.management import call_command
from django.core.management.base import CommandParser

from agentify_site.runtime.errors import RuntimeProblem
from agentify_site.runtime.ports import first_free, is_free
from agentify_site.runtime.terminal import say
from recipes_app.management.plain import PlainCommand
from recipes_app.model_checks import MODELS
from recipes_app.models import Site


def refuse_nonsense() -> None:
    """Of settings that the start itself would not stumble over, and a job much later."""
    messages = checks.run_checks(tags=[MODELS])
    if wrong := [message.msg for message in messages if message.is_serious()]:
        raise RuntimeProblem(" ".join(wrong))
    for message in messages:
        say(f"{message.msg} {message.hint or ''}".strip())


class StartCommand(PlainCommand, ABC):
    """Turns a RuntimeProblem into its one line and exit status 1."""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, help="of the web application; default 8000 or the next free one")
        parser.add_argument("--host", default="127.0.0.1", help="to listen on; default 127.0.0.1")

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            refuse_nonsense()
            status = self.run(options)
        except RuntimeProblem as problem:
            say(str(problem))
            status = 1
        sys.exit(status)

    @abstractmethod
    def run(self, options: dict[str, Any]) -> int:
        """Start everything and wait for its end; returns the exit status."""

    def practice_port(self) -> int:
        """Where it was last, so that tools made of it go on working; else a free one."""
        last = Site.objects.filter(is_demo=True).order_by("-pk").first()
        port = urlsplit(last.base_url).port if last else None
        if port and is_free(port):
            return port
        found = first_free(settings.PRACTICE_PORT)
        if port and found != port:
            say(f"port {port} is taken: the practice shop is at {found}, and tools made of it at {port} do not work.")
        return found

    def migrate(self) -> None:
        call_command("migrate", interactive=False, verbosity=0, skip_checks=True)
