"""The life of a job's row: claimed, written to by whoever holds it, ended or given back.

Every write names the fence of its claim. Whoever finds that the row has moved on gets LostLease and stops.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from recipes_app.engine.events import Downloaded, Event, Picture, Progress
from recipes_app.models import Job, JobFile, JobPicture, User
from recipes_app.models.job import JobKind, JobStatus
from recipes_app.models.team import RUNNERS
from recipes_app.services import access, audit, dispatch, downloads, pictures, sealing
from recipes_app.services.errors import LostLease, NotAllowed, WrongState
from recipes_app.services.losses import after_loss
from recipes_app.services.settling import STOPPED, settle
from recipes_app.services.steplog import StepLog, part_of, unknown_step

# A lease is never renewed past the deadline by more than this, whatever the worker believes.
GRACE_S = 45


@dataclass(eq=False)
class Claim:
    """A job that this process holds, as long as it keeps renewing."""

    job: Job
    fence: int
    secrets: tuple[str, ...] = ()
    renewed_at: datetime = field(default_factory=timezone.now)

    def __post_init__(self) -> None:
        self.steps = StepLog(self.job, self.clean)

    def keep_secret(self, values: Iterable[object]) -> None:
        """From now on these values are blotted out of everything this claim writes."""
        self.secrets = tuple(str(value) for value in values)

    def clean(self, value: Any) -> Any:
        return sealing.blot_out(value, self.secrets)

    def renew(self) -> None:
        """Call often; the row is written when a third of the lease is over."""
        now = timezone.now()
        if now - self.renewed_at >= timedelta(seconds=settings.LEASE_S / 3):
            self._write(lease_until=_lease(now, self.job))
            self.renewed_at = now

    def cancelled(self) -> bool:
        """Whether a person asked to stop; LostLease if the job is ours no more."""
        row = self._held().values("cancel_requested_at").first()
        if row is None:
            raise LostLease(f"job {self.job.pk}")
        return row["cancel_requested_at"] is not None

    def record(self, event: Event) -> None:
        match event:
            case Progress():
                self.progress(event.phase, event.done, event.total, event.note)
                self.steps.begin(part_of(event))
            case Picture():
                self.picture(event)
            case Downloaded() if self.job.kind == JobKind.CALL:
                self.file(event)
            case _:
                self.step(event)

    def progress(self, phase: str, done: int, total: int | None = None, note: str = "") -> None:
        self._write(
            progress_at=timezone.now(),
            phase=self.clean(phase)[:60],
            done_count=done,
            total_count=total or 0,
            note=self.clean(note)[:300],
        )

    @transaction.atomic
    def step(self, event: Event) -> None:
        """Has been committed when this returns, unless the caller holds a transaction open."""
        self.hold()
        self.steps.write(event)

    def picture(self, event: Picture) -> JobPicture:
        return pictures.keep(self.job, replace(event, label=self.clean(event.label)), hold=self.hold)

    def file(self, event: Downloaded) -> JobFile:
        cleaned = replace(event, name=self.clean(event.name), url=self.clean(event.url))
        return downloads.keep(self.job, cleaned, hold=self.hold)

    def hold(self) -> None:
        """Inside a transaction: makes everything written in it depend on the lease."""
        self._write(progress_at=timezone.now())

    @transaction.atomic
    def finish(self, status: JobStatus, error: dict[str, Any] | None = None, traceback: str = "") -> None:
        """End the job. Write about its subject first, in the same transaction: a lost lease undoes both."""
        columns = {"error": self.clean(error), "traceback": self.clean(traceback)}
        self._write(status=status, finished_at=timezone.now(), lease_until=None, **columns)
        self.job.refresh_from_db()
        settle(self.job)

    @transaction.atomic
    def give_back(self, why: str) -> JobStatus:
        """This process cannot go on: wait again if the job has only read so far, else end it."""
        return _move_on(self._held(), self.job, why)

    def unfinished(self) -> dict[str, Any]:
        """What to add to the error of a job that was stopped while a step that may write was under way."""
        step = unknown_step(self.job)
        if step is None:
            return {}
        return {"failed_step": step.path, "op": step.op, "outcome": "unknown", "about": step.sentence}

    def _held(self) -> QuerySet[Job]:
        return Job.objects.filter(pk=self.job.pk, status=JobStatus.RUNNING, fence=self.fence)

    def _write(self, **columns: Any) -> None:
        if self._held().update(**columns) != 1:
            raise LostLease(f"job {self.job.pk}")


def claim(job_id: int, worker: str) -> Claim | None:
    """Take a waiting job; None if it is not waiting (any more): delivered twice, cancelled, ended."""
    now = timezone.now()
    waiting = Job.objects.filter(pk=job_id, status=JobStatus.QUEUED)
    taken = waiting.update(
        status=JobStatus.RUNNING,
        fence=F("fence") + 1,
        attempt=F("attempt") + 1,
        worker=worker,
        started_at=now,
        progress_at=now,
        lease_until=now + timedelta(seconds=settings.LEASE_S),
        phase="",
        note="",
        done_count=0,
        total_count=0,
    )
    if taken != 1:
        return None
    job = Job.objects.select_related("team").get(pk=job_id)
    if job.worker != worker or job.status != JobStatus.RUNNING:
        return None
    return Claim(job, job.fence)


@transaction.atomic
def request_cancel(*, job: Job, by: User) -> Job:
    """A waiting job ends at once; a running one as soon as its worker has seen it, a second at most."""
    if job.requested_by_id != by.pk and not access.can(by, job.team, RUNNERS):
        raise NotAllowed("Your role does not let you cancel the jobs of others.")
    Job.objects.select_for_update(of=("self",)).filter(pk=job.pk).first()
    if job.kind in STOPPED:
        STOPPED[job.kind](job, by)
    now = timezone.now()
    asked = {"cancel_requested_at": now, "cancelled_by": by}
    if Job.objects.filter(pk=job.pk, status=JobStatus.QUEUED).update(
        status=JobStatus.CANCELLED, finished_at=now, **asked
    ):
        job.refresh_from_db()
        settle(job)
    elif Job.objects.filter(pk=job.pk, status=JobStatus.RUNNING, cancel_requested_at=None).update(**asked):
        job.refresh_from_db()
        transaction.on_commit(lambda: dispatch.wake(job))
    else:
        job.refresh_from_db()
        raise WrongState(f"{job.title} {'is being cancelled' if job.is_active else 'has ended'} already.")
    audit.record(job.team, by, "job.cancelled", f"job {job.public_id} {job.title}")
    return job


def sweep(now: datetime | None = None) -> int:
    """Move on every job whose lease has run out; how many there were."""
    now = now or timezone.now()
    return sum(_sweep_one(job) for job in Job.objects.lease_expired(now))


@transaction.atomic
def _sweep_one(job: Job) -> bool:
    same = Job.objects.filter(pk=job.pk, status=JobStatus.RUNNING, fence=job.fence, lease_until=job.lease_until)
    try:
        _move_on(same, job, "The worker was lost")
    except LostLease:
        return False
    return True


def _move_on(held: QuerySet[Job], job: Job, why: str) -> JobStatus:
    """By the life of its steps: `held` decides whether the row is still ours to move."""
    job.refresh_from_db()
    status, error = after_loss(job, why)
    if status == JobStatus.QUEUED:
        columns: dict[str, Any] = {"dispatched_at": None, "worker": "", "note": f"{why}; it will be run again."[:300]}
    else:
        columns = {"finished_at": timezone.now(), "error": error}
    if held.update(status=status, lease_until=None, **columns) != 1:
        raise LostLease(f"job {job.pk}")
    job.refresh_from_db()
    if status == JobStatus.QUEUED:
        dispatch.offer(job)
    else:
        settle(job)
    return JobStatus(status)


def _lease(now: datetime, job: Job) -> datetime:
    started = job.started_at or now
    return min(now + timedelta(seconds=settings.LEASE_S), started + timedelta(seconds=job.deadline_s + GRACE_S))
