"""What the commands of the command line share: who acts, what is said where, and how they end.

Results go to standard output, everything else to standard error. Exit status: 0 success, 1 it was tried and failed or
there is no model to ask, 2 it could not be tried, 130 stopped at the keyboard.
"""

import json
import os
import subprocess
import sys
from abc import ABC, abstractmethod
from typing import Any

from django.conf import settings
from django.core.management.base import CommandParser
from django.db import OperationalError, ProgrammingError

from recipes_app.browser.errors import BrowserError
from recipes_app.engine.errors import EngineError
from recipes_app.llm.errors import ModelError
from recipes_app.management.plain import FAILED, REFUSED, STOPPED, PlainCommand, Refused
from recipes_app.models import Team
from recipes_app.services.errors import BadInput, ServiceError


class AgentifyCommand(PlainCommand, ABC):
    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--as", dest="username", default="", metavar="USERNAME", help="who acts")
        parser.add_argument("--team", default="", metavar="SLUG", help="in which team, where that is not clear")
        parser.add_argument("--json", action="store_true", help="the result as JSON on one line")

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            status = self.run(options)
        except Refused as refusal:
            self.say(self.with_the_command(refusal))
            status = REFUSED
        except (ServiceError, EngineError, BrowserError) as error:
            self.say(one_line(error))
            status = REFUSED
        except ModelError as error:  # no key, a price that makes no sense: by whichever command a model is asked
            self.say(one_line(error))
            status = FAILED
        except KeyboardInterrupt:
            self.say("stopped.")
            status = STOPPED
        if status:
            sys.exit(status)

    @abstractmethod
    def run(self, options: dict[str, Any]) -> int:
        """Does it; returns the exit status."""

    def show_json(self, value: Any, *, on_one_line: bool) -> None:
        indent = None if on_one_line else 2
        self.stdout.write(json.dumps(value, indent=indent, ensure_ascii=not self.speaks_unicode(), default=str))

    def speaks_unicode(self) -> bool:
        return "utf" in (getattr(self.stdout, "encoding", None) or "").lower().replace("-", "")

    def prepare_database(self) -> None:
        """The command line needs no installation step: tables that are missing are made."""
        try:
            Team.objects.exists()
        except (OperationalError, ProgrammingError) as error:
            if "no such" not in str(error) and isinstance(error, OperationalError):
                raise Refused(f"the database does not answer: {one_line(error)}") from error
            self.say("making the database.")
            self.migrate()

    def migrate(self) -> None:
        """In a process of its own: with all settings, of which this one may have loaded a part."""
        env = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
        command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "migrate", "--noinput", "-v0"]
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Refused(f"the database could not be made: {' '.join(done.stderr.split()).removeprefix('agentify: ')}")


def one_line(error: Exception) -> str:
    lines = error.problems if isinstance(error, BadInput) else str(error).splitlines()
    return "; ".join(line.strip() for line in lines if line.strip()) or type(error).__name__
