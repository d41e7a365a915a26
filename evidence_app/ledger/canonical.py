"""One text for one value: the canonical JSON of RFC 8785, and what an entry of the ledger says in it."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import rfc8785

VERSION = 1
SALT_BYTES = 32


def plain(value: Any) -> Any:
    """As canonical JSON can hold it: numbers beyond a double's whole numbers, dates and the like become text."""
    if isinstance(value, Mapping):
        return {str(name): plain(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    if isinstance(value, datetime):
        return moment(value)
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    return value if isinstance(value, int) and abs(value) < 2**53 else str(value)


def canonical(value: Any) -> bytes:
    return rfc8785.dumps(plain(value))


def moment(at: datetime) -> str:
    """In UTC, to the microsecond: "2026-12-01T04:00:00.000000Z"."""
    return f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%S.%f}Z"


def commitment(salt: bytes, facts: bytes) -> str:
    """Whoever has not both of them can neither find out the facts nor try guesses at them."""
    return hashlib.sha256(salt + facts).hexdigest()


def body(*, seq: int, kind: str, at: datetime, salt: bytes, facts: bytes) -> bytes:
    """The bytes that are hashed into the tree."""
    return canonical({"v": VERSION, "seq": seq, "kind": kind, "at": moment(at), "commitment": commitment(salt, facts)})
