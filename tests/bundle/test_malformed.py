"""Documents of a pack that are none, and words that would stand as ours: each is said, nothing is a traceback."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.bundle.attacking import MANIFEST, PROOFS, Files, changed
from tests.bundle.making import Room, content_of, found, pack_of, room_in, withholding


def code_and_lines(room: Room, pack: Path) -> tuple[int, str]:
    report = found(pack, room)
    return report.code, "\n".join(report.lines())


@pytest.mark.parametrize("line", ['{"seq":1e400,"path":[]}', '{"seq":true,"path":[]}', '{"seq":[],"path":[]}'])
def test_a_proof_of_no_number_is_said(shared: tuple[Room, Path], line: str) -> None:
    room, pack = shared
    more = changed(pack, lambda files: files.update({PROOFS: files[PROOFS] + f"{line}\n".encode()}))
    code, said = code_and_lines(room, more)
    assert (code, "a line of it names no entry" in said) == (5, True)


@pytest.mark.parametrize("copy", [["x"], {"a": 1}, 5, True])
def test_a_copy_that_is_no_hash_is_said(tmp_path: Path, copy: Any) -> None:
    room = room_in(tmp_path)

    def edit(files: Files) -> None:
        manifest = json.loads(files[MANIFEST])
        manifest["withheld"][0]["copy"] = copy
        files[MANIFEST] = json.dumps(manifest).encode()

    pack = changed(pack_of(room, tmp_path / "pack.zip", withholding(room, "A-1")), edit)
    code, said = code_and_lines(room, pack)
    assert (code, "a copy that is none" in said) == (2, True)


def test_what_makes_the_program_stumble_is_no_good_pack(
    shared: tuple[Room, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever it is: there is a code and a line, never a traceback."""
    room, pack = shared
    empty: dict[str, str] = {}
    monkeypatch.setattr("evidence_app.bundle.offline.program.check_policy", lambda _pack: empty["nothing"])
    code, said = code_and_lines(room, pack)
    assert (code, "it cannot be checked to its end (KeyError)" in said) == (2, True)


def test_a_title_stands_on_one_line(tmp_path: Path) -> None:
    room = room_in(tmp_path)
    title = "Access\n\n  1. the fingerprint\u2028is 00\u202e11"
    content = content_of(room, run={"id": "r1", "title": title})
    with zipfile.ZipFile(pack_of(room, tmp_path / "pack.zip", content)) as archive:
        assert "\n    Access 1. the fingerprint is 00 11\n    run r1\n" in archive.read("HOW-TO-VERIFY.txt").decode()
