"""Bytes that no row names: a worker was killed after it had stored them and before it could write their rows."""

from __future__ import annotations

from itertools import islice

from evidence_app.models import Artifact
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
        named = set(Artifact.objects.filter(sha256__in=names, removed_at=None).values_list("sha256", flat=True))
        removed += sum(store.remove_old(name, older_than_s) for name in names if name not in named)
    return removed
