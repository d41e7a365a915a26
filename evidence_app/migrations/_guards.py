"""Triggers that keep rows as they were written, on SQLite and PostgreSQL alike; each function is one operation.

SQLite rebuilds a table when a column of it is altered, and its triggers are gone then: a migration that does so names
the table's guards again. A guard is called guard_<table>_<what>, and making it twice does no harm.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.db import migrations

Statements = Callable[[str], list[str]]

REFUSE = """
CREATE OR REPLACE FUNCTION agentify_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '%: its rows are kept as they were written (% refused)', TG_TABLE_NAME, TG_OP
    USING ERRCODE = 'integrity_constraint_violation';
END $$
"""


def append_only(table: str, keys: Sequence[Sequence[str]]) -> migrations.RunPython:
    """Rows are added, and neither changed nor deleted. `keys`: the columns of each unique key, the primary key too."""
    return _operation(
        lambda vendor: [*_update(vendor, table, ""), *_delete(vendor, table), *_replace(vendor, table, keys)]
    )


def no_delete(table: str, keys: Sequence[Sequence[str]]) -> migrations.RunPython:
    """Rows are neither deleted nor replaced; what of them may change is another guard's business."""
    return _operation(lambda vendor: [*_delete(vendor, table), *_replace(vendor, table, keys)])


def frozen_columns(table: str, columns: Sequence[str]) -> migrations.RunPython:
    """These columns keep the value they were inserted with. Name the primary key too: SQLite's UPDATE OR REPLACE.

    A table has one guard of updates: this, `changed_only_when` or that of `append_only`.
    """

    def made(vendor: str) -> list[str]:
        differs = "IS DISTINCT FROM" if vendor == "postgresql" else "IS NOT"
        return _update(vendor, table, " OR ".join(f'OLD."{name}" {differs} NEW."{name}"' for name in columns))

    return _operation(made)


def changed_only_when(table: str, condition: str) -> migrations.RunPython:
    """A row changes where `condition` over OLD and NEW holds, in SQL that both databases read; else never."""
    return _operation(lambda vendor: _update(vendor, table, f"({condition}) IS NOT TRUE"))


def refused_insert(table: str, name: str, condition: str, why: str) -> migrations.RunPython:
    """A new row is refused where `condition` over NEW holds, with `why`; both without quotes of their own in `why`."""
    return _operation(lambda vendor: _insert(vendor, table, name, condition, why))


def _operation(made: Statements) -> migrations.RunPython:
    def run(_apps: Any, schema_editor: Any) -> None:
        connection = schema_editor.connection
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                cursor.execute(REFUSE)
            for statement in made(connection.vendor):
                cursor.execute(statement)

    return migrations.RunPython(run, migrations.RunPython.noop)


def _update(vendor: str, table: str, condition: str) -> list[str]:
    return _trigger(vendor, table, "update", "BEFORE UPDATE", condition)


def _delete(vendor: str, table: str) -> list[str]:
    made = _trigger(vendor, table, "delete", "BEFORE DELETE", "")
    if vendor == "postgresql":
        made += _trigger(vendor, table, "truncate", "BEFORE TRUNCATE", "", each="STATEMENT")
    return made


def _replace(vendor: str, table: str, keys: Sequence[Sequence[str]]) -> list[str]:
    """SQLite deletes what INSERT OR REPLACE replaces without asking the guard of DELETE, by a hidden rowid too."""
    if vendor == "postgresql":
        return []
    same = [" AND ".join(f'"{name}" = NEW."{name}"' for name in key) for key in [*keys, ["rowid"]]]
    exists = " OR ".join(f'EXISTS (SELECT 1 FROM "{table}" WHERE {each})' for each in same)  # noqa: S608
    return _trigger(vendor, table, "replace", "BEFORE INSERT", exists)


def _trigger(vendor: str, table: str, what: str, event: str, condition: str, each: str = "ROW") -> list[str]:
    name = f"guard_{table}_{what}"
    when = f" WHEN ({condition})" if condition else ""
    if vendor == "postgresql":
        return [
            f'DROP TRIGGER IF EXISTS "{name}" ON "{table}"',
            f'CREATE TRIGGER "{name}" {event} ON "{table}" FOR EACH {each}{when} EXECUTE FUNCTION agentify_refuse()',
        ]
    why = f"{table}: its rows are kept as they were written ({event.removeprefix('BEFORE ')} refused)"
    refuse = f"SELECT RAISE(ABORT, '{why}')"
    return [
        f'DROP TRIGGER IF EXISTS "{name}"',
        f'CREATE TRIGGER "{name}" {event} ON "{table}"{when} BEGIN {refuse}; END',
    ]


def _insert(vendor: str, table: str, name: str, condition: str, why: str) -> list[str]:
    trigger = f"guard_{table}_{name}"
    if vendor == "postgresql":
        body = f"IF {condition} THEN RAISE EXCEPTION '{why}' USING ERRCODE = 'integrity_constraint_violation'; END IF;"
        function = f'CREATE OR REPLACE FUNCTION "{trigger}"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {body}'
        return [
            f"{function} RETURN NEW; END $$",
            f'DROP TRIGGER IF EXISTS "{trigger}" ON "{table}"',
            f'CREATE TRIGGER "{trigger}" BEFORE INSERT ON "{table}" FOR EACH ROW EXECUTE FUNCTION "{trigger}"()',
        ]
    refuse = f"SELECT RAISE(ABORT, '{why}')"
    return [
        f'DROP TRIGGER IF EXISTS "{trigger}"',
        f'CREATE TRIGGER "{trigger}" BEFORE INSERT ON "{table}" WHEN {condition} BEGIN {refuse}; END',
    ]
