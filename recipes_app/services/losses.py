"""What becomes of a job whose worker was lost: only what has so far only read is run again by itself."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.conf import settings

from recipes_app.models import Job
from recipes_app.models.job import JobKind, JobStatus
from recipes_app.services.steplog import has_written, unknown_step

Rule = Callable[[Job, str], tuple[JobStatus, dict[str, Any] | None]]
# Kinds of jobs that go on from where they were have a rule of their own.
OWN_RULES: dict[str, Rule] = {}
KEPT = "The steps recorded so far are kept: look at them, and make the tool of them."


def after_loss(job: Job, why: str) -> tuple[JobStatus, dict[str, Any] | None]:
    """The status the row gets, and its error: by the rule of its kind, if that has one."""
    return OWN_RULES.get(job.kind, usual_rule)(job, why)


def usual_rule(job: Job, why: str) -> tuple[JobStatus, dict[str, Any] | None]:
    """1. a step that may write was under way: its outcome is unknown   2. such steps have been done: not done twice
    3. a person asked to stop anyway   4. held up to its deadline: whatever did that would do it again
    5. only read so far: once more, up to max_attempts
    """
    step = unknown_step(job)
    if step is not None:
        error = f"{why} while about to: {step.sentence}. The outcome of that step is unknown; look at the site."
        return JobStatus.INTERRUPTED, _error(error, failed_step=step.path, op=step.op, outcome="unknown")
    if has_written(job):
        error = f"{why} after steps that may have changed something, so it was not run again by itself."
        return JobStatus.INTERRUPTED, _error(error, outcome="partly done")
    if job.cancel_requested_at is not None:
        return JobStatus.CANCELLED, {"error": "Cancelled.", "kind": "cancelled"}
    if ran_out_of_time(job):
        return JobStatus.FAILED, {"error": f"{why} when its {job.deadline_s} seconds were over.", "kind": "timeout"}
    if job.attempt < job.max_attempts:
        return JobStatus.QUEUED, None
    end = KEPT if job.kind == JobKind.REMOTE else ""
    error = f"{why}. {end}" if end else f"{why}, {job.attempt} times."
    return JobStatus.INTERRUPTED, _error(error, outcome="nothing changed")


def ran_out_of_time(job: Job) -> bool:
    """Whether its lease was still being renewed when its time was over: a third of a lease passes between two."""
    if job.started_at is None or job.lease_until is None:
        return False
    over = job.started_at + timedelta(seconds=job.deadline_s)
    return job.lease_until >= over + timedelta(seconds=settings.LEASE_S * 2 / 3)


def _error(text: str, **more: str) -> dict[str, Any]:
    return {"error": text, "kind": "interrupted", **more}
