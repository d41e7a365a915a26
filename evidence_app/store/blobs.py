"""Files under the SHA-256 of their bytes, hashed in the pass that stores them, written once, never changed."""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Protocol, cast

CHUNK = 1024 * 1024
SHA256 = re.compile(r"[0-9a-f]{64}")


class StoreError(Exception):
    """Bytes could not be kept or given back; the message is for a person."""


class Missing(StoreError):
    """No bytes lie under that hash."""


class Damaged(StoreError):
    """What lies under a hash is not what was stored."""


@dataclass(frozen=True, slots=True)
class Blob:
    """`size` in bytes; `is_new` is False where the same bytes lay there already."""

    sha256: str
    size: int
    is_new: bool = True


class Blobs(Protocol):
    """Where artifacts' bytes lie. Every method streams: no file is ever held in memory as a whole."""

    def put(self, source: BinaryIO | Iterable[bytes]) -> Blob: ...

    def open(self, sha256: str) -> BinaryIO: ...

    def has(self, sha256: str) -> bool: ...

    def remove(self, sha256: str) -> None: ...

    def remove_old(self, sha256: str, older_than_s: float) -> bool: ...


class FileBlobs:
    """In a folder of this machine: `ab/cd/abcd…`, read-only, made by rename so that no half file is ever seen."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def put(self, source: BinaryIO | Iterable[bytes]) -> Blob:
        """StoreError if the disk takes it not; nothing is left behind then."""
        try:
            (self.root / "tmp").mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self.root / "tmp")
        except OSError as error:
            raise StoreError(f"nothing can be written to {self.root}: {error.strerror}") from error
        temporary = Path(name)
        try:
            with os.fdopen(handle, "wb") as file:
                sha256, size = copy_hashed(source, file)
                file.flush()
                os.fsync(file.fileno())
            return Blob(sha256, size, is_new=self._place(temporary, sha256))
        except OSError as error:
            raise StoreError(f"a file could not be kept in {self.root}: {error.strerror}") from error
        finally:
            with suppress(FileNotFoundError):
                temporary.unlink()

    def _place(self, temporary: Path, sha256: str) -> bool:
        """By a link, which unlike a rename never replaces what is there."""
        place = self.path_of(sha256)
        place.parent.mkdir(parents=True, exist_ok=True)
        temporary.chmod(0o444)
        while True:
            try:
                os.link(temporary, place)
            except FileExistsError:
                # What was about to be swept is wanted again, and says so by its time.
                with suppress(FileNotFoundError):
                    os.utime(place)
                    return False
                continue
            _sync_folder(place.parent)
            return True

    def open(self, sha256: str) -> BinaryIO:
        try:
            return self.path_of(sha256).open("rb")
        except FileNotFoundError as error:
            raise Missing(f"the bytes of {sha256[:12]}… are not in the store") from error

    def has(self, sha256: str) -> bool:
        return self.path_of(sha256).exists()

    def remove(self, sha256: str) -> None:
        with suppress(FileNotFoundError):
            self.path_of(sha256).unlink()

    def old(self, older_than_s: float) -> Iterator[str]:
        """The hashes of what was put here so long ago or longer, in no order."""
        before = time.time() - older_than_s
        for path in self.root.glob("??/??/*"):
            with suppress(FileNotFoundError):
                if SHA256.fullmatch(path.name) and path.stat().st_mtime <= before:
                    yield path.name

    def remove_old(self, sha256: str, older_than_s: float) -> bool:
        """False where it was put here again meanwhile: it is taken aside first, and laid back then."""
        place, aside = self.path_of(sha256), self.root / "tmp" / f"{sha256}.{os.getpid()}"
        try:
            place.rename(aside)
        except FileNotFoundError:
            return False
        is_old = aside.stat().st_mtime <= time.time() - older_than_s
        if not is_old:
            with suppress(FileExistsError):
                os.link(aside, place)
        aside.unlink()
        return is_old

    def remove_unfinished(self, older_than_s: float) -> int:
        """What a process that was killed had begun to write; how many files."""
        before, count = time.time() - older_than_s, 0
        for path in (self.root / "tmp").glob("*"):
            with suppress(FileNotFoundError):
                if path.stat().st_mtime <= before:
                    path.unlink()
                    count += 1
        return count

    def path_of(self, sha256: str) -> Path:
        if not SHA256.fullmatch(sha256):
            raise Missing("that is no SHA-256")
        return self.root / sha256[:2] / sha256[2:4] / sha256


def chunks(file: BinaryIO) -> Iterator[bytes]:
    while piece := file.read(CHUNK):
        yield piece


def hash_of(blobs: Blobs, sha256: str) -> str:
    """The hash of what lies there now."""
    digest = hashlib.sha256()
    with blobs.open(sha256) as file:
        for piece in chunks(file):
            digest.update(piece)
    return digest.hexdigest()


def check(blobs: Blobs, sha256: str) -> None:
    """Raises Missing, or Damaged where other bytes lie there now."""
    found = hash_of(blobs, sha256)
    if found != sha256:
        raise Damaged(f"the bytes stored under {sha256[:12]}… hash to {found[:12]}… now")


def copy_hashed(source: BinaryIO | Iterable[bytes], target: BinaryIO) -> tuple[str, int]:
    """Its SHA-256 and how many bytes it has, taken in the pass that writes them."""
    digest, size = hashlib.sha256(), 0
    pieces = chunks(cast("BinaryIO", source)) if hasattr(source, "read") else source
    for piece in pieces:
        digest.update(piece)
        target.write(piece)
        size += len(piece)
    return digest.hexdigest(), size


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
