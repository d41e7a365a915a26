"""Whoever waits for a call is told when it has ended."""

import threading

import pytest

from recipes_app import queues
from recipes_app.queues import Unreachable
from recipes_app.services import dispatch
from tests.jobs.redis_server import RedisServer

LONG_S = 300


def test_a_waiter_is_woken_by_the_end_of_its_row_and_of_no_other(redis: RedisServer) -> None:
    with queues.watching_for_end(7) as wait, queues.watching_for_end(8) as wait_for_other:
        dispatch.tell_end(7)
        waiter = threading.Thread(target=wait, args=(LONG_S,), daemon=True)
        waiter.start()
        waiter.join(LONG_S / 10)
        assert not waiter.is_alive()
        other = threading.Thread(target=wait_for_other, args=(0.2,), daemon=True)
        other.start()
        other.join(LONG_S / 10)
        assert not other.is_alive()


def test_without_redis_nobody_is_told_and_whoever_waits_is_said_so(redis: RedisServer) -> None:
    redis.stop()
    try:
        dispatch.tell_end(7)
        with pytest.raises(Unreachable), queues.watching_for_end(7):
            pass
    finally:
        redis.start()
