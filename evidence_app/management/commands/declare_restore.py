"""`./agentify declare-restore`: two people say that a backup was put back; nothing else lets the signer go on."""

from __future__ import annotations

import getpass
import sys
from typing import Any

from django.core.management.base import CommandParser

from evidence_app.models import Restoration
from evidence_app.services import restoring
from evidence_app.services.restoring import Gap
from recipes_app.management.plain import PlainCommand, Refused
from recipes_app.models import User
from recipes_app.services.errors import ServiceError


class Command(PlainCommand):
    help = "Say that a backup was put back, so that entries of the ledger are lost. A second person confirms it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--as", dest="username", required=True, metavar="USERNAME", help="who says so")
        parser.add_argument("--words", default="", metavar="TEXT", help="what happened; the ledger keeps it")

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            self.declare(options)
        except ServiceError as error:
            raise Refused(str(error)) from error

    def declare(self, options: dict[str, Any]) -> None:
        if restoring.finish():
            self.show("It was declared already. The signer goes on.")
            return
        found = restoring.gap()
        if found is None:
            raise Refused("the ledger continues its last signed head: nothing has to be declared.")
        user = self.person(options["username"])
        self.show(said(found))
        row = restoring.waiting(found)
        if row is None:
            restoring.declare(by=user, words=options["words"])
            self.show("Declared. A second person confirms it here: ./agentify declare-restore --as USERNAME")
            return
        self.confirm(row, user)

    def confirm(self, row: Restoration, user: User) -> None:
        self.show(f"{row.asked_by} declared: {row.words}")
        restoring.confirm(row=row, by=user)
        self.show("Confirmed. The ledger tells it, and the signer goes on.")

    def person(self, username: str) -> User:
        """Who knows the password; from the first line of standard input where there is no terminal."""
        prompt = f"Password of {username}: "
        password = getpass.getpass(prompt) if sys.stdin.isatty() else sys.stdin.readline().rstrip("\n")
        user = User.objects.filter(username=username, is_active=True).first()
        if user is None or not user.check_password(password):
            raise Refused(f"that is not the password of {username}.")
        return user


def said(found: Gap) -> str:
    return (
        f"A head of {found.lost.size} entries was signed (root {found.lost.root.hex()[:16]}…). "
        f"The ledger has {found.size} entries, and is not its continuation."
    )
