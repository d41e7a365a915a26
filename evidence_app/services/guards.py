"""Whether the triggers that keep rows as they were written are in their place, and in force."""

from __future__ import annotations

from django.db import connection

APPEND_ONLY = ("update", "delete", "replace", "truncate")
KEPT = {
    "entry": APPEND_ONLY,
    "node": APPEND_ONLY,
    "treehead": APPEND_ONLY,
    "ledgerkey": APPEND_ONLY,
    "opening": APPEND_ONLY,
    "artifact": APPEND_ONLY,
    "hold": APPEND_ONLY,
    "removal": APPEND_ONLY,
    "restoration": APPEND_ONLY,
}


def missing() -> list[str]:
    """One line for each that is not there."""
    return [f"the guard {name} is not in the database: rows can be changed" for name in sorted(wanted() - present())]


def wanted() -> set[str]:
    """SQLite knows no TRUNCATE, PostgreSQL no REPLACE."""
    unknown = "replace" if connection.vendor == "postgresql" else "truncate"
    return {f"guard_evidence_app_{table}_{what}" for table, all_ in KEPT.items() for what in all_ if what != unknown}


def present() -> set[str]:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT tgname FROM pg_trigger WHERE tgname LIKE 'guard_%' AND tgenabled IN ('O', 'A')")
        else:
            cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'guard_%'")
        return {name for (name,) in cursor.fetchall()}
