"""Attacks on a pack, from the clumsy to the one who holds everything but the auditor's memory: each with its code."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from evidence_app.bundle.offline.findings import Report
from evidence_app.bundle.offline.program import verify
from tests.bundle import attacking
from tests.bundle.attacking import (
    ENTRIES,
    HEAD,
    MANIFEST,
    Files,
    changed,
    commit_again,
    grow_again,
    list_again,
    object_of,
)
from tests.bundle.making import (
    REVIEWER,
    RUNNER,
    Room,
    capture,
    content_of,
    decide,
    found,
    key_of,
    pack_of,
    room_in,
    withholding,
)


def code_and_lines(report: Report) -> tuple[int, str]:
    return report.code, "\n".join(report.lines())


def test_a_pack_is_good_with_the_key_and_only_consistent_without(shared: tuple[Room, Path]) -> None:
    room, pack = shared
    assert code_and_lines(found(pack, room)) == (0, "")
    without = verify(pack, keys=[])
    assert without.code == 6
    assert f"consistent, signer not known: is {room.fingerprint} the key you expect?" in without.lines()[0]
    other = verify(pack, keys=[key_of(b"another").verifier.fingerprint])
    assert other.code == 6
    assert "not by the key that was named" in other.lines()[0]


def test_a_changed_picture_is_named(shared: tuple[Room, Path]) -> None:
    room, pack = shared
    code, said = code_and_lines(
        found(changed(pack, lambda files: files.update({object_of(files, ".png"): b"x"})), room)
    )
    assert code == 2
    assert "01_home.png of sample A-" in said
    assert "was changed" in said


def test_a_missing_file_is_named(shared: tuple[Room, Path]) -> None:
    room, pack = shared
    code, said = code_and_lines(found(changed(pack, lambda files: files.pop(object_of(files, ".png"))), room))
    assert code == 3
    assert "is in the manifest and not in the pack" in said


@pytest.mark.parametrize("name", ["extra.txt", "objects/" + "0" * 64, "../../etc/passwd", "/etc/passwd", "a\\b", "ü"])
def test_a_file_more_is_named(shared: tuple[Room, Path], name: str) -> None:
    room, pack = shared
    code, said = code_and_lines(found(changed(pack, lambda files: files.update({name: b"more"})), room))
    assert code == 4
    assert "the manifest does not know it" in said


@pytest.mark.parametrize(
    "name", [MANIFEST, ENTRIES, "ledger/sealing.json", "ledger/proofs.jsonl", HEAD, "ledger/keys.txt"]
)
def test_a_missing_document_is_named(shared: tuple[Room, Path], name: str) -> None:
    room, pack = shared
    code, said = code_and_lines(found(changed(pack, lambda files: files.pop(name)), room))
    assert (code, f"missing: {name}" in said) == (3, True)


def test_order_does_not_matter(shared: tuple[Room, Path]) -> None:
    room, pack = shared
    assert code_and_lines(found(changed(pack, lambda files: files, order=-1), room)) == (0, "")


def test_swapped_pictures_are_two_findings(shared: tuple[Room, Path]) -> None:
    room, pack = shared

    def swap(files: Files) -> None:
        one, other = object_of(files, ".png"), object_of(files, ".png", 1)
        files[one], files[other] = files[other], files[one]

    code, said = code_and_lines(found(changed(pack, swap), room))
    assert (code, said.count("was changed")) == (2, 2)


def test_pictures_swapped_in_the_manifest_too_are_not_what_they_are_called(shared: tuple[Room, Path]) -> None:
    room, pack = shared

    def swap(files: Files) -> None:
        one, other = object_of(files, ".png"), object_of(files, ".png", 1)
        files[one], files[other] = files[other], files[one]
        list_again(files)

    code, said = code_and_lines(found(changed(pack, swap), room))
    assert (code, said.count("is not what was captured")) == (2, 2)
    assert "proof: entry" in said


def conclude(facts: dict[str, Any]) -> None:
    facts["answer"] = "not_applicable"


def test_an_edited_row_is_not_what_was_entered(shared: tuple[Room, Path]) -> None:
    room, pack = shared

    def edit(files: Files) -> None:
        attacking.edit_facts(files, "conclusion.given", conclude)
        list_again(files)

    code, said = code_and_lines(found(changed(pack, edit), room))
    assert code == 2
    assert "(conclusion.given): what it says is not what was entered in the ledger" in said


def recommitted(files: Files) -> None:
    attacking.edit_facts(files, "conclusion.given", conclude)
    commit_again(files)
    list_again(files)


def test_an_edited_row_with_its_commitment_is_in_no_ledger(shared: tuple[Room, Path]) -> None:
    room, pack = shared
    code, said = code_and_lines(found(changed(pack, recommitted), room))
    assert code == 5
    assert "its proof does not lead to the root that was signed" in said


def test_everything_computed_anew_lacks_the_signature(shared: tuple[Room, Path]) -> None:
    room, pack = shared

    def forge(files: Files) -> None:
        recommitted(files)
        grow_again(files)

    code, said = code_and_lines(found(changed(pack, forge), room))
    assert (code, "the signature of evidence.example under it is wrong" in said) == (6, True)


def test_everything_computed_anew_and_signed_by_oneself_is_by_nobody_known(shared: tuple[Room, Path]) -> None:
    room, pack = shared

    def forge(files: Files) -> None:
        recommitted(files)
        grow_again(files, key_of(b"the forger's"))

    forged = changed(pack, forge)
    code, said = code_and_lines(found(forged, room))
    assert (code, "not by the key that was named" in said) == (6, True)
    assert verify(forged, keys=[]).code == 6


def test_who_holds_the_key_cannot_rewrite_what_an_auditor_has_seen(shared: tuple[Room, Path], tmp_path: Path) -> None:
    room, pack = shared

    def forge(files: Files) -> None:
        recommitted(files)
        grow_again(files, room.signer)

    forged = changed(pack, forge)
    assert found(forged, room).code == 0  # nothing in it is wrong by itself
    code, said = code_and_lines(found(forged, room, since=str(pack)))
    assert (code, "history was rewritten" in said) == (7, True)


def test_an_old_head_does_not_hold_the_newer_entries(tmp_path: Path) -> None:
    room = room_in(tmp_path)
    old = room.head()
    pack = pack_of(room, tmp_path / "pack.zip")
    replayed = changed(pack, lambda files: files.update({HEAD: old.encode()}))
    code, said = code_and_lines(found(replayed, room))
    assert (code, "(pack.built): the ledger that was signed has" in said) == (5, True)


def test_a_pack_whose_ledger_lost_its_end_is_behind_what_is_known(tmp_path: Path) -> None:
    room = room_in(tmp_path)
    pack = pack_of(room, tmp_path / "pack.zip")
    for _ in range(3):
        room.append("capture.kept", {"run": "later"})
    known = tmp_path / "known.note"
    known.write_text(room.head(), encoding="utf-8")
    code, said = code_and_lines(found(pack, room, since=str(known)))
    assert (code, "and the earlier one had 17 already" in said) == (7, True)


def test_the_end_of_the_entries_cannot_be_left_out(shared: tuple[Room, Path]) -> None:
    room, pack = shared

    def cut(files: Files) -> None:
        files[ENTRIES] = b"".join(files[ENTRIES].splitlines(keepends=True)[:-1])
        list_again(files)

    code, said = code_and_lines(found(changed(pack, cut), room))
    assert (code, "it holds 9 entries, not 10" in said) == (2, True)


@pytest.mark.parametrize("cut", [1, 22, 500, 100_000])
def test_a_pack_that_is_cut_off_is_none(shared: tuple[Room, Path], tmp_path: Path, cut: int) -> None:
    room, pack = shared
    target = tmp_path / "cut.zip"
    target.write_bytes(pack.read_bytes()[:-cut])
    assert found(target, room).code == 2


@pytest.mark.parametrize(("before", "after"), [(b"MZ", b""), (b"", b"\0"), (b"", b"PK\5\6" + b"\0" * 18)])
def test_nothing_stands_before_or_behind(
    shared: tuple[Room, Path], tmp_path: Path, before: bytes, after: bytes
) -> None:
    room, pack = shared
    target = tmp_path / "more.zip"
    target.write_bytes(before + pack.read_bytes() + after)
    assert found(target, room).code in (2, 3)


def test_a_pack_that_was_compressed_anew_is_refused(shared: tuple[Room, Path], tmp_path: Path) -> None:
    room, pack = shared
    target = tmp_path / "small.zip"
    with zipfile.ZipFile(pack) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, old.read(name))
    code, said = code_and_lines(found(target, room))
    assert (code, "it is compressed, which a pack never is" in said) == (2, True)


def test_a_name_that_occurs_twice_is_refused(shared: tuple[Room, Path], tmp_path: Path) -> None:
    room, pack = shared
    target = tmp_path / "twice.zip"
    target.write_bytes(pack.read_bytes())
    with zipfile.ZipFile(target, "a") as new, pytest.warns(UserWarning, match="Duplicate name"):
        new.writestr(MANIFEST, b"{}")
    code, said = code_and_lines(found(target, room))
    assert (code, "two files in the pack have this name" in said) == (4, True)


def test_a_link_is_refused(shared: tuple[Room, Path], tmp_path: Path) -> None:
    room, pack = shared
    target, info = tmp_path / "link.zip", zipfile.ZipInfo("link")
    target.write_bytes(pack.read_bytes())
    info.external_attr = 0o120777 << 16
    with zipfile.ZipFile(target, "a") as new:
        new.writestr(info, b"manifest.json")
    code, said = code_and_lines(found(target, room))
    assert (code, "it is no plain file" in said) == (4, True)


def test_a_newer_format_asks_for_a_newer_program(shared: tuple[Room, Path]) -> None:
    room, pack = shared

    def age(files: Files) -> None:
        files[MANIFEST] = files[MANIFEST].replace(b"agentify-pack/1", b"agentify-pack/2")

    code, said = code_and_lines(found(changed(pack, age), room))
    assert (code, "this program knows 1" in said) == (10, True)


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"format": "agentify-pack/1"}', b'{"a":1,"a":1}', b"[" * 100_000])
def test_a_manifest_that_is_none(shared: tuple[Room, Path], data: bytes) -> None:
    room, pack = shared
    assert found(changed(pack, lambda files: files.update({MANIFEST: data})), room).code == 2


def test_withheld_originals_verify_and_are_said(tmp_path: Path) -> None:
    room = room_in(tmp_path)
    pack = pack_of(room, tmp_path / "pack.zip", withholding(room, "A-1"))
    report = found(pack, room)
    assert code_and_lines(report) == (0, "")
    assert any(
        "01_home.png of sample A-1 is not in this pack" in each and "redacted copy" in each for each in report.notes
    )
    copy = next(each.path for each in room.stored.values() if each.name == "01_home.redacted.png")
    code, said = code_and_lines(found(changed(pack, lambda files: files.pop(copy)), room))
    assert (code, "is not in the pack" in said) == (3, True)


def test_what_is_withheld_has_to_have_been_captured(tmp_path: Path) -> None:
    room = room_in(tmp_path)
    content = withholding(room, "A-1")
    other = next(each for each in content.withheld if each.copy)
    room.lines.pop()  # the entry that says what the copy was made of
    content = content_of(room, stored=content.stored, withheld=(other,))
    code, said = code_and_lines(found(pack_of(room, tmp_path / "pack.zip", content), room))
    assert (code, "was not made of it" in said) == (2, True)


def test_nobody_signs_what_they_had_a_hand_in(tmp_path: Path) -> None:
    room = room_in(tmp_path)
    seen = capture(room, "A-3", "red")
    decide(room, "A-3", seen, reviewer=RUNNER)
    room.of_run("conclusion.given", {"sample": "A-3", "attempt": 1, "answer": "meets", "reviewer": RUNNER})
    code, said = code_and_lines(found(pack_of(room, tmp_path / "pack.zip"), room))
    assert (code, "ola asked for the run, and decided on it all the same" in said) == (9, True)
    assert "ola asked for the run, and concluded on it all the same" in said
    room.of_run("four_eyes.broken", {"person": RUNNER, "by": REVIEWER, "words": "Nobody else is there."})
    report = found(pack_of(room, tmp_path / "pack.zip"), room)
    assert report.code == 0
    assert "four eyes were broken openly: ola asked for the run, and decided on sample A-3" in report.notes


def test_an_approval_is_of_what_was_captured(tmp_path: Path) -> None:
    room = room_in(tmp_path)
    shot, text, _ = capture(room, "A-3", "red")
    decide(room, "A-3", [text])
    code, said = code_and_lines(found(pack_of(room, tmp_path / "pack.zip"), room))
    assert (code, "rita approved without 1 of the pictures" in said) == (9, True)
    decide(room, "A-3", [{**shot, "sha256": "0" * 64}])
    assert "files that were not captured" in code_and_lines(found(pack_of(room, tmp_path / "pack.zip"), room))[1]


def test_both_signatures_are_not_one_persons(tmp_path: Path) -> None:
    room = room_in(tmp_path)
    seen = capture(room, "A-3", "red")
    decide(room, "A-3", seen)
    decide(room, "A-3", seen, level=2)
    code, said = code_and_lines(found(pack_of(room, tmp_path / "pack.zip"), room))
    assert (code, "rita gave both signatures" in said) == (9, True)


def test_a_pack_of_signed_samples_holds_no_other(tmp_path: Path) -> None:
    room = room_in(tmp_path)
    content = content_of(room, scope="signed", levels=2)
    code, said = code_and_lines(found(pack_of(room, tmp_path / "pack.zip", content), room))
    assert (code, said.count("this one is not signed")) == (9, 2)
    assert found(pack_of(room, tmp_path / "pack.zip", content_of(room, scope="signed")), room).code == 0


def test_an_approval_that_was_undone_or_is_of_an_older_attempt_is_none(tmp_path: Path) -> None:
    room = room_in(tmp_path)
    seen = capture(room, "A-3", "red")
    line = decide(room, "A-3", seen)
    review = json.loads(line.facts)["review"]
    assert found(pack_of(room, tmp_path / "pack.zip"), room).facts["signed"] == 3
    capture(room, "A-1", "olive", attempt=2)
    room.of_run("review.undone", {"sample": "A-3", "review": review, "by": REVIEWER})
    report = found(pack_of(room, tmp_path / "pack.zip"), room)
    assert (report.code, report.facts["signed"], report.notes[1:]) == (0, 1, ["1 of 3 samples are signed"])


def test_an_attempt_that_was_concluded_on_is_not_the_newest(tmp_path: Path) -> None:
    """The conclusion of attempt 1 is shown as that, and said to be stale; one on attempt 2 is not."""
    room = room_in(tmp_path)
    decide(room, "A-1", capture(room, "A-1", "red", attempt=2), attempt=2)
    pack = pack_of(room, tmp_path / "pack.zip")
    stale = "the conclusion on sample A-1 is of attempt 1, and its newest is attempt 2: the conclusion is stale"
    assert stale in found(pack, room).notes
    with zipfile.ZipFile(pack) as archive:
        page = archive.read("index.html").decode()
    assert "(rita on attempt 1, 2026-12-01 04:00:00 UTC; stale: the newest is attempt 2)" in page
    given = {"answer": "exception", "words": "", "reviewer": REVIEWER}
    room.of_run("conclusion.given", {"sample": "A-1", "attempt": 2, **given})
    room.of_run("conclusion.given", {"sample": "A-1", "attempt": 1, **given, "answer": "meets"})
    pack = pack_of(room, tmp_path / "pack.zip")
    assert not [each for each in found(pack, room).notes if "stale" in each]
    with zipfile.ZipFile(pack) as archive:
        assert "Exception (rita on attempt 2" in archive.read("index.html").decode()
