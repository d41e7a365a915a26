"""What must be true of Redis and the database for jobs to be kept."""

from collections.abc import Collection
from typing import Any

from django.core import checks
from django.db import connections

from recipes_app import queues

RUNTIME = "runtime"
KEEPS_ALL = "noeviction"


@checks.register(RUNTIME)
def redis_evicts_nothing(**_options: Any) -> list[checks.CheckMessage]:
    """A Redis that is not there is another check's business."""
    try:
        policy = queues.eviction_policy()
    except queues.Unreachable:
        return []
    if policy in ("", KEEPS_ALL):
        return []
    hint = f"Set maxmemory-policy to {KEEPS_ALL}, or give Agentify a Redis of its own."
    return [
        checks.Error(
            f"Redis throws queued jobs away when it is full (maxmemory-policy {policy}).", hint, id="agentify.E001"
        )
    ]


@checks.register(RUNTIME, deploy=True)
def redis_answers(**_options: Any) -> list[checks.CheckMessage]:
    try:
        queues.eviction_policy()
    except queues.Unreachable as error:
        hint = "Start it, or set REDIS_URL. Until then jobs wait in their rows."
        return [checks.Warning(f"Redis does not answer: {error}", hint, id="agentify.W001")]
    return []


@checks.register(checks.Tags.database)
def sqlite_writes_ahead(databases: Collection[str] | None = None, **_options: Any) -> list[checks.CheckMessage]:
    """Without WAL, workers and pages wait for each other, up to the point of `database is locked`."""
    return [message for alias in databases or () for message in _journal_of(alias)]


def _journal_of(alias: str) -> list[checks.CheckMessage]:
    connection = connections[alias]
    if connection.vendor != "sqlite":
        return []
    with connection.cursor() as cursor:
        mode = cursor.execute("PRAGMA journal_mode").fetchone()[0]
    if mode in ("wal", "memory"):
        return []
    hint = "Keep the database file on a local disk, or use PostgreSQL (DATABASE_URL)."
    return [checks.Warning(f"SQLite does not write ahead (journal_mode {mode}).", hint, id="agentify.W002")]
