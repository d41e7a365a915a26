"""The loop that keeps rows and Redis in step. Nothing in it may take longer than a few seconds."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic

from django.conf import settings
from django.db import close_old_connections
from django.db.utils import InterfaceError, OperationalError

from recipes_app.queues import Unreachable
from recipes_app.services import calls, canaries, dispatch, runs, webhooks
from recipes_app.services import upkeep as chores_of_others

logger = logging.getLogger(__name__)

LOST_AFTER_S = 10


@dataclass(slots=True)
class Chore:
    every_s: float
    do: Callable[[], int]
    next_at: float = 0.0


def chores() -> list[Chore]:
    return [
        Chore(0.5, dispatch.dispatch_waiting),
        Chore(min(3.0, settings.LEASE_S / 3), runs.sweep),
        Chore(3.0, lambda: dispatch.take_back_lost(older_than_s=LOST_AFTER_S)),
        Chore(30.0, calls.forget_old_secrets),
        Chore(2.0, webhooks.open_due),
        Chore(5.0, canaries.keep_watch),
        *(Chore(every_s, do) for every_s, do in chores_of_others.MORE),
    ]


def keep_up(stop: threading.Event) -> None:
    """Until `stop` is set. A database or Redis that is away is waited for."""
    plan = chores()
    while not stop.is_set():
        close_old_connections()
        now = monotonic()
        for chore in plan:
            if chore.next_at <= now:
                chore.next_at = now + chore.every_s
                do(chore)
        stop.wait(max(0.0, min(chore.next_at for chore in plan) - monotonic()))


def do(chore: Chore) -> None:
    try:
        chore.do()
    except (OperationalError, InterfaceError, Unreachable) as error:
        logger.warning("upkeep: put off, %s", error)
