"""The vault that the settings name. Imported by jobs and commands only."""

from __future__ import annotations

import os

from django.conf import settings

from recipes_app.vault.base import Vault
from recipes_app.vault.environment import EnvironmentVault
from recipes_app.vault.errors import ReadOnly, Unreachable
from recipes_app.vault.hashicorp import HashicorpVault
from recipes_app.vault.local import LocalVault, read_or_make_keys


def vault() -> Vault:
    if settings.VAULT == "environment":
        return EnvironmentVault(os.environ)
    if settings.VAULT == "hashicorp":
        return hashicorp_vault()
    return local_vault()


def local_vault() -> LocalVault:
    """ReadOnly where secrets lie elsewhere."""
    if settings.VAULT != "local":
        raise ReadOnly(f"VAULT is {settings.VAULT}: secrets are put there by its own means, not by Agentify.")
    folder = settings.VAR_DIR / "vault"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return LocalVault(folder / "secrets", read_or_make_keys(settings.VAULT_KEYS, folder / "keys"))


def hashicorp_vault() -> HashicorpVault:
    if not (settings.VAULT_ADDR and settings.VAULT_TOKEN):
        raise Unreachable("VAULT=hashicorp needs VAULT_ADDR and VAULT_TOKEN.")
    return HashicorpVault(settings.VAULT_ADDR, settings.VAULT_TOKEN, settings.VAULT_MOUNT, settings.VAULT_NAMESPACE)
