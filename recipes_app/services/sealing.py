"""Values that may not lie in a row in clear: encrypted with keys derived from SECRET_KEY, good for five minutes."""

import base64
import hashlib
import json
import re
from collections.abc import Collection, Sequence
from html import escape
from typing import Any
from urllib.parse import quote, quote_plus

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings

from recipes_app.engine.plain_json import clean

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
    """The same plain JSON with every occurrence of a secret replaced, in keys too, and fit to be kept."""
    spelled = sorted({each for secret in secrets for each in spellings(secret)}, key=len, reverse=True)
    return clean(_without(value, spelled))


def spellings(secret: str) -> set[str]:
    """As itself, and as addresses, forms, JSON and HTML write it."""
    if not secret:
        return set()
    encoded = {quote(secret, safe=""), quote(secret), quote_plus(secret), quote(secret, safe="!'()*~")}
    lower = {re.sub("%[0-9A-F]{2}", lambda found: found[0].lower(), each) for each in encoded}
    quoted = {json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1], escape(secret)}
    return {secret} | quoted | encoded | lower


def _without(value: Any, spelled: Sequence[str]) -> Any:
    if isinstance(value, str):
        for each in spelled:
            value = value.replace(each, BLOT)
        return value
    if isinstance(value, dict):
        return {_without(key, spelled): _without(entry, spelled) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_without(entry, spelled) for entry in value]
    return value


def _fernet() -> MultiFernet:
    """The first key seals; keys in SECRET_KEY_FALLBACKS still open."""
    return MultiFernet([Fernet(_derived(str(key))) for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)])


def _derived(key: str) -> bytes:
    return base64.urlsafe_b64encode(hashlib.sha256(b"agentify.sealing:" + key.encode()).digest())
