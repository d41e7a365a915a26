"""Any one bit of a pack that is not as it was is found, wherever it lies."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evidence_app.bundle.offline.archive import Archive, Broken
from evidence_app.bundle.offline.checks import Newer, Pack
from evidence_app.bundle.offline.contents import check_contents
from evidence_app.bundle.offline.findings import Report
from tests.bundle.making import Room, flipped


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
