"""`./agentify rotate-ledger-key`: another key signs the ledger's heads from now on, and the ledger says so."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import CommandParser

from evidence_app.ledger.errors import LedgerError
from evidence_app.services import signing
from recipes_app.management.plain import PlainCommand, Refused
from recipes_app.services.errors import ServiceError

LOST = "The old key vouches for nothing that comes: whoever verifies needs the new fingerprint, from you."
USUAL = "The head over that is signed by both keys. Give the new fingerprint to whoever verifies."


class Command(PlainCommand):
    help = "Make a new key for the ledger's heads, on the machine that signs; the old one signs its last head with it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--lost", action="store_true", help="the old key is gone: the new one signs alone")
        parser.add_argument("--yes", action="store_true", help="do not ask")

    def handle(self, *_args: Any, **options: Any) -> None:
        if not options["yes"]:
            self.confirm()
        try:
            key = signing.rotate(lost=options["lost"])
        except (ServiceError, LedgerError) as error:
            raise Refused(f"{error}.") from error
        self.show(f"The ledger is signed by another key now. Its fingerprint: {key.fingerprint}")
        self.show(LOST if options["lost"] else USUAL)

    def confirm(self) -> None:
        if not sys.stdin.isatty():
            raise Refused("nobody can be asked here.", add="--yes")
        if self.ask("Change the key that signs the ledger? [yes/NO] ").strip().lower() not in ("y", "yes"):
            raise Refused("nothing was changed.")
