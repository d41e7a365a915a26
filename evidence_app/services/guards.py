"""Whether the triggers that keep rows as they were written are in their place, and in force."""

from __future__ import annotations

from django.db import connection

APPEND_ONLY = ("update", "delete", "replace", "truncate")
SIGNED = ("four_eyes", "no_list", "other_attempt")  # refuse whoever may not sign
KEPT: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("entry", "node", "treehead", "ledgerkey", "opening", "artifact"), APPEND_ONLY),
    **dict.fromkeys(("runbarred", "breakglass", "assignment", "comment", "shown", "exhibit"), APPEND_ONLY),
    **dict.fromkeys(("hold", "removal", "restoration"), APPEND_ONLY),
    "review": (*APPEND_ONLY, *SIGNED, "other_hand"),
    "conclusion": (*APPEND_ONLY, *SIGNED),
    "run": APPEND_ONLY,  # changed as its services change it, and no further
    "sample": ("update",),
    "attempt": ("update",),
}


def missing() -> list[str]:
    """The names of those that are not there: rows can be changed."""
    return sorted(wanted() - present())


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
