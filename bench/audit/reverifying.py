"""All real files read and compared with their hashes, as `verify-ledger` does it, beside hashlib alone on the same."""

from __future__ import annotations

import hashlib
from pathlib import Path

from django.conf import settings

from bench.frame import alternate, median
from evidence_app.store.blobs import FileBlobs, check

ROUNDS = 5


def main() -> dict[str, float]:
    blobs = FileBlobs(settings.EVIDENCE_ROOT / "blobs")
    names = [path.name for path in sorted(blobs.root.glob("??/??/*"))]
    paths = [blobs.path_of(name) for name in names]
    taken = alternate({"verified": lambda: verified(blobs, names), "hashlib": lambda: bare(paths)}, ROUNDS)
    return {"files": len(names), **{f"{name} s": round(median(values), 4) for name, values in taken.items()}}


def verified(blobs: FileBlobs, names: list[str]) -> None:
    for name in names:
        check(blobs, name)


def bare(paths: list[Path]) -> None:
    for path in paths:
        with path.open("rb") as file:
            hashlib.file_digest(file, "sha256").hexdigest()
