"""Joining what was collected so far with what a step adds; rows of a list are told apart by their identity."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

# The first of these that a row has names it.
IDENTITY = ("url", "id", "sample_id", "href", "login", "username", "name", "sha256")


def merged(old: Any, new: Any) -> Any:
    """A new value; neither argument is changed.

    Objects join member by member; of two scalars the newer stands; rows with the same identity join in place, other
    items are appended unless they are there already. A value of another type replaces the old one, null replaces none.
    """
    if new is None:
        return _copied(old)
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        names = [*old, *(name for name in new if name not in old)]
        return {name: merged(old.get(name), new.get(name)) for name in names}
    if isinstance(old, list) and isinstance(new, list):
        return _joined(old, new)
    return _copied(new)


def _joined(old: list[Any], new: list[Any]) -> list[Any]:
    result = [_copied(item) for item in old]
    places = {key: at for at, item in reversed(list(enumerate(result))) if (key := _identity(item))}
    known = {_canonical(item) for item in result}
    for item in new:
        key = _identity(item)
        if key in places:
            result[places[key]] = merged(result[places[key]], item)
        elif _canonical(item) not in known:
            if key:
                places[key] = len(result)
            result.append(_copied(item))
        known.add(_canonical(item))
    return result


def _identity(item: Any) -> tuple[str, str] | None:
    """Two rows are one only if they agree in the first identifying member they both could be known by."""
    if not isinstance(item, Mapping):
        return None
    name = next((each for each in IDENTITY if item.get(each) not in (None, "")), None)
    return (name, _canonical(item[name])) if name else None


def _canonical(value: Any) -> str:
    return json.dumps(_rounded(value), sort_keys=True, ensure_ascii=False, default=str)


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 9)
    if isinstance(value, Mapping):
        return {str(name): _rounded(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_rounded(inner) for inner in value]
    return value


def _copied(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _copied(inner) for name, inner in value.items()}
    return [_copied(inner) for inner in value] if isinstance(value, list) else value
