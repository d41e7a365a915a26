"""The ZIP of a pack, read without trust: every byte of it is either a file's or follows from what the files are.

Members are stored, never compressed, one after the other without a gap; times may differ and order does not matter,
so that a pack can be rearranged by an ordinary program. ZIP64 begins where Python's zipfile begins it.
Sources: PKWARE APPNOTE 6.3.10, sections 4.3 and 4.4.
"""

from __future__ import annotations

import io
import re
import struct
import zlib
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

LOCAL = struct.Struct("<4s5H3L2H")
CENTRAL = struct.Struct("<4s4B4H3L5H2L")
END = struct.Struct("<4s4H2LH")
END_64 = struct.Struct("<4sQ2H2L4Q")
LOCATOR = struct.Struct("<4sLQL")
BIG, FULL, FULL_COUNT = (1 << 31) - 1, 0xFFFFFFFF, 0xFFFF
STAMP = (0, 33)  # 1 January 1980, midnight, as MS-DOS writes it: time, date
PLAIN_FILE = 0o100644 << 16
FILES = (PLAIN_FILE, 0o600 << 16)  # the second is what Python's zipfile gives a file it was told nothing about
SYSTEMS = (3, 0)  # Unix, and Windows
SAFE_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*")
MAX_DIRECTORY = 256 * 1024 * 1024
PIECE = 1024 * 1024


class Broken(Exception):
    """The file is no whole pack; the message is for a person."""


class Member(NamedTuple):
    """`odd` says why its bytes are not even looked at."""

    name: str
    size: int
    crc: int
    offset: int
    stamp: tuple[int, int] = STAMP
    system: int = 3
    mode: int = PLAIN_FILE
    odd: str = ""


def local_header(member: Member) -> bytes:
    """What stands before a member's bytes."""
    name, is_big = member.name.encode("ascii"), member.size > BIG
    extra = struct.pack("<HHQQ", 1, 16, member.size, member.size) if is_big else b""
    size = FULL if is_big else member.size
    head = (b"PK\3\4", 45 if is_big else 20, 0, 0, *member.stamp, member.crc, size, size, len(name), len(extra))
    return LOCAL.pack(*head) + name + extra


def central_header(member: Member) -> bytes:
    """A member's line in the directory."""
    name, big = member.name.encode("ascii"), []
    size, offset = member.size, member.offset
    if size > BIG:
        big, size = [size, size], FULL
    if offset > BIG:
        big, offset = [*big, offset], FULL
    extra = struct.pack(f"<HH{len(big)}Q", 1, 8 * len(big), *big) if big else b""
    version = 45 if big else 20
    versions = (version, member.system, version, 0)
    sizes = (member.crc, size, size, len(name), len(extra), 0, 0, 0, member.mode, offset)
    return CENTRAL.pack(b"PK\1\2", *versions, 0, 0, *member.stamp, *sizes) + name + extra


def tail(count: int, size: int, offset: int) -> bytes:
    """What follows the directory of `count` members, `size` bytes, at `offset`."""
    more = b""
    if count > FULL_COUNT or size > BIG or offset > BIG:
        more = END_64.pack(b"PK\6\6", 44, 45, 45, 0, 0, count, count, size, offset)
        more += LOCATOR.pack(b"PK\6\7", 0, offset + size, 1)
    count = min(count, FULL_COUNT)
    return more + END.pack(b"PK\5\6", 0, 0, count, count, min(size, FULL), min(offset, FULL), 0)


class Archive:
    """Raises Broken for what is no pack at all; a member that is not as it should be says so itself."""

    def __init__(self, file: BinaryIO) -> None:
        self.file = file
        self.length = file.seek(0, io.SEEK_END)
        count, size, offset = self._end()
        self.members = list(self._directory(count, size, offset))
        if not any(member.odd for member in self.members):
            self._check_places(offset)
            self.members = [member._replace(odd=self._local_oddity(member)) for member in self.members]

    def _at(self, offset: int, size: int) -> bytes:
        self.file.seek(offset)
        data = self.file.read(size)
        if len(data) != size:
            raise Broken("it is cut off")
        return data

    def _end(self) -> tuple[int, int, int]:
        """How many members, the size of the directory, where it begins."""
        if self.length < END.size:
            raise Broken("this is no pack: it is too short")
        sig, _, _, _, count, size, offset, _ = END.unpack(self._at(self.length - END.size, END.size))
        if sig != b"PK\5\6":
            raise Broken("it does not end as a pack ends: this is none, or it is cut off, or something was added to it")
        far = self.length - END.size - LOCATOR.size
        if far >= END_64.size and self._at(far, 4) == b"PK\6\7":
            _, _, _, _, _, _, _, count, size, offset = END_64.unpack(self._at(far - END_64.size, END_64.size))
        last = tail(count, size, offset)
        if size > MAX_DIRECTORY or offset + size + len(last) != self.length:
            raise Broken("its directory does not lie where it is said to lie")
        if self._at(offset + size, len(last)) != last:
            raise Broken("its end is not as it was written")
        return count, size, offset

    def _directory(self, count: int, size: int, offset: int) -> Iterator[Member]:
        data, at = self._at(offset, size), 0
        for _ in range(count):
            if at + CENTRAL.size > size:
                raise Broken("its directory is shorter than it says")
            member, length = _listed(data, at)
            at += length
            yield member
        if at != size:
            raise Broken("its directory is longer than it says")

    def _check_places(self, end: int) -> None:
        at = 0
        for member in sorted(self.members, key=lambda each: each.offset):
            if member.offset != at:
                raise Broken(f"before {member.name} lies something that is no file, or files overlap")
            at += len(local_header(member)) + member.size
        if at != end:
            raise Broken("behind the last file lies something that is no file, or it overlaps the directory")

    def _local_oddity(self, member: Member) -> str:
        head = local_header(member)
        return "" if self._at(member.offset, len(head)) == head else "what stands before it is not as it was written"

    def pieces(self, member: Member) -> Iterator[bytes]:
        """Its bytes, a MiB at a time; Broken at the end where their checksum is not the one of the directory."""
        at, left, crc = member.offset + len(local_header(member)), member.size, 0
        while left:
            piece = self._at(at, min(PIECE, left))
            at, left, crc = at + len(piece), left - len(piece), zlib.crc32(piece, crc)
            yield piece
        if crc != member.crc:
            raise Broken(f"{member.name} is not what its checksum says")


def _listed(data: bytes, at: int) -> tuple[Member, int]:
    """The member whose line begins there, and the line's length."""
    values = CENTRAL.unpack_from(data, at)
    name_end = at + CENTRAL.size + values[12]
    extra_end = name_end + values[13]
    end = extra_end + values[14]
    if values[0] != b"PK\1\2" or end > len(data):
        raise Broken("its directory cannot be read")
    raw = data[at + CENTRAL.size : name_end]
    size, offset = values[11], values[18]
    big = [each[0] for each in struct.iter_unpack("<Q", data[name_end + 4 : extra_end])] if values[13] % 8 == 4 else []
    if size == FULL and len(big) > 1:
        size, big = big[0], big[2:]
    if offset == FULL and big:
        offset = big[0]
    name = raw.decode("latin-1")
    member = Member(name, size, values[9], offset, (values[7], values[8]), values[2], values[17])
    return member._replace(odd=_oddity(member, data[at:end], flags=values[5], method=values[6])), end - at


def _oddity(member: Member, line: bytes, *, flags: int, method: int) -> str:
    if not SAFE_NAME.fullmatch(member.name):
        return "its name is none that a pack has: it could lead out of a folder"
    if flags & 1:
        return "it is encrypted"
    if method:
        return "it is compressed, which a pack never is: the pack was packed again by another program"
    if member.mode not in FILES:
        return "it is no plain file"
    if member.system not in SYSTEMS or central_header(member) != line:
        return "its line in the directory is not as it was written"
    return ""
