"""Transactional tests leave their rows behind; the database is put back as it was when it had been migrated.

It is never flushed: the guards of the ledger refuse that, and putting back is quicker.
"""

from __future__ import annotations

import sqlite3
import threading
from dataclasses import dataclass
from typing import Any, Protocol

from django.db import connection, transaction

PATIENCE_S = 10.0
PAUSE_S = 0.02
KEPT = "as_migrated"  # the schema that holds the rows which migrations made


class Template(Protocol):
    def restore(self) -> None: ...


def take() -> Template:
    """Of the database as it is now."""
    return Rows() if connection.vendor == "postgresql" else Copy()


class Copy:
    """SQLite: the whole database, page by page."""

    def __init__(self) -> None:
        self._copy = sqlite3.connect(":memory:", check_same_thread=False)
        _handle().backup(self._copy)

    def restore(self) -> None:
        """Whoever still reads is waited for: a request that the test's page had sent."""
        pause = threading.Event()
        for _ in range(int(PATIENCE_S / PAUSE_S)):
            try:
                self._copy.backup(_handle(), progress=_never_busy)
            except (sqlite3.OperationalError, Busy):
                pause.wait(PAUSE_S)
                continue
            return
        raise RuntimeError("the database of the test is still in use: a thread keeps a connection with a query open")


class Busy(Exception):
    pass


def _never_busy(status: int, remaining: int, total: int) -> None:
    """Else a copy that is locked out waits for ever."""
    if status in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        raise Busy


def _handle() -> Any:
    connection.ensure_connection()
    return connection.connection


@dataclass(slots=True)
class Rows:
    """PostgreSQL: tables that have rows are emptied, with triggers and references off, and given their first ones."""

    def __post_init__(self) -> None:
        with connection.cursor() as cursor:
            cursor.execute(f"DROP SCHEMA IF EXISTS {KEPT} CASCADE")
            cursor.execute(f"CREATE SCHEMA {KEPT}")
            for table in _filled("public"):
                cursor.execute(f'CREATE TABLE {KEPT}."{table}" AS TABLE public."{table}"')

    def restore(self) -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")
            for table in _filled("public"):
                cursor.execute(f'DELETE FROM public."{table}"')
            for table in _filled(KEPT):
                cursor.execute(f'INSERT INTO public."{table}" SELECT * FROM {KEPT}."{table}"')


def _filled(schema: str) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = %s ORDER BY 1", [schema])
        names = [name for (name,) in cursor.fetchall()]
        if not names:
            return []
        asked = " UNION ALL ".join(
            f"SELECT '{name}' WHERE EXISTS (SELECT 1 FROM {schema}.\"{name}\")" for name in names
        )
        cursor.execute(asked)
        return [name for (name,) in cursor.fetchall()]
