"""Packs of a run, from the rows to the file that a stranger checks."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from pytest_django import Settings

from evidence_app.bundle.offline.findings import Report
from evidence_app.bundle.offline.program import verify
from evidence_app.models import Entry, Pack, Review
from evidence_app.models.review import Answer
from evidence_app.services import derived, packs, reviews, signing
from recipes_app.models import AuditEntry, User
from recipes_app.models.job import JobStatus
from recipes_app.services.errors import NotAllowed, WrongState
from tests.evidence_packs.conftest import Bench, built, collect
from tests.evidence_reviews.conftest import approve, damage


def checked(bench: Bench, pack: Pack, folder: Path, since: str | None = None) -> Report:
    path = folder / f"{pack.public_id}.zip"
    path.write_bytes(bench.bytes_of(pack))
    key = packs.key_of_ledger()
    assert key is not None
    return verify(path, keys=[key.fingerprint], since=since)


def why(pack: Pack) -> str:
    assert pack.job is not None
    return str((pack.job.error or {})["error"])


def test_a_reviewed_run_becomes_a_pack_that_verifies(bench: Bench, tmp_path: Path) -> None:
    bench.approve("ann")
    seen = {each["artifact"]: each["sha256"] for each in Review.objects.get(sample=bench.sample("ann")).seen}
    words = "She left in May."
    reviews.conclude(sample=bench.sample("ann"), by=bench.rita, seen=seen, answer=Answer.EXCEPTION, words=words)
    pack = bench.pack()
    assert (pack.job.status, pack.job.error) == (JobStatus.DONE, None)
    report = checked(bench, pack, tmp_path)
    assert (report.code, report.lines()) == (0, [])
    assert report.notes == ["1 of 2 samples are signed"]
    assert report.facts["run"]["id"] == bench.run.public_id
    entry = Entry.objects.get(kind="pack.built")
    assert (pack.entry, pack.samples) == (entry, 2)
    with zipfile.ZipFile(io.BytesIO(bench.bytes_of(pack))) as archive:
        index = archive.read("index.html").decode()
    assert "Exception: She left in May." in index
    assert "2 of 2 captured, 0 duplicated, 0 recaptured" in index
    assert "rita approved attempt 1" in index


def test_signed_samples_only(bench: Bench, tmp_path: Path, settings: Settings) -> None:
    pack = bench.pack(scope="signed")
    assert (pack.job.status, pack.built_at) == (JobStatus.FAILED, None)
    assert why(pack) == "No sample of this run is signed yet."
    bench.approve("bo")
    pack = bench.pack(scope="signed")
    report = checked(bench, pack, tmp_path)
    assert (report.code, report.facts["samples"], report.facts["signed"], pack.samples) == (0, 1, 1, 1)
    assert b"ann earns a lot" not in bench.bytes_of(pack)
    settings.REVIEW_TWO_SIGNATURES = True
    assert bench.pack(scope="signed").built_at is None


def test_originals_are_kept_back_where_there_is_a_redacted_copy(bench: Bench, tmp_path: Path) -> None:
    copy = derived.redact(row=bench.picture_of("ann"), boxes=[(40, 60, 200, 30)], by=bench.room.operator)
    pack = bench.pack(withholds=True)
    data = bench.bytes_of(pack)
    report = checked(bench, pack, tmp_path)
    assert (report.code, report.lines(), report.facts["withheld"]) == (0, [], 4)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert f"objects/{copy.sha256}.png" in archive.namelist()
        assert f"objects/{bench.picture_of('ann').sha256}.png" not in archive.namelist()
        assert f"objects/{bench.picture_of('bo').sha256}.png" in archive.namelist()
    assert b"ann earns a lot" not in data
    assert b"I look at ann." not in data
    assert b"bo earns a lot" in data
    assert b"ann earns a lot" in bench.bytes_of(bench.pack())


def test_no_secret_of_a_sample_is_in_a_pack(bench: Bench) -> None:
    bench.run = collect(bench.room, "ann", secret="canary-in-a-coal-mine")
    data = bench.bytes_of(bench.pack())
    assert b"I look at ann." in data
    assert b"canary-in-a-coal-mine" not in data


def test_a_file_that_changed_in_the_store_is_never_packed(bench: Bench, evidence_root: Path) -> None:
    damage(bench.picture_of("ann"), evidence_root)
    pack = bench.pack()
    assert (pack.job.status, pack.is_there) == (JobStatus.FAILED, False)
    assert "of sample ann" in why(pack)


def test_a_later_pack_goes_on_from_an_earlier_one(bench: Bench, tmp_path: Path) -> None:
    first = bench.pack()
    checked(bench, first, tmp_path)
    bench.approve("ann", "bo")
    second = bench.pack()
    since = str(tmp_path / f"{first.public_id}.zip")
    assert checked(bench, second, tmp_path, since=since).code == 0
    later = str(tmp_path / f"{second.public_id}.zip")
    assert checked(bench, first, tmp_path, since=later).code == 7


def test_who_knows_the_old_key_is_led_on_to_the_new_one(bench: Bench, tmp_path: Path) -> None:
    bench.pack()
    old = packs.key_of_ledger()
    assert old is not None
    signing.rotate()
    pack = bench.pack()
    path = tmp_path / "pack.zip"
    path.write_bytes(bench.bytes_of(pack))
    new = packs.key_of_ledger()
    assert new is not None
    assert new.fingerprint != old.fingerprint
    assert verify(path, keys=[new.fingerprint]).code == 0
    report = verify(path, keys=[old.fingerprint])
    assert (report.code, f"the key that was named handed over to {new.fingerprint}" in report.notes) == (0, True)


def test_packs_are_made_of_what_is_over_and_once_at_a_time(bench: Bench) -> None:
    with pytest.raises(NotAllowed, match="You cannot make packs"):
        packs.request(run=bench.run, by=bench.room.viewer)
    with pytest.raises(WrongState, match="is not over yet"):
        packs.request(run=bench.room.request("cy"), by=bench.room.operator)
    first = packs.request(run=bench.run, by=bench.room.operator)
    with pytest.raises(WrongState, match="is being made already"):
        packs.request(run=bench.run, by=bench.rita)
    assert first.job is not None
    first.job.cancel_requested_at = first.created_at
    first.job.save(update_fields=["cancel_requested_at"])
    assert built(first.job).status == JobStatus.CANCELLED
    assert bench.pack().is_there


def test_the_page_makes_lists_and_hands_out_packs_and_writes_down_to_whom(
    bench: Bench, signed_in: Callable[[User], Client]
) -> None:
    page, operator = f"/evidence/runs/{bench.run.public_id}/packs/", signed_in(bench.room.operator)
    assert "There is none yet." in operator.get(page).text
    said = operator.post(f"{page}new/", {"scope": "all", "withholds": "on"}, follow=True)
    assert "The pack is being made." in said.text
    assert "Waiting for a worker" in said.text
    pack = Pack.objects.get()
    assert (pack.scope, pack.withholds) == ("all", True)
    built(pack.job)
    pack.refresh_from_db()
    viewer = signed_in(bench.room.viewer)
    shown = viewer.get(page).text
    assert "Make a pack" not in shown
    assert "originals kept back" in shown
    key = packs.key_of_ledger()
    assert key is not None
    assert key.fingerprint in shown
    sent = viewer.get(f"/evidence/packs/{pack.public_id}/pack.zip")
    assert sent["Content-Type"] == "application/zip"
    assert zipfile.ZipFile(io.BytesIO(sent.getvalue())).testzip() is None
    assert AuditEntry.objects.filter(action="pack.downloaded", actor=bench.room.viewer).count() == 1
    program = Client().get("/.well-known/agentify-verify.py")
    with zipfile.ZipFile(io.BytesIO(bench.bytes_of(pack))) as archive:
        assert program.content == archive.read("verify.py")
    for client in (signed_in(bench.room.stranger), Client()):
        assert client.get(f"/evidence/packs/{pack.public_id}/pack.zip").status_code in (302, 404)
        assert client.get(page).status_code in (302, 404)
    assert operator.get(f"/evidence/jobs/{pack.job.public_id}/")["Location"] == page
    assert page in operator.get(f"/evidence/runs/{bench.run.public_id}/").text


def test_from_the_command_line(bench: Bench, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    approve(bench.rita, bench.sample("ann"))
    path = tmp_path / "for the auditor.zip"
    given = {"username": "otto", "out": str(path), "json": True, "signed": True}
    call_command("export_pack", bench.run.folder, **given)
    made = json.loads(capsys.readouterr().out)
    assert (made["samples"], made["size"]) == (1, path.stat().st_size)
    with pytest.raises(SystemExit) as ended:
        call_command("export_pack", bench.run.folder, **given)
    assert ended.value.code == 2
    assert "is there already" in capsys.readouterr().err
    from evidence_app.management.commands.verify_pack import Command

    for more, code in (["--key", made["key"]], 0), ([], 6), (["--key", "x"], 1):
        with pytest.raises(SystemExit) as ended:
            Command().run_from_argv(["manage.py", "verify_pack", str(path), *more])
        assert ended.value.code == code
    assert "GOOD: everything in this pack" in capsys.readouterr().out
