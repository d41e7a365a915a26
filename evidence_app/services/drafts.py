"""A planned run while it waits to be confirmed: its spec and samples are changed, or it is discarded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.db import transaction
from django.utils import timezone

from evidence_app.models import Run, Sample
from evidence_app.models.run import RunStatus
from evidence_app.services import confidential, drafting, four_eyes, runs, specs
from evidence_app.spec.samples import SampleInput
from recipes_app.models import User
from recipes_app.services import audit
from recipes_app.services.errors import WrongState


@transaction.atomic
def change_samples(*, run: Run, by: User, samples: Sequence[SampleInput]) -> int:
    """These instead of those it had; how many. Dots in a secret column stand for what the same sample had there."""
    hold(run, by)
    checked = runs.checked_samples(_with_kept(run, samples), run)
    Sample.objects.filter(run=run).delete()
    runs.put_samples(run, checked)
    population = {**run.population, "rows": len(checked), "changed_by": by.get_username()}
    Run.objects.filter(pk=run.pk).update(population=population)
    audit.record(run.team, by, "run.samples_changed", f"run {run.public_id}", samples=len(checked))
    four_eyes.bar(run, by)
    return len(checked)


def _with_kept(run: Run, samples: Sequence[SampleInput]) -> list[SampleInput]:
    before = {each.sample_id: each.extra for each in run.samples.all()}
    return [replace(each, extra=confidential.with_kept(each.extra, before.get(each.sample_id, {}))) for each in samples]


@transaction.atomic
def change_spec(*, run: Run, by: User, document: Any) -> None:
    """A new version of its task, by an editor; the samples stay and must fit it."""
    hold(run, by)
    version = specs.save(team=run.team, by=by, data=document)
    Run.objects.filter(pk=run.pk).update(version=version)
    run.version = version
    runs.checked_samples([SampleInput(each.sample_id, each.url, each.extra) for each in run.samples.all()], run)
    four_eyes.bar(run, by)


@transaction.atomic
def discard(*, run: Run, by: User) -> None:
    runs.require_runner(run.team, by)
    waiting = Run.objects.filter(pk=run.pk, status=RunStatus.DRAFT)
    if waiting.update(status=RunStatus.CANCELLED, finished_at=timezone.now()) != 1:
        raise WrongState(f"{run.title} is not waiting to be confirmed.")
    Sample.objects.filter(run=run).delete()
    drafting.settled(run)
    audit.record(run.team, by, "run.discarded", f"run {run.public_id} {run.title}")


def hold(run: Run, by: User) -> None:
    """Until the transaction ends, nobody confirms it: what is confirmed is what was looked at."""
    runs.require_runner(run.team, by)
    if not Run.objects.select_for_update().filter(pk=run.pk, status=RunStatus.DRAFT).exists():
        raise WrongState(f"{run.title} is not waiting to be confirmed.")
