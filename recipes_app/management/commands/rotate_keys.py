"""`./agentify rotate-keys`: everything sealed in the database and in the local vault, under the newest key."""

from typing import Any

from django.conf import settings
from django.db import transaction

from recipes_app import vault_wiring
from recipes_app.management.plain import PlainCommand, Refused
from recipes_app.services import audit
from recipes_app.services.rotation import rotate_all
from recipes_app.vault.errors import VaultError


class Command(PlainCommand):
    help = (
        "Seal everything in the database and the local vault anew with the newest key. Before: put the new key into "
        "SECRET_KEY and the old one into SECRET_KEY_FALLBACKS, and restart. Afterwards the old one may go."
    )

    def handle(self, *_args: Any, **_options: Any) -> None:
        done = [each for each in rotate_all() if each.changed or each.unreadable]
        for each in done:
            lost = f", {each.unreadable} that no key opens" if each.unreadable else ""
            self.show(f"{each.what}: {each.changed} sealed anew{lost}")
        self.rotate_vault()
        changed, unreadable = sum(each.changed for each in done), sum(each.unreadable for each in done)
        with transaction.atomic():
            audit.record(None, None, "keys.rotated", "database", changed=changed, unreadable=unreadable)
        if unreadable:
            raise Refused(
                f"no key opens {unreadable} values: put the one they were sealed with into SECRET_KEY_FALLBACKS."
            )
        self.show("Everything that was sealed is under the newest key.")

    def rotate_vault(self) -> None:
        if settings.VAULT != "local":
            return
        try:
            if vault_wiring.local_vault().rotate():
                self.show("local vault: sealed anew")
        except VaultError as error:
            raise Refused(str(error)) from error
