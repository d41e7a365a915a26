"""What `recipes_app.queues` does, with redis-py and rq."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache

from django.conf import settings
from redis import Redis
from redis.backoff import NoBackoff
from redis.client import PubSub
from redis.exceptions import RedisError
from redis.retry import Retry
from rq import Queue
from rq.command import PUBSUB_CHANNEL_TEMPLATE
from rq.serializers import JSONSerializer
from rq.worker_registration import get_keys

from recipes_app.queues import BACK_STOP_S, LOOK, Entry, Unreachable

ENDED = "agentify:ended:%s"
SUBSCRIBE_S = 1.0
FAILURES_KEPT_S = 7 * 24 * 3600


def connection() -> Redis:
    """One pool for each process and URL. Without redis-py's own retries: a web request must not wait for them."""
    return _connection(settings.REDIS_URL)


def worker_connection() -> Redis:
    """A pool of its own: RQ sets a long socket timeout on the connection it blocks on."""
    return Redis.from_url(settings.REDIS_URL, socket_connect_timeout=2, retry=Retry(NoBackoff(), 0))


def put(queue: str, entry: Entry) -> str:
    """Enqueue at once (the caller has committed) and return the RQ job's id, which is never used twice."""
    rq_id = f"{entry.row_id}-{secrets.token_hex(6)}"
    with reaching():
        _queue(queue).enqueue_call(
            entry.function,
            args=(entry.row_id,),
            job_id=rq_id,
            timeout=entry.deadline_s + BACK_STOP_S,
            result_ttl=0,
            failure_ttl=FAILURES_KEPT_S,
            description=entry.label,
            at_front=entry.goes_first,
        )
    return rq_id


def waiting_ids(queue: str) -> set[int]:
    """Ids of the rows that lie in this queue and nobody has taken yet."""
    with reaching():
        return {row_id for text in _queue(queue).get_job_ids() if (row_id := _row_id(text)) is not None}


def room(queue: str) -> int:
    """How many more ids the queue may hold: twice as many as it has workers, and two where there is none yet."""
    with reaching():
        return max(0, 2 * max(1, live_workers(queue)) - _queue(queue).count)


def live_workers(queue: str) -> int:
    """Workers whose key has not expired: one that was killed stays in RQ's set for a while."""
    with reaching():
        keys = get_keys(queue=_queue(queue))
        return connection().exists(*keys) if keys else 0


def look(worker: str) -> None:
    """Make a worker look at its job's row now."""
    with reaching():
        connection().publish(PUBSUB_CHANNEL_TEMPLATE % worker, json.dumps({"command": LOOK}))


def tell_end(row_id: int) -> None:
    """Wake whoever waits for this row to end; call it once that is committed."""
    with reaching():
        connection().publish(ENDED % row_id, "")


@contextmanager
def watching_for_end(row_id: int) -> Iterator[Callable[[float], None]]:
    """Gives a function that returns when the end was told, or after so many seconds; the row says which it was.

    What is told after the block was entered is not missed.
    """
    with reaching(), _pubsub() as watch:
        watch.subscribe(ENDED % row_id)
        # The answer to the subscription: from here on it holds.
        watch.get_message(timeout=SUBSCRIBE_S)

        def wait(seconds: float) -> None:
            with reaching():
                watch.get_message(timeout=seconds)

        yield wait


def _pubsub() -> PubSub:
    watch: PubSub = connection().pubsub(ignore_subscribe_messages=True)  # type: ignore[no-untyped-call]
    return watch


def eviction_policy() -> str:
    with reaching():
        return str(connection().config_get("maxmemory-policy").get("maxmemory-policy", ""))


@cache
def _connection(url: str) -> Redis:
    return Redis.from_url(url, socket_connect_timeout=2, socket_timeout=5, retry=Retry(NoBackoff(), 0))


def _queue(name: str) -> Queue:
    return queue_of(name, connection())


def queue_of(name: str, redis: Redis) -> Queue:
    """Jobs lie in it as JSON: who could write pickles into Redis could run anything in a worker."""
    return Queue(name, connection=redis, serializer=JSONSerializer)


def _row_id(rq_id: str) -> int | None:
    head = rq_id.split("-", 1)[0]
    return int(head) if head.isdigit() else None


@contextmanager
def reaching() -> Iterator[None]:
    try:
        yield
    except RedisError as error:
        raise Unreachable(str(error)) from error
