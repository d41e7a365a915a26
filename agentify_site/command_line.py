"""From the words after `./agentify` to a command: with settings that load no more than it needs, and one line for
whatever goes wrong before or beside it."""

import difflib
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, NoReturn

from django.core.exceptions import ImproperlyConfigured
from django.core.management import ManagementUtility, get_commands
from django.core.management.base import BaseCommand, CommandError, CommandParser, OutputWrapper
from django.db import DatabaseError

from agentify_site.runtime.errors import RuntimeProblem
from agentify_site.runtime.terminal import say

FULL, QUICK = "agentify_site.settings", "agentify_site.quick_settings"
NEEDS_ROWS_ONLY = frozenset({"call", "crawl", "export", "import", "list"})
ELSEWHERE = frozenset({"--queue", "--headless", "--no-headless", "-h", "--help"})
MOST_WORDS_OF_A_SLIP = 3  # `call SITE` alone is refused
OLD_TABLES = "; ./agentify migrate brings it up to date"
FAILED, REFUSED, STOPPED = 1, 2, 130


def run(words: Sequence[str]) -> None:
    """`words` are those of sys.argv; ends the process where something is wrong."""
    try:
        try:
            execute(words)
        finally:
            sys.stdout.flush()
    except BrokenPipeError:  # `| head` has seen enough; what is left in our buffer must not be tried again
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(FAILED)


def execute(words: Sequence[str]) -> None:
    command = words[1] if len(words) > 1 else "help"
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", QUICK if command in NEEDS_ROWS_ONLY else FULL)
    try:
        if will_browse(words):
            start_browser()
        CommandLine(list(words)).execute()
    except (ImproperlyConfigured, RuntimeProblem) as problem:
        end(f"{first_line(problem)}.", REFUSED)
    except CommandError as error:  # of the parser of one of Django's own commands
        end(f"{str(error).removeprefix('Error: ').rstrip('.')}; ./agentify {command} --help shows more.", REFUSED)
    except DatabaseError as error:
        end(f"the database: {first_line(error)}{OLD_TABLES * is_of_old_tables(error)}.", REFUSED)
    except KeyboardInterrupt:
        end("stopped.", STOPPED)


def is_of_old_tables(error: DatabaseError) -> bool:
    return any(words in str(error) for words in ("no such", "does not exist", "has no column"))


def will_browse(words: Sequence[str]) -> bool:
    """A call done in this very process, in the usual kind of browser."""
    return words[1:2] == ["call"] and len(words) > MOST_WORDS_OF_A_SLIP and not ELSEWHERE.intersection(words)


def start_browser() -> None:
    """Chromium needs about as long as Django and all of ours to be there; so both at once."""
    settings = import_module(FULL)
    launch = import_module("recipes_app.browser.launch")
    options = launch.LaunchOptions(executable=settings.CHROMIUM_PATH or None, headless=settings.HEADLESS)
    import_module("recipes_app.browser.ahead").start(options)


class CommandLine(ManagementUtility):
    def fetch_command(self, subcommand: str) -> BaseCommand:
        if self.settings_exception is not None:
            raise self.settings_exception
        known = get_commands()
        if subcommand not in known:
            close = difflib.get_close_matches(subcommand, known, 1)
            hint = f"; did you mean {close[0].replace('_', '-')}?" if close else "."
            end(f"there is no command {subcommand.replace('_', '-')}{hint} ./agentify lists them.", REFUSED)
        command = super().fetch_command(subcommand)
        command.stderr = PlainErrors(sys.stderr)
        make_parser = command.create_parser

        def plain_parser(*words: str, **more: Any) -> CommandParser:
            parser = make_parser(*words, **more)
            parser.called_from_command_line = False  # it then raises what is wrong, instead of printing how it is used
            return parser

        command.create_parser = plain_parser  # type: ignore[method-assign]
        return command


class PlainErrors(OutputWrapper):
    """Django's own commands say `CommandError: …`; here every trouble is said by the same name."""

    def write(  # type: ignore[override] # as OutputWrapper itself does
        self, msg: str = "", style_func: Callable[[str], str] | None = None, ending: str | None = None
    ) -> None:
        ours = f"agentify: {msg.removeprefix(PREFIX)}" if msg.startswith(PREFIX) else msg
        super().write(ours, style_func, ending)


PREFIX = "CommandError: "


def first_line(error: Exception) -> str:
    return next((line.strip().rstrip(".") for line in str(error).splitlines() if line.strip()), type(error).__name__)


def end(line: str, status: int) -> NoReturn:
    say(line)
    sys.exit(status)
