"""Signed states of a ledger and the keys that sign them: C2SP signed-note and tlog-checkpoint, Ed25519."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from typing import NamedTuple

from evidence_app.bundle.offline.ed25519 import has_signed

KEY_BYTES = b"\x01"  # Ed25519, as C2SP numbers it
HEAD_SIZE = re.compile(r"0|[1-9][0-9]{0,18}")
SIGNED_BY = re.compile("\u2014 ([^\\s+]+) ([A-Za-z0-9+/=]+)")
HEX_32 = re.compile(r"[0-9a-f]{64}")
HANDS_OVER = re.compile(r"key ([0-9a-f]{64}) after ([0-9a-f]{64})")
MAX_NOTE = 100_000


class NoHead(Exception):
    """It is no signed head, or no key; the message is for a person."""


class NotSigned(NoHead):
    """By none of the keys that were asked for."""


class Key(NamedTuple):
    """`fingerprint`, which people compare: SHA-256 of the raw key, in hex."""

    name: str
    raw: bytes

    @property
    def id(self) -> bytes:
        return hashlib.sha256(self.name.encode() + b"\n" + KEY_BYTES + self.raw).digest()[:4]

    @property
    def fingerprint(self) -> str:
        return hashlib.sha256(self.raw).hexdigest()


class Head(NamedTuple):
    """How many entries the ledger had and the root over them; `signatures`: name, id of the key, signature."""

    origin: str
    size: int
    root: bytes
    text: str
    signatures: tuple[tuple[str, bytes, bytes], ...]

    @property
    def hand_over(self) -> tuple[str, str]:
        """Fingerprints of the key that follows and of the one before, as the signed text names them; else blank."""
        found = [match for match in map(HANDS_OVER.fullmatch, self.text.split("\n")[3:]) if match]
        return (found[0].group(1), found[0].group(2)) if len(found) == 1 else ("", "")


def read_head(note: str) -> Head:
    cut = note.rfind("\n\n") + 1
    lines = note[:cut].split("\n")
    if len(note) > MAX_NOTE or len(lines) < 4 or not note.endswith("\n") or not _is_text(note):
        raise NoHead("it is no signed state of a ledger")
    origin, size, root = lines[:3]
    if not origin or not HEAD_SIZE.fullmatch(size) or not all(lines[:-1]):
        raise NoHead("it names no origin and no size")
    value = _bytes_of(root)
    if len(value) != 32 or base64.b64encode(value).decode() != root:
        raise NoHead("it names no root")
    signed = tuple(_signature_of(line) for line in note[cut + 1 : -1].split("\n"))
    return Head(origin, int(size), value, note[:cut], signed)


def signer_of(head: Head, keys: list[Key]) -> Key:
    """Whose signature under it is good. Signatures of other keys are passed over; a wrong one of these is not."""
    for name, key_id, signature in head.signatures:
        for key in keys:
            if (key.name, key.id) != (name, key_id):
                continue
            if not has_signed(key.raw, head.text.encode(), signature):
                raise NoHead(f"the signature of {name} under it is wrong")
            return key
    raise NotSigned("none of the keys in the pack has signed it")


def read_key(text: str) -> Key:
    """From name+id+key."""
    name, _, rest = text.partition("+")
    key_id, _, encoded = rest.partition("+")
    value = _bytes_of(encoded)
    if len(value) != 33 or value[:1] != KEY_BYTES:
        raise NoHead("it is no Ed25519 key written as name+id+key")
    key = Key(name, value[1:])
    if key.id.hex() != key_id:
        raise NoHead("the id of the key is not that of the key")
    return key


def _signature_of(line: str) -> tuple[str, bytes, bytes]:
    match = SIGNED_BY.fullmatch(line)
    if not match:
        raise NoHead("a line of its signatures cannot be read")
    value = _bytes_of(match.group(2))
    return match.group(1), value[:4], value[4:]


def _bytes_of(text: str) -> bytes:
    """Written in the one way that there is: the last letter of base64 can have idle bits."""
    try:
        value = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise NoHead("a line of it is no base64") from error
    if base64.b64encode(value).decode() != text:
        raise NoHead("a line of it is not written as base64 is")
    return value


def _is_text(note: str) -> bool:
    """No halves of letters, which JSON can name."""
    return not any("\ud800" <= letter <= "\udfff" for letter in note)
