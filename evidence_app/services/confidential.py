"""Columns of samples that hold a secret: sealed in their rows, opened for a worker, dots for everybody else.

A sealed value is `{"$sealed": token}`, by the keys of this installation; the other columns stand as they came.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from cryptography.fernet import InvalidToken

from recipes_app.engine.parameters import MASK, has_secret_name
from recipes_app.keys import fernet
from recipes_app.services.errors import WrongState

SEALED = "$sealed"
PURPOSE = "samples"


class Unopened(WrongState):
    """No key of this installation opens a value any more."""


def is_secret(name: str, value: Any) -> bool:
    """By the column's name, or by one inside of what it holds."""
    return has_secret_name(name, {}) or any(has_secret_name(inner, {}) for inner in _names_in(value))


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
    return [name for name, value in extra.items() if value == MASK and has_secret_name(name, {})]


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
            yield from _texts_in(name if has_secret_name(name, {}) else str(inner_name), inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts_in(name, inner)
    elif value not in (None, "") and not isinstance(value, bool) and has_secret_name(name, {}):
        yield str(value)
