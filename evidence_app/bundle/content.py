"""What goes into a pack, as plain values: nothing here knows where the rows of a ledger are kept."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import BinaryIO, Protocol

FORMAT = "agentify-pack/1"
BREAKING = ("Cc", "Cf", "Zl", "Zp")  # lines, or the direction of one
# What opens by itself in any program. The rest came from a website and gets no ending that would open it.
ENDINGS = {
    "image/png": ".png", "image/jpeg": ".jpg", "image/webp": ".webp", "image/gif": ".gif", "text/plain": ".txt",
    "application/json": ".json", "application/pdf": ".pdf", "text/csv": ".csv",
}  # fmt: skip


class PackError(Exception):
    """A pack cannot be made; the message is for a person."""


def one_line(text: str) -> str:
    """Whatever breaks a line or turns its direction becomes a space: a title cannot stand as words of ours."""
    seen = (" " if unicodedata.category(letter) in BREAKING else letter for letter in text)
    return " ".join("".join(seen).split())


class Files(Protocol):
    """Where the bytes lie; StoreError for what is not there."""

    def open(self, sha256: str) -> BinaryIO: ...


@dataclass(frozen=True, slots=True)
class Line:
    """One entry of the ledger with its opening; salt and facts are blank where they were removed."""

    seq: int
    body: str
    salt: str
    facts: str


@dataclass(frozen=True, slots=True)
class Stored:
    """A file that the ledger names. `data` where it does not lie in the store."""

    sha256: str
    size: int
    media_type: str
    name: str
    sample: str
    data: bytes | None = None

    @property
    def path(self) -> str:
        return f"objects/{self.sha256}{ENDINGS.get(self.media_type, '')}"


@dataclass(frozen=True, slots=True)
class Withheld:
    """A file that stays behind; `copy` is the SHA-256 of the redacted picture that is shown for it, blank for none."""

    sha256: str
    name: str
    sample: str
    copy: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """Everything that is entered in the ledger as this pack. `scope`: all, or signed (samples); `levels`: signatures
    that a sample needs; `completeness`: how many of how many were captured, in words."""

    run: Mapping[str, str]
    lines: tuple[Line, ...]
    stored: tuple[Stored, ...]
    withheld: tuple[Withheld, ...] = ()
    scope: str = "all"
    levels: int = 1
    completeness: str = ""
    made_by: str
    made_at: str  # UTC, ISO 8601
    origin: str
    fingerprint: str
    application: str


@dataclass(frozen=True, slots=True)
class EarlierHead:
    """A signed state that an auditor may hold, the proof from there to the pack's own, and its time stamps."""

    note: str
    path: tuple[bytes, ...]
    timestamps: tuple[tuple[str, bytes], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Seal:
    """What proves a pack: made after it was entered in the ledger, of the first signed state that holds that entry."""

    line: Line
    paths: Mapping[int, tuple[bytes, ...]]
    note: str
    keys: tuple[str, ...]
    heads: tuple[EarlierHead, ...] = field(default=())
