"""What the signer of a ledger keeps outside of the database, in a folder of its own: its key, and the last head."""

from __future__ import annotations

import base64
import binascii
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from evidence_app.ledger.errors import LedgerError

KEY, NEXT_KEY, HEAD, ORIGIN, LOCK = "signing.key", "signing.key.next", "head.note", "origin", "lock"
PUBLIC = "keys.txt"
RAW_BYTES = 32


class NoKey(LedgerError):
    """There is a key, or should be one, and it cannot be used."""


class Folder:
    """`head.note` is written whole or not at all; the key is readable by its owner only."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @contextmanager
    def locked(self) -> Iterator[None]:
        """One signer at a time; another waits."""
        self.root.mkdir(parents=True, exist_ok=True, mode=0o700)
        with (self.root / LOCK).open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def key(self) -> Ed25519PrivateKey:
        """Made on first use."""
        path = self.root / KEY
        if not path.exists():
            self._place_key(Ed25519PrivateKey.generate(), KEY)
        return read_key(path.read_text())

    def has_key(self) -> bool:
        return (self.root / KEY).exists()

    def prepare_key(self) -> Ed25519PrivateKey:
        """The one that will follow: the same when a rotation is taken up again after it was cut short."""
        path = self.root / NEXT_KEY
        if not path.exists():
            self._place_key(Ed25519PrivateKey.generate(), NEXT_KEY)
        return read_key(path.read_text())

    def change_key(self) -> None:
        """The key that followed is the key; the one before is gone."""
        (self.root / NEXT_KEY).replace(self.root / KEY)
        self._sync()

    def head(self) -> str:
        """The note of the last head that was signed here; empty if there was none."""
        with suppress(FileNotFoundError):
            return (self.root / HEAD).read_text(encoding="utf-8")
        return ""

    def remember(self, note: str) -> None:
        self._write(HEAD, note, 0o600)

    def public_keys(self) -> list[str]:
        """As name+id+key, the one that signs first; none where nothing was signed on this machine."""
        with suppress(FileNotFoundError):
            return (self.root / PUBLIC).read_text(encoding="utf-8").splitlines()
        return []

    def publish_keys(self, keys: list[str]) -> None:
        """These before those that signed earlier, for pages that may not read the private ones."""
        before = self.public_keys()
        if before[: len(keys)] != keys:
            now = [*keys, *(each for each in before if each not in keys)]
            self._write(PUBLIC, "".join(f"{each}\n" for each in now), 0o644)

    def set_aside(self, size: int) -> None:
        """The remembered head stays on the disk, under another name, and counts no more."""
        with suppress(FileNotFoundError):
            (self.root / HEAD).replace(self.root / f"head.{size}.lost.note")
            self._sync()

    def origin(self, usual: str) -> str:
        """As it was when the ledger began, whatever is usual now."""
        path = self.root / ORIGIN
        if not path.exists():
            self._write(ORIGIN, f"{usual}\n", 0o644)
        return path.read_text(encoding="utf-8").strip()

    def _place_key(self, key: Ed25519PrivateKey, name: str) -> None:
        """Whoever was first: its key stands."""
        text = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
        draft = self._draft(name, text, 0o600)
        with suppress(FileExistsError):
            os.link(draft, self.root / name)
        draft.unlink()
        self._sync()

    def _write(self, name: str, text: str, mode: int) -> None:
        self._draft(name, text, mode).replace(self.root / name)
        self._sync()

    def _draft(self, name: str, text: str, mode: int) -> Path:
        self.root.mkdir(parents=True, exist_ok=True, mode=0o700)
        draft = self.root / f".{name}.{os.getpid()}"
        draft.unlink(missing_ok=True)
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        return draft

    def _sync(self) -> None:
        handle = os.open(self.root, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def read_key(text: str) -> Ed25519PrivateKey:
    """PEM, or the 32 bytes in base64. NoKey says what is wrong, and nothing of what was given."""
    given = text.strip()
    try:
        if not given.startswith("-----BEGIN"):
            raw = base64.b64decode(given, validate=True)
            return Ed25519PrivateKey.from_private_bytes(raw)
        key = load_pem_private_key(given.replace("\\n", "\n").encode(), password=None)
    except (ValueError, TypeError, binascii.Error) as error:
        raise NoKey("the signing key of the ledger cannot be read: PEM, or its 32 bytes in base64") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise NoKey("the signing key of the ledger is no Ed25519 key")
    return key
