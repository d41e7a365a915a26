"""Evidence that goes once its time is over, what stops that, and a backup that was put back: each takes two people."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from evidence_app.models.run import Run
from evidence_app.models.task_spec import TaskSpec
from recipes_app.models import Team


class Asked(models.TextChoices):
    WAITING = "waiting", "Waits for a second person"
    APPROVED = "approved", "Approved"
    DECLINED = "declined", "Declined"


class Hold(models.Model):
    """Nothing it covers is deleted: one run, all runs of a task, or everything of the team. Only once lifted."""

    team = models.ForeignKey(Team, models.PROTECT, related_name="holds")
    spec = models.ForeignKey(TaskSpec, models.PROTECT, null=True, blank=True, related_name="holds")
    run = models.ForeignKey(Run, models.PROTECT, null=True, blank=True, related_name="holds")
    words = models.TextField()
    placed_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    placed_at = models.DateTimeField(default=timezone.now, editable=False)
    lifted_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    lifted_at = models.DateTimeField(null=True, blank=True)
    lifted_words = models.TextField(blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(condition=models.Q(spec=None) | models.Q(run=None), name="holds_one_thing")
        ]

    def __str__(self) -> str:
        return f"hold on {self.what}"

    @property
    def what(self) -> str:
        if self.run:
            return f"the run {self.run}"
        return f"the task {self.spec}" if self.spec else "everything of the team"


class Removal(models.Model):
    """Somebody asks for the evidence of a run to be deleted, another decides.

    After the approval the rows are blank at once, and the ledger says so (retention.removed); the bytes go in the
    background, `done_at` once all are gone.
    """

    run = models.ForeignKey(Run, models.PROTECT, related_name="removals")
    days = models.PositiveIntegerField()  # the retention it was asked under
    words = models.TextField(blank=True)
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    asked_at = models.DateTimeField(default=timezone.now, editable=False)
    status = models.CharField(max_length=8, choices=Asked, default=Asked.WAITING)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_words = models.TextField(blank=True)
    files = models.PositiveIntegerField(default=0)
    bytes = models.PositiveBigIntegerField(default=0)
    gone = models.PositiveIntegerField(default=0)  # of its hashes, in their order: these have been seen to
    done_at = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveIntegerField(default=0)
    tried_at = models.DateTimeField(null=True, blank=True)
    error = models.CharField(max_length=500, blank=True)  # why bytes are still there

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["run"], condition=~models.Q(status=Asked.DECLINED), name="one_removal_per_run"
            ),
            models.CheckConstraint(
                condition=~models.Q(status=Asked.APPROVED)
                | (models.Q(decided_by__isnull=False) & ~models.Q(decided_by=models.F("asked_by"))),
                name="removal_by_two_people",
            ),
        ]

    def __str__(self) -> str:
        return f"removal of {self.run}"


class Restoration(models.Model):
    """Somebody says that a backup was put back, so that the ledger ends before a head that was signed already.

    `lost_note` is that head; `size` and `root` are the tree's at the moment it was said. Approved, the ledger says so
    (restore.declared).
    """

    lost_size = models.BigIntegerField()
    lost_root = models.CharField(max_length=64)
    lost_note = models.TextField()
    size = models.BigIntegerField()
    root = models.CharField(max_length=64)
    words = models.TextField()
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    asked_at = models.DateTimeField(default=timezone.now, editable=False)
    status = models.CharField(max_length=8, choices=Asked, default=Asked.WAITING)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_words = models.TextField(blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["lost_root"], condition=models.Q(status=Asked.WAITING), name="one_restoration_waits"
            ),
            models.CheckConstraint(
                condition=~models.Q(status=Asked.APPROVED)
                | (models.Q(decided_by__isnull=False) & ~models.Q(decided_by=models.F("asked_by"))),
                name="restoration_by_two_people",
            ),
        ]

    def __str__(self) -> str:
        return f"restoration to {self.size} entries"
