"""Verifying the ledger: the bytes in the store against the hashes they lie under."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from django.db.models import QuerySet

from evidence_app.models import Artifact
from evidence_app.services.artifacts import blobs
from evidence_app.store.blobs import Blobs, StoreError, chunks

if TYPE_CHECKING:
    from evidence_app.services.verifying import Report

ALL, SAMPLE, NONE = "all", "sample", "none"
IN_A_SAMPLE = 1000
AT_ONCE = 500
PIECE = 64 * 1024 * 1024  # bytes between two pauses


def check(report: Report, entry_of: Callable[[int], int | None]) -> Iterator[None]:
    """Those that `report.files` names: all, a new choice of a thousand each time, or none."""
    store = blobs()
    if report.files != NONE:
        for sha256 in _all() if report.files == ALL else _chosen():
            yield from _check(report, store, sha256, entry_of)


def _check(report: Report, store: Blobs, sha256: str, entry_of: Callable[[int], int | None]) -> Iterator[None]:
    digest, size, since = hashlib.sha256(), 0, 0
    try:
        with store.open(sha256) as file:
            for piece in chunks(file):
                digest.update(piece)
                size += len(piece)
                since += len(piece)
                if since >= PIECE:
                    since = 0
                    yield
    except (StoreError, OSError) as error:
        _tell(report, sha256, f"cannot be read: {error}", entry_of)
        return
    report.hashed += 1
    report.bytes += size
    if digest.hexdigest() != sha256:
        _tell(report, sha256, f"has other bytes now: they hash to {digest.hexdigest()[:12]}…", entry_of)
    yield


def _tell(report: Report, sha256: str, what: str, entry_of: Callable[[int], int | None]) -> None:
    """Unless it was removed by retention meanwhile."""
    row = Artifact.objects.filter(sha256=sha256, removed_at=None).order_by("pk").first()
    if row is not None:
        report.add(f"the file {row.name} ({sha256[:12]}…) {what}", entry_of(row.pk))


def _all() -> Iterator[str]:
    last = ""
    while names := list(_hashes().filter(sha256__gt=last)[:AT_ONCE]):
        yield from names
        last = names[-1]


def _chosen() -> Iterator[str]:
    """Not to be foreseen by anybody; each at most once."""
    seen = set()
    for _ in range(IN_A_SAMPLE):
        name = _hashes().filter(sha256__gte=secrets.token_hex(32)).first()
        if name is not None and name not in seen:
            seen.add(name)
            yield name
    if len(seen) < IN_A_SAMPLE // 10:  # so few that all of them are no work
        yield from (name for name in _hashes()[:IN_A_SAMPLE] if name not in seen)


def _hashes() -> QuerySet[Artifact, str]:
    return Artifact.objects.filter(removed_at=None).order_by("sha256").values_list("sha256", flat=True).distinct()
