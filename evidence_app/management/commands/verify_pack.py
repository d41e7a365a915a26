"""`./agentify verify-pack`: what verify.py does, with verify.py's own words, options and exit codes."""

from __future__ import annotations

import sys
from argparse import Namespace
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from evidence_app.bundle.offline import program

NAME = "verify-pack"


class Command(BaseCommand):
    help = "Check a pack of evidence offline; it changes nothing. Exit codes as verify.py has them."
    requires_system_checks = []

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        parser = super().create_parser(prog_name, subcommand, **kwargs)
        parser.prog = f"./agentify {NAME}"
        return parser

    def add_arguments(self, parser: CommandParser) -> None:
        program.add_arguments(parser)

    def run_from_argv(self, argv: list[str]) -> None:
        if {"-h", "--help"} & set(argv):
            super().run_from_argv(argv)
            return
        sys.exit(program.main(argv[2:], name=NAME))

    def handle(self, *_args: Any, **options: Any) -> None:
        sys.exit(program.answered(Namespace(**options), NAME))
