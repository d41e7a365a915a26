"""Signed tree heads, in the formats that others read too.

Sources: C2SP signed-note (the envelope: text, then lines "— name base64") and C2SP tlog-checkpoint (the text: origin,
size in decimal, root in base64, then extension lines). Signatures are Ed25519 (RFC 8032), algorithm byte 0x01.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from evidence_app.ledger.errors import BadSignature

ED25519 = b"\x01"
KEY_ID_BYTES = 4
ROOT_BYTES = 32
MAX_NOTE = 100_000
NAME = re.compile(r"[^\s+\x00-\x1f]{1,200}")
SIGNATURE_LINE = re.compile(r"\u2014 ([^\s+]+) ([A-Za-z0-9+/=]+)")
SIZE = re.compile(r"0|[1-9][0-9]{0,18}")
HANDS_OVER = re.compile(r"key ([0-9a-f]{64}) after ([0-9a-f]{64})")


@dataclass(frozen=True, slots=True)
class Head:
    """A state of the ledger: how many entries, and the root over them. `lines` are extensions, one line each."""

    origin: str
    size: int
    root: bytes
    lines: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        parts = [self.origin, str(self.size), base64.b64encode(self.root).decode(), *self.lines]
        return "".join(f"{part}\n" for part in parts)

    @property
    def hand_over(self) -> tuple[str, str] | None:
        """Fingerprints of the key that follows and of the one before it, as the signed text itself names them."""
        found = [match.groups() for match in map(HANDS_OVER.fullmatch, self.lines) if match]
        return (found[0][0], found[0][1]) if len(found) == 1 else None


@dataclass(frozen=True, slots=True)
class Verifier:
    """A public key under the name it signs by. `fingerprint` is what people compare: SHA-256 of the raw key, in hex."""

    name: str
    key: bytes

    @property
    def id(self) -> bytes:
        return hashlib.sha256(self.name.encode() + b"\n" + ED25519 + self.key).digest()[:KEY_ID_BYTES]

    @property
    def text(self) -> str:
        """As others exchange it: name+id+key."""
        return f"{self.name}+{self.id.hex()}+{base64.b64encode(ED25519 + self.key).decode()}"

    @property
    def fingerprint(self) -> str:
        return hashlib.sha256(self.key).hexdigest()

    def has_signed(self, data: bytes, signature: bytes) -> bool:
        try:
            Ed25519PublicKey.from_public_bytes(self.key).verify(signature, data)
        except InvalidSignature:
            return False
        return True


def hands_over(new: Verifier, old: Verifier) -> str:
    """The line of a head by which a key names the one that follows."""
    return f"key {new.fingerprint} after {old.fingerprint}"


@dataclass(frozen=True, slots=True)
class Signer:
    """A private key under its name; it is never written anywhere from here."""

    name: str
    key: Ed25519PrivateKey

    @property
    def verifier(self) -> Verifier:
        return Verifier(self.name, self.key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw))


def sign(head: Head, signers: Iterable[Signer]) -> str:
    """The note; ValueError for a head or a name that cannot be written in this format."""
    _check_head(head)
    lines = []
    for signer in signers:
        if not NAME.fullmatch(signer.name):
            raise ValueError(f"{signer.name!r} is no name of a key: no spaces, no plus")
        signature = signer.verifier.id + signer.key.sign(head.text.encode())
        lines.append(f"\u2014 {signer.name} {base64.b64encode(signature).decode()}\n")
    return f"{head.text}\n{''.join(lines)}"


def read(note: str) -> tuple[Head, list[tuple[str, bytes]]]:
    """The head and its signatures (name, id and signature), not verified. BadSignature where it is no signed head."""
    if len(note) > MAX_NOTE or "\n\n" not in note:
        raise BadSignature("this is no signed tree head")
    cut = note.rindex("\n\n") + 1
    text, tail = note[:cut], note[cut + 1 :]
    if not tail.endswith("\n"):
        raise BadSignature("the signatures of the tree head are cut off")
    signatures = [_signature(line) for line in tail[:-1].split("\n")]
    return _head(text), signatures


def verify(note: str, verifiers: Iterable[Verifier]) -> tuple[Head, Verifier]:
    """The head, and whose signature under it is good. Signatures of keys that are not known are passed over."""
    head, signatures = read(note)
    known = list(verifiers)
    for name, value in signatures:
        for verifier in known:
            if (verifier.name, verifier.id) != (name, value[:KEY_ID_BYTES]):
                continue
            if not verifier.has_signed(head.text.encode(), value[KEY_ID_BYTES:]):
                raise BadSignature(f"the signature of {name} under the tree head is wrong")
            return head, verifier
    raise BadSignature("no key that is known has signed the tree head")


def read_verifier(text: str) -> Verifier:
    """From name+id+key; BadSignature where it is none, or its id is not that of its key."""
    parts = text.strip().split("+", 2)
    if len(parts) != 3:
        raise BadSignature("this is no public key: it reads name+id+key")
    name, key_id, encoded = parts
    raw = _decoded(encoded)
    if len(raw) != 1 + ROOT_BYTES or raw[:1] != ED25519:
        raise BadSignature("this is no Ed25519 key")
    verifier = Verifier(name, raw[1:])
    if verifier.id.hex() != key_id:
        raise BadSignature("the key's id is not that of the key")
    return verifier


def _head(text: str) -> Head:
    lines = text.split("\n")
    if len(lines) < 4 or lines[-1] != "":
        raise BadSignature("the tree head is not whole")
    origin, size, root, *more = lines[:-1]
    value = _decoded(root)
    if not origin or not SIZE.fullmatch(size) or len(value) != ROOT_BYTES:
        raise BadSignature("the tree head has no origin, size or root")
    if base64.b64encode(value).decode() != root:
        raise BadSignature("the root of the tree head is not written canonically")
    if not all(more):
        raise BadSignature("the tree head has an empty line")
    return Head(origin, int(size), value, tuple(more))


def _check_head(head: Head) -> None:
    lines = [head.origin, *head.lines]
    if not all(lines) or any("\n" in line for line in lines):
        raise ValueError("a tree head's lines are single lines, and none is empty")
    if len(head.root) != ROOT_BYTES or head.size < 0:
        raise ValueError("a tree head has a size and a root of 32 bytes")


def _signature(line: str) -> tuple[str, bytes]:
    match = SIGNATURE_LINE.fullmatch(line)
    if not match:
        raise BadSignature("a signature line of the tree head cannot be read")
    value = _decoded(match.group(2))
    if len(value) <= KEY_ID_BYTES:
        raise BadSignature("a signature under the tree head is too short")
    return match.group(1), value


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadSignature("a line of the tree head is no base64") from error
