"""One guarded fetch per noun of evidence: a stranger gets 404, a team-mate without the role 403."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from django.db.models import Model, QuerySet
from django.http import Http404

from evidence_app.models import Artifact, Hold, Pack, Removal, Run, Sample, Schedule, TaskSpec
from recipes_app.models import Role, User
from recipes_app.services.access import require

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

Row = TypeVar("Row", bound=Model)
Need = frozenset[Role] | None


def get_spec_for(user: User | AnonymousUser, pk: int, need: Need = None) -> TaskSpec:
    spec = _one(TaskSpec.objects.filter(pk=pk).select_related("team", "site"))
    require(user, spec.team, need)
    return spec


def get_run_for(user: User | AnonymousUser, public_id: str, need: Need = None) -> Run:
    rows = Run.objects.select_related("team", "site", "version__spec", "requested_by")
    run = _one(rows.filter(public_id=public_id))
    require(user, run.team, need)
    return run


def get_sample_for(user: User | AnonymousUser, pk: int, need: Need = None) -> Sample:
    sample = _one(Sample.objects.filter(pk=pk).select_related("run__team", "run__version__spec"))
    require(user, sample.run.team, need)
    return sample


def get_artifact_for(user: User | AnonymousUser, pk: int, need: Need = None) -> Artifact:
    artifact = _one(Artifact.objects.filter(pk=pk).select_related("attempt__sample__run__team"))
    require(user, artifact.attempt.sample.run.team, need)
    return artifact


def get_schedule_for(user: User | AnonymousUser, pk: int, need: Need = None) -> Schedule:
    schedule = _one(Schedule.objects.filter(pk=pk).select_related("team", "spec"))
    require(user, schedule.team, need)
    return schedule


def get_removal_for(user: User | AnonymousUser, pk: int, need: Need = None) -> Removal:
    removal = _one(Removal.objects.filter(pk=pk).select_related("run__team", "run__version", "asked_by"))
    require(user, removal.run.team, need)
    return removal


def get_hold_for(user: User | AnonymousUser, pk: int, need: Need = None) -> Hold:
    hold = _one(Hold.objects.filter(pk=pk).select_related("team", "run", "spec"))
    require(user, hold.team, need)
    return hold


def get_pack_for(user: User | AnonymousUser, public_id: str, need: Need = None) -> Pack:
    pack = _one(Pack.objects.filter(public_id=public_id).select_related("run__team"))
    require(user, pack.run.team, need)
    return pack


def _one(rows: QuerySet[Row]) -> Row:
    row = rows.first()
    if row is None:
        raise Http404
    return row
