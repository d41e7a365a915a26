"""`./agentify vault`: secrets of the local vault. Values are typed unseen, and never shown."""

import getpass
import sys
from typing import Any

from django.core.management.base import CommandParser

from recipes_app import vault_wiring
from recipes_app.management.plain import PlainCommand, Refused
from recipes_app.vault.base import look_up, parse_reference
from recipes_app.vault.errors import VaultError


class Command(PlainCommand):
    help = "Put a secret into the vault, check that one is there, list the names, or remove one."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("what", choices=("put", "check", "list", "remove"))
        parser.add_argument("name", nargs="?", default="", help="such as vault:shop/alice#password")

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            self.do(options["what"], options["name"])
        except VaultError as error:
            raise Refused(str(error)) from error

    def do(self, what: str, name: str) -> None:
        if what == "list":
            for each in vault_wiring.local_vault().names():
                self.show(f"vault:{each}")
            return
        reference = parse_reference(name)
        if what == "check":
            look_up(vault_wiring.vault(), reference)
            self.show(f"{reference} is there.")
        elif what == "put":
            vault_wiring.local_vault().put(reference.path, reference.field, self.value_of(str(reference)))
            self.show(f"{reference} is kept.")
        else:
            vault_wiring.local_vault().remove(reference.path, reference.field)
            self.show(f"{reference} is gone.")

    def value_of(self, name: str) -> str:
        """Unseen from a terminal; from a pipe its first line."""
        is_terminal = sys.stdin.isatty()
        value = getpass.getpass(f"{name}: ") if is_terminal else sys.stdin.readline().rstrip("\n")
        if not value:
            raise Refused("an empty secret is none; nothing was kept.")
        return value
