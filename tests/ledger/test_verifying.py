"""verify-ledger at the terminal, by night, and on the page."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.core.management import call_command
from django.urls import reverse
from pytest_django import Settings

from evidence_app.models import Artifact, Entry, Run
from evidence_app.services import alarms, artifacts, integrity, ledger, nightly, signing, verifying
from evidence_app.services.verifying import Report
from recipes_app.models import Notice
from tests.evidence_web.conftest import Room
from tests.ledger.vault import collect, drop_guards, rewrite, sql, verified
from tests.web.conftest import SignIn

NIGHT = datetime(2026, 12, 1, 3, 20, tzinfo=UTC)


def test_at_the_terminal_nothing_is_wrong(collected: Run, capsys: pytest.CaptureFixture[str]) -> None:
    signing.sign()
    call_command("verify_ledger", "--json")
    told = json.loads(capsys.readouterr().out)
    assert (told["ok"], told["first"], told["entries"], told["heads"]) == (True, None, ledger.size(), 1)
    assert (told["hashed"], told["bytes"]) == (6, sum(row.size for row in Artifact.objects.all()))
    call_command("verify_ledger", "--files", "none")
    assert "Nothing is wrong." in capsys.readouterr().out


def test_at_the_terminal_the_first_wrong_thing_is_named(collected: Run, capsys: pytest.CaptureFixture[str]) -> None:
    drop_guards()
    for seq in (3, 2):
        sql("UPDATE evidence_app_opening SET salt = %s WHERE entry_id = %s", "00" * 32, seq)
    with pytest.raises(SystemExit) as end:
        call_command("verify_ledger")
    assert end.value.code == 1
    last = capsys.readouterr().out.strip().splitlines()[-1]
    kind = Entry.objects.get(seq=2).kind
    assert last == f"3 wrong. The first: entry 2: what it tells of ({kind}) is not what was committed to"


def test_a_head_kept_elsewhere_and_the_fingerprint_of_its_key(
    collected: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    head = signing.sign()
    kept = tmp_path / "head.note"
    kept.write_text(head.note)
    ledger.append("test.done", {})
    call_command("verify_ledger", "--since", str(kept), "--key", head.fingerprint.upper(), "--files", "none")
    with pytest.raises(SystemExit):
        call_command("verify_ledger", "--key", "0" * 64, "--files", "none")
    assert f"no head was ever signed by the key {'0' * 64}" in capsys.readouterr().out


def test_a_long_ledger_is_read_in_pieces(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evidence_app.services.verifying.CHUNK", 4)
    for number in range(23):
        ledger.append("test.done", {"number": number})
        if number % 5 == 0:
            signing.sign()
    report = verified()
    assert (report.problems, report.entries, report.heads) == ([], 23, 5)
    assert bytes.fromhex(report.root) == ledger.current()[1]


def test_what_comes_while_the_ledger_is_read_is_nothing_wrong(collected: Run, room: Room) -> None:
    signing.sign()
    report = Report(files="all")
    for turn, _ in enumerate(verifying.verify(report)):
        if turn == 1:
            collect(room, "cy")
            signing.sign()
    assert (report.problems, report.heads, report.hashed) == ([], 1, 9)


def test_files_from_before_the_ledger_are_a_note(room: Room) -> None:
    attempt = room.request("zoe").samples.get().attempts.get()
    blob = artifacts.blobs().put([b"old"])
    about = {"seq": 1, "kind": "text", "label": "old", "name": "old.txt", "sha256": blob.sha256, "size": blob.size}
    Artifact.objects.create(attempt=attempt, **about)
    collect(room, "ann")
    report = verified()
    assert (report.problems, report.hashed) == ([], 4)
    assert "1 files are older than the ledger: no entry names them" in report.notes


@pytest.mark.parametrize(
    ("hour", "last", "is_due"),
    [
        (3, None, True),
        (3, timedelta(hours=23), True),
        (3, timedelta(hours=1), False),
        (4, timedelta(hours=30), False),
        (4, timedelta(hours=49), True),
        (-1, timedelta(days=9), False),
    ],
)
def test_once_a_night(
    db: None, settings: Settings, monkeypatch: pytest.MonkeyPatch, hour: int, last: timedelta | None, is_due: bool
) -> None:
    settings.LEDGER_VERIFY_HOUR = hour
    monkeypatch.setattr("django.utils.timezone.now", lambda: NIGHT - (last or timedelta(hours=1)))
    ledger.append(integrity.VERIFIED if last else "test.done", {"ok": True})
    assert nightly.is_due(NIGHT) is is_due


def test_nothing_is_verified_where_there_is_nothing(db: None) -> None:
    assert nightly.is_due(NIGHT) is False


def test_by_night_it_is_done_a_bit_at_a_time_and_the_ledger_tells_it(
    collected: Run, settings: Settings, monkeypatch: pytest.MonkeyPatch, room: Room, signed_in: SignIn
) -> None:
    monkeypatch.setattr(nightly, "is_due", lambda now: True)
    monkeypatch.setattr(nightly, "TURN_S", -1.0)
    settings.LEDGER_VERIFY_FILES = "all"
    signing.sign()
    turns = 0
    while not nightly.verify_due():
        turns += 1
    assert turns > 6
    last = integrity.last_verification()
    assert (last.facts["ok"], last.facts["hashed"], last.facts["how"]) == (True, 6, "nightly")
    page = signed_in(room.viewer).get(reverse("integrity")).content.decode()
    assert "Nothing was wrong" in page
    assert signing.verifier().fingerprint in page
    assert verified().problems == []


def test_what_was_found_wrong_stands_until_all_of_it_was_read_again(collected: Run, settings: Settings) -> None:
    row = Artifact.objects.order_by("pk")[0]
    path = artifacts.blobs().path_of(row.sha256)  # type: ignore[attr-defined]
    data = path.read_bytes()
    path.unlink()
    nightly.record(verified("all"), how="nightly")
    (alarm,) = alarms.standing()
    assert row.name in alarm.text
    assert Notice.objects.filter(event=alarms.RAISED).exists()
    assert nightly.wanted_files() == "all"
    artifacts.blobs().put([data])
    nightly.record(Report(files="sample"), how="nightly")
    assert alarms.standing()
    nightly.record(verified("all"), how="nightly")
    assert alarms.standing() == []
    assert nightly.wanted_files() == "sample"


def test_an_outcome_that_cannot_be_written_into_a_broken_ledger_is_an_alarm_all_the_same(collected: Run) -> None:
    drop_guards()
    rewrite(0, title="other")
    sql("DELETE FROM evidence_app_node")
    nightly.record(verified("none"), how="nightly")
    assert alarms.standing()[0].about == alarms.VERIFYING
