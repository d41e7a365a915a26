"""Columns of samples that hold a secret: sealed in their rows, opened for a worker, dots for everybody else.

A sealed value is `{"$sealed": token}`, by the keys of this installation; the other columns stand as they came.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from cryptography.fernet import InvalidToken

from recipes_app.engine.parameters import MASK, WORDS, has_secret_name
from recipes_app.keys import fernet
from recipes_app.services.errors import WrongState

SEALED = "$sealed"
PURPOSE = "samples"
SHORTEST = 4  # characters
# What a list says of secrets and is none: password_enabled, token_last_used, secret_count.
ABOUT = frozenset(
    {
        "enabled", "disabled", "active", "required", "used", "changed", "age", "days", "policy", "expiry", "expires",
        "expired", "expiration", "rotated", "rotation", "count", "status", "date", "since", "until", "created",
        "updated", "length", "history", "strength", "complexity", "compliant", "attempts", "lifetime",
    }
)  # fmt: skip
# Beside what the parameters of tools are called: lists of people's accounts have more words for it.
SECRETS = frozenset(
    {
        "passwords", "passwds", "pwd", "pw", "passphrases", "passcodes", "passwort", "kennwort", "secrets", "pins",
        "tokens", "otps", "credential", "credentials", "jwt", "bearer", "cookie", "cookies", "cvv", "cvc", "apikey",
        "apikeys", "sessionid",
    }
)  # fmt: skip
SECRET_PAIRS = frozenset(
    f"{what} {key}{many}"
    for what in ("api", "private", "access", "signing", "encryption", "ssh", "recovery", "backup")
    for key in ("key", "code")
    for many in ("", "s")
    if key == "key" or what in ("recovery", "backup", "access")
)
DATE = re.compile(r"\d{4}-\d{2}-\d{2}([T ][\d:.+Z-]*)?|\d{1,2}[./]\d{1,2}[./]\d{2,4}")
PLAIN = frozenset({"", "yes", "no", "true", "false", "none", "null", "n/a", "na", "-", "x", "y", "n"})


class Unopened(WrongState):
    """No key of this installation opens a value any more."""


def is_secret(name: str, value: Any) -> bool:
    """By the column's name, or by one inside of what it holds. That a password is there, or how old it is, is none."""
    if isinstance(value, bool) or str(value).strip().casefold() in PLAIN:
        return False
    if is_called_secret(name):
        return ABOUT.isdisjoint(_words(name)) or not DATE.fullmatch(str(value).strip())
    return any(is_called_secret(inner) for inner in _names_in(value))


def is_called_secret(name: str) -> bool:
    """A name that ends in what is said of a secret is none: password_enabled, but not active_password."""
    words = _words(name)
    if not words or words[-1] in ABOUT:
        return False
    pairs = {" ".join(pair) for pair in pairwise(words)}
    return has_secret_name(name, {}) or not SECRETS.isdisjoint(words) or not SECRET_PAIRS.isdisjoint(pairs)


def _words(name: str) -> list[str]:
    return [word.lower() for word in WORDS.findall(name) if not word.isdigit()]


def seal(extra: Mapping[str, Any]) -> dict[str, Any]:
    """What is sealed already, and what is empty, stays."""
    return {name: _sealed(value) if is_secret(name, value) else value for name, value in extra.items()}


def opened(extra: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _opened(name, value) if _is_sealed(value) else value for name, value in extra.items()}


def masked(extra: Mapping[str, Any]) -> dict[str, Any]:
    """What may be shown, written and sent. An empty cell stays one: that it is empty is no secret."""
    return {
        name: MASK if value not in (None, "") and (_is_sealed(value) or is_secret(name, value)) else value
        for name, value in extra.items()
    }


def secrets_in(extra: Mapping[str, Any]) -> list[str]:
    """Of opened columns: what has to be blotted out wherever it turns up."""
    return [text for name, value in extra.items() if is_secret(name, value) for text in _texts_in(name, value)]


def only_dots(extra: Mapping[str, Any]) -> list[str]:
    """Secret columns that hold nothing but the dots shown in a secret's place."""
    return [name for name, value in extra.items() if value == MASK and is_called_secret(name)]


def too_short(extra: Mapping[str, Any]) -> list[str]:
    """Columns with a secret that would be blotted out of everything: a pin of two digits stands in every date."""
    return [name for name, value in extra.items() if any(len(text) < SHORTEST for text in secrets_in({name: value}))]


def with_kept(extra: Mapping[str, Any], before: Mapping[str, Any]) -> dict[str, Any]:
    """Dots stand for what was there before."""
    kept = {name: before[name] for name in only_dots(extra) if before.get(name)}
    return {**extra, **kept}


def _sealed(value: Any) -> Any:
    if value in (None, "") or _opens(value):
        return value
    return {SEALED: fernet(PURPOSE).encrypt(json.dumps(value).encode()).decode()}


def _is_sealed(value: Any) -> bool:
    return isinstance(value, dict) and value.keys() == {SEALED} and isinstance(value[SEALED], str)


def _opens(value: Any) -> bool:
    """Whether it was sealed here: an object that only looks like it is sealed as what it is."""
    if not _is_sealed(value):
        return False
    try:
        fernet(PURPOSE).decrypt(value[SEALED].encode())
    except InvalidToken:
        return False
    return True


def _opened(name: str, value: Mapping[str, str]) -> Any:
    try:
        return json.loads(fernet(PURPOSE).decrypt(value[SEALED].encode()))
    except InvalidToken as error:
        raise Unopened(
            f"{name} of the sample was sealed with a key that is not there any more: give the samples again, "
            "or put the old key into SECRET_KEY_FALLBACKS."
        ) from error


def _names_in(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield str(name)
            yield from _names_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _names_in(inner)


def _texts_in(name: str, value: Any) -> Iterator[str]:
    """Of a column called like a secret everything, of another what is called so inside."""
    if isinstance(value, dict):
        for inner_name, inner in value.items():
            yield from _texts_in(name if is_called_secret(name) else str(inner_name), inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts_in(name, inner)
    elif value not in (None, "") and is_called_secret(name) and is_secret(name, value):
        yield str(value)
