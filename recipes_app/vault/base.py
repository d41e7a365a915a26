"""The protocol of a vault, and how its secrets are named: `vault:shop/alice#password`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from recipes_app.vault.errors import BadReference, NoSuchSecret

SCHEME = "vault:"
PATH = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*(?:/[A-Za-z0-9][A-Za-z0-9_.-]*)*")
FIELD = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
LONGEST = 200


@dataclass(frozen=True, slots=True)
class Reference:
    """`path` names a secret, such as an account; `field` one of its values."""

    path: str
    field: str

    def __str__(self) -> str:
        return f"{SCHEME}{self.path}#{self.field}"


class Vault(Protocol):
    """`read` gives every value of a secret by its field's name; NoSuchSecret, Denied or Unreachable."""

    def read(self, path: str) -> Mapping[str, str]: ...


def is_reference(text: str) -> bool:
    return text.startswith(SCHEME)


def parse_reference(text: str) -> Reference:
    """BadReference for whatever is not `vault:PATH#FIELD`; its text is not repeated, it may be the secret itself."""
    path, mark, field = text.removeprefix(SCHEME).partition("#")
    if not (is_reference(text) and mark and FIELD.fullmatch(field)):
        raise BadReference("A secret is named as vault:PATH#FIELD, such as vault:shop/alice#password.")
    return Reference(check_path(path), field)


def check_path(path: str) -> str:
    if len(path) > LONGEST or not PATH.fullmatch(path):
        raise BadReference("The path of a secret is words of letters, digits, - _ and . with / between, as shop/alice.")
    return path


def look_up(vault: Vault, reference: Reference) -> str:
    values = vault.read(reference.path)
    if reference.field not in values:
        known = f"; it has {', '.join(sorted(values))}" if values else ""
        raise NoSuchSecret(f"{reference}: the secret has no field {reference.field}{known}.")
    return values[reference.field]
