"""The loop of upkeep, in this process."""

import threading
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db.utils import OperationalError
from django.utils import timezone

from recipes_app import queues
from recipes_app.jobs import upkeep
from recipes_app.models import Job
from tests.jobs.redis_server import RedisServer

NewJob = Callable[..., Job]


def test_upkeep_moves_lost_jobs_on_and_dispatches_waiting_ones(redis: RedisServer, new_job: NewJob) -> None:
    now = timezone.now()
    lost = new_job(status="running", attempt=1, lease_until=now - timedelta(seconds=1), dispatched_at=now)
    waiting = new_job()
    for chore in [*upkeep.chores(), *upkeep.chores()]:
        upkeep.do(chore)
    lost.refresh_from_db()
    assert lost.status == "queued"
    assert queues.waiting_ids("calls") == {lost.pk, waiting.pk}


@pytest.mark.parametrize("trouble", [OperationalError("database is locked"), queues.Unreachable("gone")])
def test_upkeep_puts_off_what_cannot_be_done_now(trouble: Exception) -> None:
    def fail() -> int:
        raise trouble

    upkeep.do(upkeep.Chore(1, fail))


def test_upkeep_does_not_hide_a_bug() -> None:
    def fail() -> int:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        upkeep.do(upkeep.Chore(1, fail))


def test_upkeep_ends_when_it_is_told_to(redis: RedisServer, new_job: NewJob) -> None:
    stop = threading.Event()
    stop.set()
    upkeep.keep_up(stop)
    job = new_job()
    job.refresh_from_db()
    assert job.dispatched_at is None
