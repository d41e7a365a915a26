"""Values that may not lie in a row in clear: encrypted with keys derived from SECRET_KEY, good for five minutes."""

import json
import re
from collections.abc import Collection
from functools import lru_cache
from html import escape
from typing import Any

from cryptography.fernet import InvalidToken
from django.utils.crypto import salted_hmac

from recipes_app.engine.plain_json import clean
from recipes_app.keys import fernet

LASTS_S = 300
BLOT = "•••"
LONGEST_SPELLED = 2000  # a longer secret, such as a file, is looked for as it is


class Unreadable(Exception):
    """Too old, or sealed with a key this installation does not have."""


def seal(values: dict[str, Any]) -> bytes:
    return fernet("sealing").encrypt(json.dumps(values).encode())


def mark(values: dict[str, Any]) -> str:
    """Equal for equal values; without SECRET_KEY it says nothing about them."""
    text = json.dumps(values, sort_keys=True).encode()
    return salted_hmac("agentify.mark", text, algorithm="sha256").hexdigest()


def unseal(sealed: bytes, *, lasts_s: int = LASTS_S) -> dict[str, Any]:
    try:
        opened = fernet("sealing").decrypt(bytes(sealed), ttl=lasts_s)
    except InvalidToken as error:
        raise Unreadable from error
    values: dict[str, Any] = json.loads(opened)
    return values


def blot_out(value: Any, secrets: Collection[str]) -> Any:
    """The same plain JSON with every occurrence of a secret replaced, in keys too, and fit to be kept."""
    given = tuple(sorted({secret for secret in secrets if secret}, key=len, reverse=True))
    return clean(_without(value, _spelled(given)) if given else value)


@lru_cache(maxsize=2)
def _spelled(secrets: tuple[str, ...]) -> re.Pattern[str]:
    """Any of them as itself, and as addresses, forms, JSON and HTML write it. The longest comes first."""
    return re.compile("|".join(map(_pattern, secrets)))


def _pattern(secret: str) -> str:
    return "".join(map(_letter, secret)) if len(secret) <= LONGEST_SPELLED else re.escape(secret)


def _letter(letter: str) -> str:
    if letter.isascii() and letter.isalnum():
        return letter
    encoded = "".join(f"%{byte:02x}" for byte in letter.encode("utf-8", "surrogatepass"))
    written = {
        letter,
        json.dumps(letter)[1:-1],
        escape(letter),
        {" ": "+", "'": "&#39;", "/": "\\/"}.get(letter, letter),
    }
    return "(?:" + "|".join([*map(re.escape, sorted(written, key=len, reverse=True)), f"(?i:{encoded})"]) + ")"


def _without(value: Any, spelled: re.Pattern[str]) -> Any:
    if isinstance(value, str):
        return spelled.sub(BLOT, value)
    if isinstance(value, dict):
        return {_without(key, spelled): _without(entry, spelled) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_without(entry, spelled) for entry in value]
    return value
