"""What the end of a job means for the row it was about. Called in the transaction that ends the job."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from recipes_app.models import Call, Healing, Job, Proposal, RecipeVersion, User
from recipes_app.models.healing import HealingStatus
from recipes_app.models.job import JobKind
from recipes_app.models.proposal import ProposalStatus
from recipes_app.models.recipe import VersionStatus
from recipes_app.services import announcements

# What the end of a job means for rows of other applications, by its kind.
MORE: dict[str, Callable[[Job], None]] = {}
# What it means for them that somebody stops one, in the transaction that does so, before it ends.
STOPPED: dict[str, Callable[[Job, User], None]] = {}
UNDER_WAY = (ProposalStatus.APPROVED, ProposalStatus.RECORDING)


def settle(job: Job) -> None:
    """Nothing waits for a job that has ended; whoever ended it well has settled its subject before."""
    if job.kind == JobKind.CALL:
        _settle_call(job)
    else:
        _settle_subject(job)
    if job.kind in MORE:
        MORE[job.kind](job)
    announcements.job_ended(job)


def _settle_subject(job: Job) -> None:
    Proposal.objects.filter(recordings__job=job, status__in=UNDER_WAY).update(status=ProposalStatus.FAILED)
    verifying = RecipeVersion.objects.filter(recordings__job=job, status=VersionStatus.VERIFYING)
    verifying.update(status=VersionStatus.DRAFT)
    searching = Healing.objects.filter(job=job, status=HealingStatus.SEARCHING)
    searching.update(status=HealingStatus.NOTHING, message=job.error_text or "The search was stopped.")


def failed_result(call: Call, error: dict[str, Any]) -> dict[str, Any]:
    """The result of a call that gave none."""
    empty = {"ok": False, "data": {}, "warnings": [], "steps": [], "url": ""}
    return {**empty, **error, "llm_calls": 0, "recipe_version": call.version.number}


def _settle_call(job: Job) -> None:
    call = Call.objects.filter(job=job, result__isnull=True).select_related("version").first()
    if call is not None:
        error = job.error or {"error": f"The call was {job.get_status_display().lower()}.", "kind": job.status}
        Call.objects.filter(pk=call.pk).update(result=failed_result(call, error), sealed_arguments=None)
