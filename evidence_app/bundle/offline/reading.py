"""The documents of a pack, read without trust: their shapes are checked here, once, and relied on afterwards."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from evidence_app.bundle.offline.archive import Archive, Member

FORMAT = re.compile(r"agentify-pack/([1-9][0-9]{0,3})")
KNOWN_FORMAT = 1
SHA_256 = re.compile(r"[0-9a-f]{64}")
MAX_DOCUMENT = 256 * 1024 * 1024
MAX_LINE = 16 * 1024 * 1024

MANIFEST, ENTRIES = "manifest.json", "ledger/entries.jsonl"
SEALING, PROOFS, HEAD = "ledger/sealing.json", "ledger/proofs.jsonl", "ledger/head.note"
HEADS, KEYS = "ledger/heads.jsonl", "ledger/keys.txt"
SEALS = (SEALING, PROOFS, HEAD, HEADS, KEYS)  # they came after the manifest was entered, and prove themselves


class Unreadable(Exception):
    """A document does not have its shape; the message is for a person."""


class Entry(NamedTuple):
    """One line of the ledger. `facts` is None where they were removed; `fault` says why they are not believed."""

    seq: int
    kind: str
    at: str
    body: bytes
    facts: dict[str, Any] | None
    fault: str = ""

    def text(self, name: str) -> str:
        """A fact as text, empty where there is none."""
        value = (self.facts or {}).get(name)
        return str(value) if isinstance(value, (str, int)) else ""

    def list(self, name: str) -> list[dict[str, Any]]:
        """A fact that is a list of objects; whatever else stands in it is passed over."""
        value = (self.facts or {}).get(name)
        return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []

    def object(self, name: str) -> dict[str, Any]:
        value = (self.facts or {}).get(name)
        return value if isinstance(value, dict) else {}


def whole(archive: Archive, member: Member) -> bytes:
    if member.size > MAX_DOCUMENT:
        raise Unreadable("it is larger than such a document ever is")
    return b"".join(archive.pieces(member))


def parsed(data: bytes) -> dict[str, Any]:
    """A JSON object without names that occur twice."""
    try:
        value = json.loads(data.decode("utf-8"), object_pairs_hook=_once, parse_constant=_refused)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"it is no JSON document ({type(error).__name__})") from error
    if not isinstance(value, dict):
        raise Unreadable("it is no JSON object")
    return value


def lines_of(data: bytes) -> Iterator[dict[str, Any]]:
    if data and not data.endswith(b"\n"):
        raise Unreadable("its last line is cut off")
    for number, line in enumerate(data.split(b"\n")[:-1], start=1):
        if len(line) > MAX_LINE:
            raise Unreadable(f"line {number} is too long")
        yield parsed(line)


def entry_of(line: dict[str, Any]) -> Entry:
    """With its facts where they are those that the entry commits to."""
    seq, body, salt, facts = (line.get(name) for name in ("seq", "body", "salt", "facts"))
    if type(seq) is not int or not all(isinstance(each, str) for each in (body, salt, facts)):
        raise Unreadable("a line of it is no entry")
    raw, opened = utf_8(str(body)), utf_8(str(facts))
    said = parsed(raw)
    kind, at = str(said.get("kind", "")), str(said.get("at", ""))
    if said.get("v") != 1 or said.get("seq") != seq:
        return Entry(seq, kind, at, raw, None, "its text does not belong to its number")
    if not salt and not facts:
        return Entry(seq, kind, at, raw, None)
    if said.get("commitment") != _commitment(str(salt), opened):
        return Entry(seq, kind, at, raw, None, "what it says is not what was entered in the ledger")
    return Entry(seq, kind, at, raw, parsed(opened))


def path_of(line: dict[str, Any]) -> list[bytes]:
    """The hashes of a proof."""
    steps = line.get("path")
    if not isinstance(steps, list) or not all(isinstance(step, str) and SHA_256.fullmatch(step) for step in steps):
        raise Unreadable("a proof in it cannot be read")
    return [bytes.fromhex(step) for step in steps]


def whole_number(value: Any, why: str = "a line of it names no entry") -> int:
    """Not true or false, and no 1e400: Unreadable with `why`."""
    if type(value) is not int:
        raise Unreadable(why)
    return value


def utf_8(text: str) -> bytes:
    """Unreadable for halves of letters, which JSON can name and no text can hold."""
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise Unreadable("it holds half a letter") from error


def _commitment(salt: str, facts: bytes) -> str:
    if not SHA_256.fullmatch(salt):
        return ""
    return hashlib.sha256(bytes.fromhex(salt) + facts).hexdigest()


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a name occurs twice")
    return made


def _refused(name: str) -> None:
    raise ValueError(name)
