"""One guarded fetch per noun: 404 for what another team has, as for what does not exist."""

from __future__ import annotations

from django.http import Http404

from evidence_app.models import Artifact, Run, Sample, TaskSpec, TaskSpecVersion
from recipes_app.models import ApiToken

BIGGEST = 2**31


def task_of(token: ApiToken, task_id: str) -> TaskSpec:
    row = TaskSpec.objects.filter(team=token.team, task_id=task_id).select_related("team").first()
    if row is None:
        raise Http404(f"There is no task {task_id}.")
    return row


def version_of(token: ApiToken, task_id: str, number: int | None = None) -> TaskSpecVersion:
    """The newest unless one is named."""
    rows = task_of(token, task_id).versions.select_related("spec__team", "author")
    if number is not None:
        rows = rows.filter(number=number if 0 < number < BIGGEST else 0)
    version = rows.first()
    if version is None:
        raise Http404(f"The task {task_id} has no version {number}.")
    return version


def run_of(token: ApiToken, public_id: str) -> Run:
    rows = Run.objects.filter(team=token.team, public_id=public_id)
    run = rows.select_related("team", "site", "version__spec", "requested_by", "discovery", "plan_job").first()
    if run is None:
        raise Http404(f"There is no run {public_id}.")
    return run


def sample_of(token: ApiToken, public_id: str, number: int) -> Sample:
    rows = run_of(token, public_id).samples.select_related("run")
    sample = rows.filter(number=number if 0 < number < BIGGEST else 0).first()
    if sample is None:
        raise Http404(f"The run {public_id} has no sample number {number}.")
    return sample


def artifact_of(token: ApiToken, number: int) -> Artifact:
    rows = Artifact.objects.filter(attempt__sample__run__team=token.team)
    artifact = rows.filter(pk=number if 0 < number < 2**63 else 0).first()
    if artifact is None:
        raise Http404(f"There is no artifact {number}.")
    return artifact
