"""What every command of ours has in common: each trouble is one line on standard error, and the exit status says which.

0 success, 1 it was tried and failed or there is no model to ask, 2 it could not be tried, 130 stopped at the keyboard.
"""

import shlex
import sys
from typing import Any, NoReturn

from django.core.management.base import BaseCommand, CommandError, CommandParser

FAILED, REFUSED, STOPPED = 1, 2, 130


class Refused(Exception):
    """It could not be tried; one line for the person at the terminal. With the words in `add` the command would do."""

    def __init__(self, line: str, *, add: str = "") -> None:
        super().__init__(line)
        self.add = add


class PlainCommand(BaseCommand):
    requires_system_checks: list[str] = []

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        parser = super().create_parser(prog_name, subcommand, **kwargs)
        parser.prog = f"./agentify {subcommand.replace('_', '-')}"
        parser.called_from_command_line = False  # it then raises what is wrong, instead of printing how it is used
        parser.parse_args = parser.parse_intermixed_args  # type: ignore[method-assign] # `call SITE --json TOOL`
        return parser

    def run_from_argv(self, argv: list[str]) -> None:
        try:
            super().run_from_argv(argv)
        except CommandError as error:  # of the parser
            said = str(error).removeprefix("Error: ").rstrip(".")
            self.end(f"{said}; ./agentify {argv[1].replace('_', '-')} --help shows what it takes.", REFUSED)
        except KeyboardInterrupt:
            self.end("stopped.", STOPPED)

    def execute(self, *args: Any, **options: Any) -> str | None:
        try:
            return super().execute(*args, **options)
        except Refused as refusal:
            self.end(self.with_the_command(refusal), REFUSED)
        except CommandError as error:
            if options.get("traceback") or not getattr(self, "_called_from_command_line", False):
                raise
            self.end(" ".join(str(error).split()), error.returncode)

    def with_the_command(self, refusal: Refused) -> str:
        """What was typed, with what it lacks, to be typed again."""
        typed = sys.argv[1:] if getattr(self, "_called_from_command_line", False) else ["…"]
        return f"{refusal} So: ./agentify {shlex.join(typed)} {refusal.add}" if refusal.add else str(refusal)

    def end(self, line: str, status: int) -> NoReturn:
        self.say(line)
        sys.exit(status)

    def say(self, text: str) -> None:
        """One line to standard error, without what could steer a terminal: titles of pages come by here."""
        self.stderr.write(printable(f"agentify: {text}"), lambda line: line)

    def show(self, text: str = "") -> None:
        self.stdout.write(printable(text))

    def ask(self, question: str) -> str:
        """The answer from the terminal; EOFError if there is nobody."""
        self.stderr.write(printable(question), lambda line: line, ending="")
        self.stderr.flush()
        answer = sys.stdin.readline()
        if not answer:
            raise EOFError
        return answer.rstrip("\n")


def printable(text: str) -> str:
    return "".join(letter if letter.isprintable() or letter == "\n" else " " for letter in text)
