"""Turns that all workers of an installation take at something outside: one at a time, so many seconds apart.

`take` raises `Unreachable` where Redis does not answer.
"""

from __future__ import annotations

from recipes_app import queues

PREFIX = "agentify:turn"


def take(name: str, every_s: float) -> float:
    """0 where the turn was taken: nobody has another one for `every_s`. Else the seconds until somebody may."""
    key, milliseconds = f"{PREFIX}:{name}", max(1, round(every_s * 1000))
    with queues.reaching():
        redis = queues.connection()
        if redis.set(key, "", px=milliseconds, nx=True):
            return 0.0
        left = redis.pttl(key)
    # Gone meanwhile, it is negative.
    return max(0.001, left / 1000)
