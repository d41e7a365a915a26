"""Values that may not lie in a row in clear: encrypted with keys derived from SECRET_KEY, good for five minutes."""

import base64
import hashlib
import json
from collections.abc import Collection
from typing import Any

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings

LASTS_S = 300
BLOT = "•••"


class Unreadable(Exception):
    """Too old, or sealed with a key this installation does not have."""


def seal(values: dict[str, Any]) -> bytes:
    return _fernet().encrypt(json.dumps(values).encode())


def unseal(sealed: bytes, *, lasts_s: int = LASTS_S) -> dict[str, Any]:
    try:
        opened = _fernet().decrypt(bytes(sealed), ttl=lasts_s)
    except InvalidToken as error:
        raise Unreadable from error
    values: dict[str, Any] = json.loads(opened)
    return values


def blot_out(value: Any, secrets: Collection[str]) -> Any:
    """The same plain JSON with every occurrence of a secret replaced."""
    if isinstance(value, str):
        for secret in secrets:
            value = value.replace(secret, BLOT) if secret else value
        return value
    if isinstance(value, dict):
        return {key: blot_out(entry, secrets) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [blot_out(entry, secrets) for entry in value]
    return value


def _fernet() -> MultiFernet:
    """The first key seals; keys in SECRET_KEY_FALLBACKS still open."""
    return MultiFernet([Fernet(_derived(str(key))) for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)])


def _derived(key: str) -> bytes:
    return base64.urlsafe_b64encode(hashlib.sha256(b"agentify.sealing:" + key.encode()).digest())
