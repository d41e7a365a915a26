"""What a person typed, on its way to the one worker that needs it: unreadable in Redis, read once, gone soon.

Both functions raise `Unreachable` where Redis does not answer.
"""

from __future__ import annotations

from recipes_app import queues

LASTS_S = 300


def put(name: str, sealed: bytes) -> None:
    with queues.reaching():
        queues.connection().set(_key(name), sealed, ex=LASTS_S)


def take(name: str) -> bytes | None:
    """Whoever comes second gets nothing."""
    with queues.reaching():
        found = queues.connection().getdel(_key(name))
    return found.encode() if isinstance(found, str) else found


def _key(name: str) -> str:
    return f"agentify:handover:{name}"
