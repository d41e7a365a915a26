"""Whether this installation lives, and whether it can work: for whatever watches it. Neither says anything else."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe

from recipes_app import queues


@require_safe
def alive(_request: HttpRequest) -> JsonResponse:
    """The web process answers."""
    return JsonResponse({"ok": True})


@require_safe
def ready(_request: HttpRequest) -> JsonResponse:
    """200 where all that a request needs is there; 503 with what is not."""
    lacking = [name for name, is_there in NEEDED.items() if not is_there()]
    return JsonResponse({"ok": not lacking, "lacking": lacking}, status=503 if lacking else 200)


def _database() -> bool:
    try:
        connection.ensure_connection()
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return False
    return True


def _migrations() -> bool:
    try:
        executor = MigrationExecutor(connection)
        return not executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError:
        return False


def _redis() -> bool:
    try:
        queues.eviction_policy()
    except queues.Unreachable:
        return False
    return True


def _files() -> bool:
    return all(
        os.access(folder, os.W_OK)
        for folder in map(Path, (settings.VAR_DIR, settings.EVIDENCE_ROOT))
        if folder.exists()
    )


NEEDED: dict[str, Callable[[], bool]] = {
    "database": _database, "migrations": _migrations, "redis": _redis, "files": _files,
}  # fmt: skip
