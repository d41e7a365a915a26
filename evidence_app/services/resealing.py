"""Secrets in columns of samples and schedules, sealed anew with the newest key."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from evidence_app.models import Sample, Schedule
from evidence_app.services.confidential import PURPOSE, SEALED
from recipes_app.keys import fernet
from recipes_app.services.rotation import BATCH, Rotated, state_of


def reseal_samples() -> Rotated:
    done, after = Rotated("sample columns"), 0
    while True:
        with transaction.atomic():
            rows = list(Sample.objects.filter(pk__gt=after).order_by("pk").select_for_update().only("extra")[:BATCH])
            for row in rows:
                done, extra = _resealed(row.extra, done)
                if extra != row.extra:
                    Sample.objects.filter(pk=row.pk).update(extra=extra)
        if not rows:
            return done
        after = rows[-1].pk


def reseal_schedules() -> Rotated:
    done = Rotated("schedule columns")
    with transaction.atomic():
        for row in Schedule.objects.select_for_update().only("samples"):
            done, samples = _resealed(row.samples, done)
            if samples != row.samples:
                Schedule.objects.filter(pk=row.pk).update(samples=samples)
    return done


def _resealed(value: Any, done: Rotated) -> tuple[Rotated, Any]:
    """The same with every sealed value under the newest key, and the count."""
    if isinstance(value, list):
        each: list[Any] = []
        for entry in value:
            done, new = _resealed(entry, done)
            each.append(new)
        return done, each
    if not isinstance(value, dict):
        return done, value
    if value.keys() == {SEALED} and isinstance(value[SEALED], str):
        state = state_of(value[SEALED], PURPOSE)
        token = fernet(PURPOSE).rotate(value[SEALED].encode()).decode() if state == "old" else value[SEALED]
        return done.plus(state), {SEALED: token}
    entries: dict[str, Any] = {}
    for name, entry in value.items():
        done, entries[name] = _resealed(entry, done)
    return done, entries
