"""Whoever has the database, and the disk, and the key: what each can change, and by what it is found out."""

from __future__ import annotations

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from evidence_app.ledger import merkle, note
from evidence_app.ledger.errors import BadSignature, Rewritten
from evidence_app.ledger.note import Head, Signer
from evidence_app.models import Artifact, Attempt, Entry, Run, TreeHead
from evidence_app.services import artifacts, ledger, signing
from tests.evidence_web.conftest import Room
from tests.ledger.vault import collect, cut, drop_guards, problems, recompute, rewrite, sql, verified


@pytest.fixture
def signed(vendor: str, collected: Run) -> Run:
    """Under a signed head; the guards are gone, as a superuser can have it."""
    signing.sign()
    report = verified()
    assert (report.problems, report.heads, report.hashed) == ([], 1, 6)
    drop_guards()
    return collected


def told(**how: object) -> list[str]:
    return [line for line in problems(**how) if "guards are not in the database" not in line]


def seq_of(kind: str) -> int:
    entry = Entry.objects.filter(kind=kind).order_by("seq").first()
    assert entry is not None
    return entry.seq


def test_an_edited_entry(signed: Run) -> None:
    seq = seq_of("capture.kept")
    assert sql("UPDATE evidence_app_entry SET body = replace(body, 'capture', 'kapture') WHERE seq = %s", seq) == 1
    assert told()[0] == f"entry {seq}: its text is not what was hashed"


def test_an_edited_time_of_an_entry(signed: Run) -> None:
    sql("UPDATE evidence_app_entry SET at = '2020-01-01' WHERE seq = 2")
    assert told() == ["entry 2: its number, kind or time is not what its text says"]


def test_an_entry_filed_under_another_run(signed: Run, room: Room) -> None:
    other = room.request("cy")
    seq = seq_of("sample.finished")
    sql("UPDATE evidence_app_entry SET run_id = %s WHERE seq = %s", other.pk, seq)
    assert told()[0] == f"entry {seq}: it is about the run {signed.public_id}, and is filed under {other.public_id}"


def test_edited_facts(signed: Run) -> None:
    seq = seq_of("sample.finished")
    sql("UPDATE evidence_app_opening SET facts = replace(facts, 'ann', 'eve') WHERE entry_id = %s", seq)
    assert told() == [f"entry {seq}: what it tells of (sample.finished) is not what was committed to"]


def test_facts_removed_without_a_word(signed: Run) -> None:
    sql("UPDATE evidence_app_opening SET facts = '', salt = '', removed_at = '2026-11-30' WHERE entry_id = 1")
    assert "entry 1: what it tells of was taken away, and no entry says so" in told()


@pytest.mark.parametrize(
    ("statement", "names"),
    [
        ('UPDATE evidence_app_attempt SET extracted = \'{"name": "eve"}\'', "extracted"),
        ("UPDATE evidence_app_attempt SET judgment = NULL", "judgment"),
        ("UPDATE evidence_app_field SET value = '\"eve\"'", "fields"),
        ("UPDATE evidence_app_actionentry SET thinking = 'nothing'", "log"),
    ],
)
def test_an_edited_row_of_a_sample(signed: Run, statement: str, names: str) -> None:
    sql(statement)
    assert told()[0] == f"entry {seq_of('sample.finished')}: {names} of ann (attempt 1) changed after its end"


def test_a_file_swapped_on_the_disk(signed: Run) -> None:
    row = Artifact.objects.order_by("pk").first()
    path = artifacts.blobs().path_of(row.sha256)  # type: ignore[attr-defined]
    path.chmod(0o644)
    path.write_bytes(b"eve, Engineer")
    line = f"entry {seq_of('capture.kept')}: the file {row.name} ({row.sha256[:12]}…)"
    assert told()[0].startswith(f"{line} has other bytes")
    path.unlink()
    assert told()[0].startswith(f"{line} cannot be read")
    assert told(files="none") == []


def test_two_files_swapped_in_their_rows(signed: Run) -> None:
    first, second = Artifact.objects.filter(kind="text").order_by("pk")
    for row, other in ((first, second), (second, first)):
        sql("UPDATE evidence_app_artifact SET sha256 = %s WHERE id = %s", other.sha256, row.pk)
    assert told()[0] == f"entry {seq_of('capture.kept')}: the row of {first.name} was changed"


def test_a_file_that_nobody_captured(signed: Run) -> None:
    row = Artifact.objects.filter(kind="text").order_by("-pk")[0]
    copied = Artifact.objects.get(pk=row.pk)
    copied.pk, copied.name = None, "99_more.txt"
    copied.save()
    assert told() == [f"the file 99_more.txt ({copied.pk}) is named by no entry"]


def test_a_file_marked_as_removed_without_a_word(signed: Run) -> None:
    """Anybody with the rights of the application can do that, guards or not."""
    row = Artifact.objects.filter(kind="text").order_by("pk")[0]
    sql("UPDATE evidence_app_artifact SET removed_at = '2026-11-30' WHERE id = %s", row.pk)
    assert told() == [f"the file {row.name} ({row.pk}) is marked as removed, and no entry says so"]


def test_a_deleted_attempt(signed: Run) -> None:
    attempt = Attempt.objects.order_by("pk")[0]
    for table in ("field", "actionentry", "artifact"):
        sql(f"DELETE FROM evidence_app_{table} WHERE attempt_id = %s", attempt.pk)
    sql("DELETE FROM evidence_app_exhibit WHERE attempt_id = %s", attempt.pk)
    sql("DELETE FROM evidence_app_attempt WHERE id = %s", attempt.pk)
    assert f"entry {seq_of('sample.finished')}: attempt 1 at ann is gone" in told()


def test_a_tail_cut_off(signed: Run) -> None:
    size = ledger.size()
    cut(size - 2)
    assert told(files="none")[0].startswith(f"entry {size - 2}: entries are gone: the head that is remembered")
    with pytest.raises(Rewritten, match=f"has {size - 2} entries, and a head over {size} was signed already"):
        signing.sign()


def test_an_entry_taken_out_of_the_middle(signed: Run) -> None:
    sql("DELETE FROM evidence_app_opening WHERE entry_id = 3")
    sql("DELETE FROM evidence_app_entry WHERE seq = 3")
    assert told()[0] == "entry 3: is missing, so nothing after it could be verified"


def test_everything_recomputed(signed: Run) -> None:
    """Nothing in the database contradicts itself any more but the signed head, which cannot be made anew."""
    rewrite(0, title="Another title")
    recompute()
    assert told()[0].startswith(
        "history was rewritten: the head that is remembered outside of the database has another"
    )
    with pytest.raises(Rewritten, match="are not those that were signed"):
        signing.sign()


def test_everything_recomputed_and_signed_by_another_key(signed: Run) -> None:
    rewrite(0, title="Another title")
    recompute()
    sql("DELETE FROM evidence_app_treehead")
    sql("DELETE FROM evidence_app_ledgerkey")
    size, root = ledger.current()
    forger = Signer(signing.origin(), Ed25519PrivateKey.generate())
    text = note.sign(Head(forger.name, size, root), [forger])
    TreeHead.objects.create(size=size, root=root.hex(), note=text, fingerprint=forger.verifier.fingerprint)
    lines = told()
    assert any(line.startswith("history was rewritten: the head that is remembered") for line in lines)
    assert f"the head signed over {size} entries is not signed by the key it has to be signed by" in lines
    with pytest.raises(Rewritten):
        signing.sign()


def test_an_old_head_laid_back(vendor: str, room: Room) -> None:
    """Whoever has the disk beside the database lays back the file of the older state; the newer head is known still."""
    collect(room, "ann")
    signing.sign()
    old = signing.folder().head()
    collect(room, "bo")
    signing.sign()
    size = ledger.size()
    drop_guards()
    signing.folder().remember(old)
    sql("DELETE FROM evidence_app_opening WHERE entry_id >= %s", size - 1)
    sql("DELETE FROM evidence_app_entry WHERE seq >= %s", size - 1)
    with pytest.raises(Rewritten, match=f"a head over {size} was signed already"):
        signing.sign()


def test_all_of_it_taken_back_is_found_out_by_a_head_kept_elsewhere(vendor: str, room: Room) -> None:
    """Database, disk and all heads in both: only what lies outside of the house tells."""
    collect(room, "ann")
    signing.sign()
    size, old = ledger.size(), signing.folder().head()
    collect(room, "bo")
    signing.sign()
    outside = signing.folder().head()
    drop_guards()
    cut(size)
    sql("DELETE FROM evidence_app_node")
    recompute()
    signing.folder().remember(old)
    assert signing.sign() is None
    assert (
        f"entries are gone: the head that was kept elsewhere is over {note.read(outside)[0].size}"
        in told(since=outside)[0]
    )


def test_with_the_signing_key_everything_can_be_made_anew_but_a_head_kept_elsewhere(signed: Run) -> None:
    outside = signing.folder().head()
    rewrite(0, title="Another title")
    recompute()
    sql("DELETE FROM evidence_app_treehead")
    signing.folder().set_aside(0)
    signing.sign()
    assert told() == []
    assert told(since=outside)[0].startswith("history was rewritten: the head that was kept elsewhere has another root")


def test_a_kept_hash_that_was_changed(signed: Run) -> None:
    sql('UPDATE evidence_app_node SET hash = %s WHERE level = 1 AND "index" = 0', "0" * 64)
    assert told()[0] == "entry 1: the kept hash is not that of the entries up to it"
    sql("DELETE FROM evidence_app_node WHERE level = 2")
    with pytest.raises(Rewritten, match="is missing"):
        signing.sign()


def test_a_remembered_head_of_another_key(signed: Run) -> None:
    forger = Signer(signing.origin(), Ed25519PrivateKey.generate())
    signing.folder().remember(note.sign(Head(forger.name, 1, merkle.EMPTY_ROOT), [forger]))
    with pytest.raises(BadSignature, match="is not of the key that is here now"):
        signing.sign()
    assert "the last head that was signed here is not of the key that is here now" in told()
