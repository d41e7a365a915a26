"""What the database itself refuses, whoever asks with the rights of the application."""

import pytest
from django.db import IntegrityError, ProgrammingError
from django.utils import timezone

from evidence_app.models import Artifact, Entry, LedgerKey, Node, Opening, Run, TreeHead
from evidence_app.services import guards, ledger, signing
from tests.ledger.vault import drop_guards, sql, verified

ADDED_TO_ONLY = [
    ("entry", "seq", "body"),
    ("node", "id", "hash"),
    ("treehead", "id", "note"),
    ("ledgerkey", "fingerprint", "verifier"),
]
COUNTED = {"entry": Entry, "node": Node, "treehead": TreeHead, "ledgerkey": LedgerKey}


@pytest.fixture
def signed(vendor: str, collected: Run) -> str:
    signing.sign()
    ledger.append("test.done", {})
    signing.sign()
    return vendor


@pytest.mark.parametrize(("name", "key", "column"), ADDED_TO_ONLY)
def test_rows_of_the_ledger_are_added_to_only(signed: str, name: str, key: str, column: str) -> None:
    table, count = f"evidence_app_{name}", COUNTED[name]._default_manager.count()
    columns = ", ".join(f'"{field.column}"' for field in COUNTED[name]._meta.concrete_fields)
    same = f"SELECT {columns} FROM {table}"
    attacks = [f"UPDATE {table} SET {column} = 'x'", f"UPDATE {table} SET {key} = {key}", f"DELETE FROM {table}"]
    if signed == "sqlite":
        attacks += [f"INSERT OR REPLACE INTO {table} ({columns}) {same}", f"REPLACE INTO {table} ({columns}) {same}"]
        attacks += [f"UPDATE OR REPLACE {table} SET {key} = 1 WHERE {key} <> 1"]
        attacks += [f"INSERT OR REPLACE INTO {table} (rowid, {columns}) SELECT rowid, {columns} FROM {table}"]
    else:
        attacks += [
            f"TRUNCATE {table} CASCADE",
            f"INSERT INTO {table} ({columns}) {same} ON CONFLICT ({key}) DO UPDATE SET {column} = 'x'",
        ]
    for attack in attacks:
        with pytest.raises(IntegrityError, match="kept as they were written"):
            sql(attack)
    rows = COUNTED[name]._default_manager
    assert (rows.count(), rows.filter(**{column: "x"}).count()) == (count, 0)


def test_what_an_entry_tells_can_be_removed_and_never_changed(signed: str) -> None:
    table = "evidence_app_opening"
    for attack in (
        f"DELETE FROM {table}",
        f"UPDATE {table} SET facts = '{{}}'",
        f"UPDATE {table} SET salt = '', facts = ''",
        f"UPDATE {table} SET entry_id = entry_id + 100",
    ):
        with pytest.raises(IntegrityError, match="kept as they were written"):
            sql(attack)
    assert Opening.objects.filter(pk=1).update(salt="", facts="", removed_at=timezone.now()) == 1
    with pytest.raises(IntegrityError, match="kept as they were written"):
        sql(f"UPDATE {table} SET facts = 'anew' WHERE entry_id = 1")
    with pytest.raises(IntegrityError, match="kept as they were written"):
        sql(f"UPDATE {table} SET removed_at = NULL WHERE entry_id = 1")


def test_a_file_keeps_its_hash_size_name_and_attempt(signed: str) -> None:
    table = "evidence_app_artifact"
    for change in (f"sha256 = '{'0' * 64}'", "size = size + 1", "name = 'other'", "attempt_id = attempt_id + 1"):
        with pytest.raises(IntegrityError, match="kept as they were written"):
            sql(f"UPDATE {table} SET {change}")
    with pytest.raises(IntegrityError, match="kept as they were written"):
        sql(f"DELETE FROM {table}")
    if signed == "sqlite":
        with pytest.raises(IntegrityError, match="kept as they were written"):
            sql(f"UPDATE OR REPLACE {table} SET id = 1 WHERE id = 2")
    else:
        with pytest.raises(IntegrityError, match="kept as they were written"):
            sql(f"TRUNCATE {table} CASCADE")
    assert Artifact.objects.update(removed_at=timezone.now(), source_url="")


def test_every_guard_is_in_place_and_known(vendor: str, db: None) -> None:
    """A migration that alters a table on SQLite loses its guards: this is where that shows."""
    assert guards.present() == guards.wanted()


def test_a_guard_that_was_taken_away_is_told(vendor: str, collected: Run) -> None:
    assert guards.missing() == []
    drop_guards()
    (told,) = verified(files="none").problems
    assert str(told).startswith("rows can be changed, as guards are not in the database: guard_evidence_app_artifact_")


@pytest.mark.postgres
def test_a_role_that_does_not_own_the_tables_cannot_take_the_guards_away(collected: Run) -> None:
    """As docs/security.md recommends it: what the application needs is granted, and no more."""
    sql("CREATE ROLE app_only")
    sql("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO app_only")
    sql("GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO app_only")
    sql("SET LOCAL ROLE app_only")
    for attack in (
        "DROP TRIGGER guard_evidence_app_entry_delete ON evidence_app_entry",
        "ALTER TABLE evidence_app_entry DISABLE TRIGGER USER",
        "TRUNCATE evidence_app_entry CASCADE",
        "CREATE OR REPLACE FUNCTION agentify_refuse() RETURNS trigger LANGUAGE sql AS ''",
        "SET session_replication_role = replica",
    ):
        with pytest.raises(ProgrammingError, match=r"must be owner|permission denied"):
            sql(attack)
    with pytest.raises(IntegrityError, match="kept as they were written"):
        sql("DELETE FROM evidence_app_entry")
    ledger.append("test.done", {})
    assert signing.sign().size == ledger.size()
    assert verified().problems == []
