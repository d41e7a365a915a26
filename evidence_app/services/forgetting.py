"""Bytes of evidence whose deletion was approved: removed in the background, file by file, until none is left."""

from __future__ import annotations

import shutil
from datetime import timedelta
from time import monotonic

from django.utils import timezone

from evidence_app.models import Artifact, Pack, Removal
from evidence_app.models.retention import Asked
from evidence_app.services import output, strays
from evidence_app.services.artifacts import blobs
from evidence_app.services.strays import OLD_S
from evidence_app.store.blobs import Blobs, StoreError

TURN_S = 3.0
AT_ONCE = 200
DELAYS_S = (60, 600, 3600)


class NotYet(StoreError):
    """The same bytes were captured again a moment ago: whoever did so may be about to write their row."""


def carry_on() -> int:
    """A turn at one removal; how many files are gone by it."""
    now = timezone.now()
    waiting = Removal.objects.filter(status=Asked.APPROVED, done_at=None).select_related("run").order_by("tries", "pk")
    removal = next((each for each in waiting[:50] if _is_time(each)), None)
    if removal is None:
        return 0
    before = removal.gone
    try:
        is_done = _turn(removal)
    except (StoreError, OSError) as error:
        problem = {"error": str(error)[:500], "tries": removal.tries + 1, "tried_at": now}
        Removal.objects.filter(pk=removal.pk).update(gone=removal.gone, **problem)
    else:
        done_at = timezone.now() if is_done else None
        Removal.objects.filter(pk=removal.pk).update(gone=removal.gone, error="", tries=0, done_at=done_at)
    return removal.gone - before


def _is_time(removal: Removal) -> bool:
    if not removal.tries or removal.tried_at is None:
        return True
    wait = DELAYS_S[min(removal.tries, len(DELAYS_S)) - 1]
    return removal.tried_at + timedelta(seconds=wait) <= timezone.now()


def _turn(removal: Removal) -> bool:
    """True once nothing is left. The folder first: its files are the same bytes under other names."""
    folder = output.folder_of(removal.run)
    if folder.exists():
        shutil.rmtree(folder)
    store, until = blobs(), monotonic() + TURN_S
    hashes = _hashes(removal)
    while names := hashes[removal.gone : removal.gone + AT_ONCE]:
        wanted = strays.named(names)
        for name in names:
            if name not in wanted:
                _remove(store, name)
            removal.gone += 1
            if monotonic() > until:
                return False
    return True


def _hashes(removal: Removal) -> list[str]:
    """Of the run's files and packs; the same each time, in the same order."""
    files = Artifact.objects.filter(attempt__sample__run=removal.run, removed_at__isnull=False)
    packs = Pack.objects.filter(run=removal.run, removed_at__isnull=False).exclude(sha256="")
    return sorted({sha256 for rows in (files, packs) for sha256 in rows.values_list("sha256", flat=True)})


def _remove(store: Blobs, sha256: str) -> None:
    if not store.remove_old(sha256, OLD_S) and store.has(sha256):
        raise NotYet("the same file was captured again within the hour; it goes later if no other run names it")
