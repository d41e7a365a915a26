"""Sign-off: who may not sign a run, what waits to be looked at, what was decided about it, and who was shown what."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from evidence_app.models.evidence import Artifact
from evidence_app.models.run import Attempt, Run, Sample
from recipes_app.models import Team


class Bar(models.TextChoices):
    """Why somebody does not sign a run. They are not told apart where it matters: any of them bars."""

    RAN = "ran", "asked for the run"
    STARTED = "started", "confirmed the run, or took it up again"
    SHAPED = "shaped", "changed what the run collects"
    STOPPED = "stopped", "stopped the run"
    SCHEDULED = "scheduled", "owns its schedule"
    TOKEN = "token", "owns the token it was asked for with"  # no secret
    TASK = "task", "wrote the task"
    TOOL = "tool", "wrote a tool the run may use"


class RunBarred(models.Model):
    """Filled in the transaction that makes a run. The database lets nobody named here sign it, nor change this list."""

    run = models.ForeignKey(Run, models.PROTECT, related_name="barred")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    why = models.CharField(max_length=10, choices=Bar)
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "barred people"
        constraints = [models.UniqueConstraint(fields=["run", "user", "why"], name="barred_once_for_each_reason")]

    def __str__(self) -> str:
        return f"{self.user} {self.get_why_display()}"


class BreakGlass(models.Model):
    """Somebody who is barred may sign a run all the same: an owner said so, in words, and everybody is told."""

    run = models.ForeignKey(Run, models.PROTECT, related_name="broken_glass")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    words = models.TextField()
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "broken glass"
        constraints = [models.UniqueConstraint(fields=["run", "user"], name="glass_broken_once")]

    def __str__(self) -> str:
        return f"{self.user} may sign {self.run}"


class ExhibitState(models.TextChoices):
    OPEN = "open", "To review"
    SECOND = "second", "Second signature"
    STALE = "stale", "Captured anew"  # what was signed is not what lies there now
    APPROVED = "approved", "Approved"
    REJECTED = "rejected", "Rejected"
    RECAPTURE = "recapture", "Taken again"


WAITING = (ExhibitState.OPEN, ExhibitState.SECOND, ExhibitState.STALE)


class Exhibit(models.Model):
    """Where a sample stands in review: the queue's row. What was decided stands in the reviews; this follows them."""

    sample = models.OneToOneField(Sample, models.PROTECT, related_name="exhibit")
    attempt = models.ForeignKey(Attempt, models.PROTECT, related_name="+")  # the newest that brought evidence
    team = models.ForeignKey(Team, models.CASCADE, related_name="+")
    run = models.ForeignKey(Run, models.PROTECT, related_name="exhibits")
    state = models.CharField(max_length=10, choices=ExhibitState, default=ExhibitState.OPEN)
    assignee = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    doubts = models.PositiveIntegerField(default=0)  # values that stand on no page, and other reasons to look
    opened_at = models.DateTimeField(default=timezone.now)  # waits since
    decided_at = models.DateTimeField(null=True, blank=True)
    mismatch_at = models.DateTimeField(null=True, blank=True)  # a file was found not to be what was stored

    class Meta:
        ordering = ["opened_at", "pk"]
        indexes = [
            models.Index(fields=["team", "state", "opened_at", "id"], name="exhibits_that_wait"),
            models.Index(
                fields=["team", "opened_at", "id"],
                condition=models.Q(state__in=WAITING),
                name="exhibits_waiting_longest",
            ),
            models.Index(fields=["team", "opened_at", "id"], name="exhibits_in_order"),
            models.Index(fields=["run", "state"], name="exhibits_of_a_run"),
            models.Index(fields=["assignee", "state", "opened_at"], name="exhibits_of_a_person"),
        ]

    def __str__(self) -> str:
        return f"{self.sample}"

    @property
    def is_waiting(self) -> bool:
        return self.state in WAITING


class Decision(models.TextChoices):
    APPROVE = "approve", "Approved"
    REJECT = "reject", "Rejected"
    RECAPTURE = "recapture", "Asked for a new capture"


class Reason(models.TextChoices):
    NONE = "", "No reason needed"
    INCOMPLETE = "incomplete", "Something is missing"
    WRONG_PAGE = "wrong_page", "The wrong page"
    WRONG_SUBJECT = "wrong_subject", "The wrong person or item"
    WRONG_PERIOD = "wrong_period", "Outside the period"
    WRONG_VALUE = "wrong_value", "A value is not what the page says"
    NOT_READABLE = "not_readable", "Cannot be read"
    NOT_LOADED = "not_loaded", "The page had not loaded"
    COVERED = "covered", "Something lies over it"
    SIGNED_OUT = "signed_out", "Signed out, or refused by the site"
    OTHER = "other", "Another reason"


class Level(models.IntegerChoices):
    FIRST = 1, "First signature"
    SECOND = 2, "Second signature"


class Review(models.Model):
    """One decision about the evidence of one attempt, and the hashes of what was decided on. Never changed: only once
    marked as undone. `seen`: [{"artifact", "name", "sha256", "shown"}], all files; `shown` where it was really seen."""

    sample = models.ForeignKey(Sample, models.PROTECT, related_name="reviews")
    attempt = models.ForeignKey(Attempt, models.PROTECT, related_name="reviews")
    reviewer = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="reviews")
    level = models.PositiveSmallIntegerField(choices=Level, default=Level.FIRST)
    decision = models.CharField(max_length=10, choices=Decision)
    reason_code = models.CharField(max_length=16, choices=Reason, blank=True)
    words = models.TextField(blank=True)
    seen = models.JSONField(default=list)
    hashed_here = models.BooleanField(default=False)  # their browser hashed every picture too
    at = models.DateTimeField(default=timezone.now, editable=False, db_index=True)
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+", editable=False
    )
    undone_at = models.DateTimeField(null=True, blank=True, editable=False)
    undone_words = models.TextField(blank=True, editable=False)

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["sample", "undone_at"], name="reviews_of_a_sample")]

    def __str__(self) -> str:
        return f"{self.get_decision_display()} by {self.reviewer}"


class Answer(models.TextChoices):
    MEETS = "meets", "Meets the control"
    EXCEPTION = "exception", "Exception"
    NOT_APPLICABLE = "not_applicable", "Not applicable"


class Conclusion(models.Model):
    """What the evidence says about the control. Never changed: the newest of a sample's counts."""

    sample = models.ForeignKey(Sample, models.PROTECT, related_name="conclusions")
    attempt = models.ForeignKey(Attempt, models.PROTECT, related_name="conclusions")
    reviewer = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="conclusions")
    answer = models.CharField(max_length=16, choices=Answer)
    words = models.TextField(blank=True)
    judgment_was_hidden = models.BooleanField(default=False)  # given before the agent's own was seen
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.get_answer_display()} by {self.reviewer}"


class Assignment(models.Model):
    """Who was asked to review a sample, by whom; the newest counts, nobody (null) takes it back."""

    sample = models.ForeignKey(Sample, models.PROTECT, related_name="assignments")
    to = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.sample} to {self.to or 'nobody'}"


class Comment(models.Model):
    sample = models.ForeignKey(Sample, models.PROTECT, related_name="comments")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    text = models.TextField()
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.text[:80]


class ShownAs(models.TextChoices):
    SENT = "sent", "Sent to be looked at"
    SEEN = "seen", "Shown at full size"  # the page said so after it had loaded
    HASH = "hash", "Hashed in their browser"  # to what is stored
    SAVED = "saved", "Downloaded"


class Shown(models.Model):
    """Whom a file was sent to, and how; `sha256` of the bytes that were sent."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    artifact = models.ForeignKey(Artifact, models.PROTECT, related_name="shown")
    how = models.CharField(max_length=5, choices=ShownAs)
    sha256 = models.CharField(max_length=64)
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "shown files"
        indexes = [models.Index(fields=["artifact", "user", "how"], name="shown_to_whom")]

    def __str__(self) -> str:
        return f"{self.artifact} to {self.user}"
