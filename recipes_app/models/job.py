"""Long work: one row per job, whatever it is for. The row is the truth; Redis only carries its id."""

from __future__ import annotations

import secrets
from datetime import datetime
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.utils import timezone

from recipes_app.models.team import Team

if TYPE_CHECKING:
    from recipes_app.models.user import User


class JobKind(models.TextChoices):
    MAP = "map", "Mapping"
    RECORD = "record", "Recording"
    CALL = "call", "Call"
    HEAL = "heal", "Healing"
    REMOTE = "remote", "Remote browser"
    LOGIN = "login", "Signing in"
    DELIVER = "deliver", "Delivery"
    PLAN = "plan", "Planning"
    DISCOVER = "discover", "Discovery"
    SAMPLE = "sample", "Sample"
    PACK = "pack", "Pack"


class JobStatus(models.TextChoices):
    """`failed` carries a reason for a person; `errored` is a bug and carries a traceback."""

    QUEUED = "queued", "Queued"
    RUNNING = "running", "Running"
    DONE = "done", "Done"
    FAILED = "failed", "Failed"
    ERRORED = "errored", "Errored"
    CANCELLED = "cancelled", "Cancelled"
    INTERRUPTED = "interrupted", "Interrupted"


BACKSTAGE = (JobKind.DELIVER,)  # work nobody asked for by itself: left out of the pages' lists of jobs
ACTIVE = (JobStatus.QUEUED, JobStatus.RUNNING)
ENDED = (JobStatus.DONE, JobStatus.FAILED, JobStatus.ERRORED, JobStatus.CANCELLED, JobStatus.INTERRUPTED)


def new_public_id() -> str:
    return secrets.token_hex(10)


class JobQuerySet(models.QuerySet["Job"]):
    def of(self, team: Team) -> JobQuerySet:
        return self.filter(team=team)

    def visible_to(self, user: User) -> JobQuerySet:
        return self.filter(team__memberships__user=user)

    def active(self) -> JobQuerySet:
        return self.filter(status__in=ACTIVE)

    def on_stage(self) -> JobQuerySet:
        """What people started, or may want to look at."""
        return self.exclude(kind__in=BACKSTAGE)

    def lease_expired(self, now: datetime) -> JobQuerySet:
        return self.filter(status=JobStatus.RUNNING, lease_until__lt=now)

    def waiting(self) -> JobQuerySet:
        return self.filter(status=JobStatus.QUEUED)


class Job(models.Model):
    """Moved by guarded UPDATE only: a claim raises `fence`, and each later write names the fence it holds."""

    public_id = models.CharField(max_length=20, unique=True, default=new_public_id, editable=False)
    team = models.ForeignKey(Team, models.CASCADE, related_name="jobs")
    kind = models.CharField(max_length=10, choices=JobKind)
    title = models.CharField(max_length=200)
    queue = models.CharField(max_length=20)
    interactive = models.BooleanField(default=True)  # interactive jobs are dispatched before bulk ones
    status = models.CharField(max_length=12, choices=JobStatus, default=JobStatus.QUEUED, db_index=True)
    requested_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    dispatched_at = models.DateTimeField(null=True, blank=True)  # its id was put into Redis
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    session = models.CharField(max_length=40, blank=True)  # by name; "": the site's usual one, "-": none
    deadline_s = models.PositiveIntegerField(default=120)
    attempt = models.PositiveIntegerField(default=0)
    max_attempts = models.PositiveIntegerField(default=2)
    fence = models.PositiveIntegerField(default=0)
    worker = models.CharField(max_length=80, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    progress_at = models.DateTimeField(null=True, blank=True)  # last event, for the stall limit
    cancel_requested_at = models.DateTimeField(null=True, blank=True)
    cancelled_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    phase = models.CharField(max_length=60, blank=True)
    note = models.CharField(max_length=300, blank=True)
    done_count = models.PositiveIntegerField(default=0)
    total_count = models.PositiveIntegerField(default=0)
    error = models.JSONField(null=True, blank=True)  # {error, kind, failed_step, op, url, partial} or {error, kind}
    traceback = models.TextField(blank=True)

    objects = JobQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-pk"]
        indexes = [models.Index(fields=["status", "queue", "created_at"])]

    def __str__(self) -> str:
        return f"{self.title} ({self.status})"

    @property
    def is_active(self) -> bool:
        return self.status in ACTIVE

    @property
    def is_failing(self) -> bool:
        """Its newest step failed, and nothing has been tried since."""
        last = self.steps.exclude(state=StepState.NOTE).last()
        return last is not None and last.state == StepState.FAILED

    @property
    def error_text(self) -> str:
        return str((self.error or {}).get("error", ""))


class StepState(models.TextChoices):
    ABOUT = "about", "About to act"
    DID = "did", "Did"
    FAILED = "failed", "Failed"
    WARNED = "warned", "Skipped with a warning"
    SKIPPED = "skipped", "Skipped"
    NOTE = "note", "Note"


class JobStep(models.Model):
    """What a job did, in order. An `about` row of a writing step with no `did` after a crash: outcome unknown."""

    job = models.ForeignKey(Job, models.CASCADE, related_name="steps")
    seq = models.PositiveIntegerField()
    attempt = models.PositiveIntegerField(default=1)
    path = models.CharField(max_length=80)
    op = models.CharField(max_length=30)
    sentence = models.CharField(max_length=300)
    state = models.CharField(max_length=8, choices=StepState)
    may_write = models.BooleanField(default=False)
    ms = models.PositiveIntegerField(null=True, blank=True)
    matched = models.CharField(max_length=120, blank=True)
    detail = models.CharField(max_length=500, blank=True)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["seq"]
        constraints = [models.UniqueConstraint(fields=["job", "seq"], name="one_step_per_seq")]

    def __str__(self) -> str:
        return f"{self.path} {self.sentence}"


class JobPicture(models.Model):
    """A picture taken while a job ran."""

    job = models.ForeignKey(Job, models.CASCADE, related_name="pictures")
    label = models.CharField(max_length=120)
    file = models.FileField(upload_to="pictures/%Y/%m/")
    media_type = models.CharField(max_length=40, default="image/png")
    width = models.PositiveIntegerField(default=0)
    height = models.PositiveIntegerField(default=0)
    sha256 = models.CharField(max_length=64)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.label


class JobFile(models.Model):
    """A file a job brought back, as it was downloaded."""

    job = models.ForeignKey(Job, models.CASCADE, related_name="files")
    key = models.CharField(max_length=120)
    name = models.CharField(max_length=255)
    file = models.FileField(upload_to="downloads/%Y/%m/")
    media_type = models.CharField(max_length=120, blank=True)
    size = models.PositiveBigIntegerField(default=0)
    sha256 = models.CharField(max_length=64)
    url = models.CharField(max_length=2000, blank=True)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.name
