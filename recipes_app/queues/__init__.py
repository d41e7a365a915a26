"""Redis, as far as the rest needs it: put ids of job rows into a queue, see what is there, reach a worker.

Redis may be away at any time: every function here raises `Unreachable` then, within a second or two.
redis and rq are loaded with the first use of one of them: a command that does its own jobs needs neither.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from recipes_app.queues.over_redis import (
        connection,
        eviction_policy,
        live_workers,
        look,
        put,
        queue_of,
        reaching,
        room,
        tell_end,
        waiting_ids,
        watching_for_end,
        worker_connection,
    )

__all__ = [
    "BACK_STOP_S",
    "LOOK",
    "Entry",
    "Unreachable",
    "connection",
    "eviction_policy",
    "live_workers",
    "look",
    "put",
    "queue_of",
    "reaching",
    "room",
    "tell_end",
    "waiting_ids",
    "watching_for_end",
    "worker_connection",
]

BACK_STOP_S = 30
LOOK = "look"


class Unreachable(Exception):
    """Redis did not answer."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What travels: the dotted name of a job function, the row's id and the row's own deadline.

    `goes_first`: before all that wait there, because it was under way already when its worker was lost.
    """

    function: str
    row_id: int
    label: str
    deadline_s: int
    goes_first: bool = False


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(name)
    return getattr(import_module("recipes_app.queues.over_redis"), name)
