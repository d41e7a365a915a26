"""Runs: a task spec over a list of samples, and each try at each sample."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from evidence_app.models.task_spec import TaskSpec, TaskSpecVersion
from recipes_app.models import ApiToken, Job, Site, Team
from recipes_app.models.job import new_public_id


class RunStatus(models.TextChoices):
    """`done` when every sample has ended, however it ended: the samples say how."""

    PLANNING = "planning", "Planning"  # a sentence is being turned into a spec, or samples are being discovered
    DRAFT = "draft", "To be confirmed"  # spec and samples wait for a person
    QUEUED = "queued", "Queued"
    RUNNING = "running", "Running"
    DONE = "done", "Done"
    FAILED = "failed", "Failed"  # it could not be planned, or its budget ended it
    CANCELLED = "cancelled", "Cancelled"


class Schedule(models.Model):
    """A run that recurs; its owner answers for it (nobody signs what they scheduled)."""

    team = models.ForeignKey(Team, models.CASCADE, related_name="schedules")
    spec = models.ForeignKey(TaskSpec, models.CASCADE, related_name="schedules")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    cron = models.CharField(max_length=120)  # five fields
    time_zone = models.CharField(max_length=60, default="UTC")
    samples = models.JSONField(default=list)  # [{"sample_id", "url", …}]
    period = models.CharField(max_length=40, blank=True)  # "{year}-Q{quarter}": filled in at each run
    is_active = models.BooleanField(default=True)
    next_at = models.DateTimeField(null=True, blank=True, db_index=True)
    last_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.spec} at {self.cron}"


class Run(models.Model):
    """`folder` is its name on disk. Money: millionths of a US dollar; null budgets are the installation's defaults."""

    public_id = models.CharField(max_length=20, unique=True, default=new_public_id, editable=False)
    team = models.ForeignKey(Team, models.PROTECT, related_name="evidence_runs")
    site = models.ForeignKey(Site, models.PROTECT, null=True, blank=True, related_name="evidence_runs")
    version = models.ForeignKey(TaskSpecVersion, models.PROTECT, null=True, blank=True, related_name="runs")
    title = models.CharField(max_length=200)
    folder = models.CharField(max_length=80, unique=True)
    sentence = models.TextField(blank=True)  # what was asked for in plain words, if it was
    status = models.CharField(max_length=10, choices=RunStatus, default=RunStatus.QUEUED, db_index=True)
    error = models.JSONField(null=True, blank=True)  # {error, kind}
    requested_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    via = models.CharField(max_length=10, default="page")  # page, api, cli, schedule
    token = models.ForeignKey(ApiToken, models.SET_NULL, null=True, blank=True, related_name="+")
    schedule = models.ForeignKey(Schedule, models.SET_NULL, null=True, blank=True, related_name="runs")
    plan_job = models.OneToOneField(Job, models.SET_NULL, null=True, blank=True, related_name="planned_run")
    # The run that finds its samples, where they were not given.
    discovery = models.OneToOneField("self", models.SET_NULL, null=True, blank=True, related_name="discovers_for")
    warnings = models.JSONField(default=list, blank=True)  # what a person should look at before it is confirmed
    control = models.CharField(max_length=60, blank=True)  # "CC6.2", "A.5.18"
    period = models.CharField(max_length=40, blank=True)  # "2026-Q3"
    population = models.JSONField(default=dict, blank=True)  # {"source", "sha256", "rows"}: where the samples came from
    retries = models.PositiveIntegerField(default=2)  # new attempts at a sample that failed
    budget_tokens = models.PositiveBigIntegerField(null=True, blank=True)
    budget_micros = models.PositiveBigIntegerField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    cancel_requested_at = models.DateTimeField(null=True, blank=True)
    written_at = models.DateTimeField(null=True, blank=True)  # its folder of files is complete

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.title


class SampleStatus(models.TextChoices):
    QUEUED = "queued", "Queued"
    RUNNING = "running", "Running"
    DONE = "done", "Done"
    PARTIAL = "partial_success", "Partly done"
    REVIEW = "needs_review", "Needs review"
    FAILED = "failed", "Failed"
    ERRORED = "errored", "Errored"
    CANCELLED = "cancelled", "Cancelled"
    INTERRUPTED = "interrupted", "Interrupted"


SAMPLE_ENDED = tuple(each for each in SampleStatus if each not in (SampleStatus.QUEUED, SampleStatus.RUNNING))


class Sample(models.Model):
    """One item of the population. `sample_id` as it was given, character for character; `folder` is safe and unique."""

    run = models.ForeignKey(Run, models.PROTECT, related_name="samples")
    number = models.PositiveIntegerField()
    sample_id = models.CharField(max_length=300)
    folder = models.CharField(max_length=120)
    url = models.CharField(max_length=2000, blank=True)
    extra = models.JSONField(default=dict, blank=True)
    status = models.CharField(max_length=16, choices=SampleStatus, default=SampleStatus.QUEUED)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["run", "sample_id"], name="one_sample_per_id"),
            models.UniqueConstraint(fields=["run", "folder"], name="one_sample_per_folder"),
            models.UniqueConstraint(fields=["run", "number"], name="one_sample_per_number"),
        ]
        indexes = [models.Index(fields=["run", "status"], name="samples_of_a_run")]

    def __str__(self) -> str:
        return self.sample_id


class Cause(models.TextChoices):
    FIRST = "first", "First"
    RETRY = "retry", "Tried again after a failure"
    RECAPTURE = "recapture", "Asked for in review"
    RESUMED = "resumed", "Run resumed"


class Attempt(models.Model):
    """One try at a sample, beside the older ones. `checkpoint`: the agent's progress, saved after every step."""

    sample = models.ForeignKey(Sample, models.PROTECT, related_name="attempts")
    number = models.PositiveIntegerField()
    job = models.OneToOneField(Job, models.PROTECT, related_name="attempt_at_sample")
    cause = models.CharField(max_length=10, choices=Cause, default=Cause.FIRST)
    status = models.CharField(max_length=16, choices=SampleStatus, default=SampleStatus.QUEUED)
    reasons = models.JSONField(default=list, blank=True)  # [{"code", "text"}]: why it needs review, is partial, failed
    extracted = models.JSONField(default=dict, blank=True)
    judgment = models.JSONField(null=True, blank=True)  # {"answer", "confidence", "reasoning", "references"}
    notes = models.TextField(blank=True)
    errors = models.JSONField(default=list, blank=True)
    step = models.PositiveIntegerField(default=0)
    max_steps = models.PositiveIntegerField(default=0)
    last_thought = models.CharField(max_length=500, blank=True)
    current_url = models.CharField(max_length=2000, blank=True)
    checkpoint = models.JSONField(default=dict, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    written_at = models.DateTimeField(null=True, blank=True)  # its files lie in the run's folder

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["sample", "number"], name="one_attempt_per_number")]

    def __str__(self) -> str:
        return f"{self.sample} attempt {self.number}"


class RunMemory(models.Model):
    """What the samples of one run taught: read by later samples of the same run, and by no other."""

    run = models.ForeignKey(Run, models.CASCADE, related_name="memories")
    domain = models.CharField(max_length=255)
    kind = models.CharField(max_length=10, choices=[("pattern", "Pattern"), ("failure", "Failure")])
    task_type = models.CharField(max_length=120, blank=True)
    content = models.JSONField(default=dict)
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "run memories"

    def __str__(self) -> str:
        return f"{self.kind} on {self.domain}"
