"""Bytes that no row names: a worker was killed after it had stored them and before it could write their rows."""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice

from evidence_app.models import Artifact, Pack
from evidence_app.services.artifacts import blobs
from evidence_app.store.blobs import FileBlobs

# Between the bytes of a capture and its rows lie seconds.
OLD_S = 3600.0
AT_ONCE = 500


def sweep(older_than_s: float = OLD_S) -> int:
    """How many files were removed. What is wanted again meanwhile is kept, whoever is faster."""
    store = blobs()
    if not isinstance(store, FileBlobs):
        return 0
    removed = store.remove_unfinished(older_than_s)
    old = store.old(older_than_s)
    while names := list(islice(old, AT_ONCE)):
        wanted = named(names)
        removed += sum(store.remove_old(name, older_than_s) for name in names if name not in wanted)
    return removed


def named(hashes: Collection[str]) -> set[str]:
    """Those of them whose bytes a row still has: of a file, or of a pack."""
    rows = (model.objects.filter(sha256__in=hashes, removed_at=None) for model in (Artifact, Pack))
    return {sha256 for found in rows for sha256 in found.values_list("sha256", flat=True)}
