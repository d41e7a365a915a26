"""Any one bit of a pack that is not as it was is found, wherever it lies."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evidence_app.bundle.offline.archive import Archive, Broken
from evidence_app.bundle.offline.checks import Newer, Pack
from evidence_app.bundle.offline.contents import check_contents
from evidence_app.bundle.offline.findings import Report
from evidence_app.bundle.offline.policy import check_policy
from evidence_app.bundle.offline.stamps import check_stamps
from tests.bundle.attacking import KEYS, Files, changed
from tests.bundle.making import Room, flipped

BOUND = ("ledger/entries.jsonl", "ledger/sealing.json", "ledger/proofs.jsonl", "ledger/head.note", "ledger/keys.txt")
NAMES = (
    "seq", "body", "salt", "facts", "path", "note", "timestamps", "authority", "token", "format", "files", "withheld",
    "run", "policy", "entries", "sha256", "size",
)  # fmt: skip


def is_good(data: bytes, room: Room) -> bool:
    """As `verify` sees it, without a file."""
    report = Report()
    try:
        pack = Pack(Archive(io.BytesIO(data)), report)
        pack.check()
    except (Broken, Newer):
        return False
    pack.check_signature([], [room.fingerprint])
    check_contents(pack)
    check_policy(pack)
    check_stamps(pack, [])
    return report.code == 0


@pytest.fixture(scope="module")
def lean(shared: tuple[Room, Path]) -> tuple[Room, bytes]:
    room, pack = shared
    data = pack.read_bytes()
    assert is_good(data, room)
    return room, data


@given(st.data())
@settings(max_examples=400, deadline=None)
def test_a_bit_anywhere(lean: tuple[Room, bytes], data: st.DataObject) -> None:
    room, pack = lean
    bit = data.draw(st.integers(0, len(pack) * 8 - 1))
    assert not is_good(flipped(pack, bit), room)


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_a_bit_of_a_document_whose_checksum_was_put_right(shared: tuple[Room, Path], data: st.DataObject) -> None:
    room, pack = shared
    name = data.draw(st.sampled_from([*BOUND, "manifest.json", "index.html"]))

    def flip(files: Files) -> None:
        files[name] = flipped(files[name], data.draw(st.integers(0, len(files[name]) * 8 - 1)))

    assert not is_good(changed(pack, flip).read_bytes(), room)


def test_every_bit_of_the_keys(shared: tuple[Room, Path]) -> None:
    """Few and short, and easily read as if nothing were: another end of a line, another case."""
    room, pack = shared

    def is_good_with(bit: int) -> bool:
        change = changed(pack, lambda files: files.update({KEYS: flipped(files[KEYS], bit)}))
        return is_good(change.read_bytes(), room)

    with zipfile.ZipFile(pack) as archive:
        bits = len(archive.read(KEYS)) * 8
    assert [bit for bit in range(bits) if is_good_with(bit)] == []


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_whatever_stands_in_a_document_is_said_and_never_fails(shared: tuple[Room, Path], data: st.DataObject) -> None:
    room, pack = shared
    name = data.draw(st.sampled_from([*BOUND, "manifest.json", "ledger/heads.jsonl"]))
    values = st.recursive(
        st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.text(max_size=8) | st.just("\ud800"),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=5),
        max_leaves=12,
    )
    value = json.dumps(data.draw(values)).encode() + b"\n" * data.draw(st.integers(0, 1))
    assert not is_good(changed(pack, lambda files: files.update({name: value})).read_bytes(), room)


def test_every_bit_of_the_headers_and_of_the_end(lean: tuple[Room, bytes]) -> None:
    """The structure is read before anything is hashed, so all of its bits can be tried."""
    _, pack = lean
    archive = Archive(io.BytesIO(pack))
    begin = pack.rindex(b"PK\1\2") - 400  # a few lines of the directory, the last one, and the end
    places = [*range(begin, len(pack)), *range(30), *_around(archive)]
    unseen = [bit for at in places for bit in range(at * 8, at * 8 + 8) if _looks_whole(flipped(pack, bit))]
    assert unseen == []


def _around(archive: Archive) -> list[int]:
    """The header of a member in the middle."""
    middle = sorted(archive.members, key=lambda member: member.offset)[len(archive.members) // 2]
    return list(range(middle.offset, middle.offset + 30 + len(middle.name)))


def _looks_whole(data: bytes) -> bool:
    """Nothing is odd about any member, and each has the checksum that the directory says."""
    try:
        archive = Archive(io.BytesIO(data))
        if any(member.odd for member in archive.members):
            return False
        for member in archive.members:
            if not member.name.startswith(("report", "verify")):
                list(archive.pieces(member))
    except Broken:
        return False
    return True
