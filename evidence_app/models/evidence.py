"""What an attempt brought: its action log, its artifacts, its fields and where each was seen."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from evidence_app.models.run import Attempt


class ActionState(models.TextChoices):
    ABOUT = "about", "About to act"  # decided and written down, not known to be done
    DID = "did", "Did"
    FAILED = "failed", "Failed"


class ActionEntry(models.Model):
    """One step of the agent. `step` is the recipe step that was run, with its full target, null where none was."""

    attempt = models.ForeignKey(Attempt, models.PROTECT, related_name="actions")
    seq = models.PositiveIntegerField()
    state = models.CharField(max_length=8, choices=ActionState, default=ActionState.ABOUT)
    action = models.CharField(max_length=40)
    params = models.JSONField(default=dict)
    step = models.JSONField(null=True, blank=True)
    thinking = models.TextField(blank=True)
    evaluation = models.TextField(blank=True)
    memory_update = models.TextField(blank=True)
    next_goal = models.TextField(blank=True)
    result = models.TextField(blank=True)
    url = models.CharField(max_length=2000, blank=True)  # of the page it was done on
    mark = models.CharField(max_length=64, blank=True)  # how the page looked when it was decided
    input_tokens = models.PositiveIntegerField(default=0)
    output_tokens = models.PositiveIntegerField(default=0)
    ms = models.PositiveIntegerField(null=True, blank=True)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["seq"]
        verbose_name_plural = "action entries"
        constraints = [models.UniqueConstraint(fields=["attempt", "seq"], name="one_action_per_seq")]

    def __str__(self) -> str:
        return f"{self.seq} {self.action}"


class ArtifactKind(models.TextChoices):
    SCREENSHOT = "screenshot", "Full page"
    VIEWPORT = "viewport", "Viewport"
    TEXT = "text", "Page text"
    LAYOUT = "layout", "Places of words"
    MHTML = "mhtml", "Saved page"
    PDF = "pdf", "PDF"
    DOWNLOAD = "download", "Download"
    STATEMENT = "statement", "Statement"
    THUMBNAIL = "thumbnail", "Thumbnail"
    STITCHED = "stitched", "Stitched from tiles"
    TILE = "tile", "Tile"
    STAMPED = "stamped", "Stamped exhibit"
    REDACTED = "redacted", "Redacted copy"
    DIFFERENCE = "difference", "Difference"


class Artifact(models.Model):
    """A file whose bytes lie in the store under their SHA-256, written once. `derived_from` names what it was made of.

    `statement` is what is known of how it was captured; `name` is its file name in the run's folder.
    """

    attempt = models.ForeignKey(Attempt, models.PROTECT, related_name="artifacts")
    seq = models.PositiveIntegerField()  # the NN of its file name
    kind = models.CharField(max_length=12, choices=ArtifactKind)
    label = models.CharField(max_length=120)
    name = models.CharField(max_length=200)
    sha256 = models.CharField(max_length=64, db_index=True)
    size = models.PositiveBigIntegerField()
    media_type = models.CharField(max_length=120)
    width = models.PositiveIntegerField(default=0)  # pixels, of pictures
    height = models.PositiveIntegerField(default=0)
    source_url = models.CharField(max_length=2000, blank=True)
    action_seq = models.PositiveIntegerField(null=True, blank=True)
    capture = models.CharField(max_length=40, blank=True)  # the artifacts of one capture share it
    derived_from = models.ForeignKey("self", models.PROTECT, null=True, blank=True, related_name="derived")
    transform = models.JSONField(default=dict, blank=True)  # {"name", …}: how it was made of it
    statement = models.JSONField(null=True, blank=True)
    taken_at = models.DateTimeField(default=timezone.now)
    removed_at = models.DateTimeField(null=True, blank=True)  # its bytes were deleted, by the retention of its task

    class Meta:
        ordering = ["seq", "pk"]
        constraints = [models.UniqueConstraint(fields=["attempt", "name"], name="one_artifact_per_name")]

    def __str__(self) -> str:
        return self.name


class Grounding(models.TextChoices):
    TEXT = "text", "In the page's text"
    CONTROL = "control", "In a control"
    NOT_FOUND = "not_found", "Not on the page"
    NOT_CHECKED = "unchecked", "Not looked for"  # null, a judgment, a value that is derived


class Field(models.Model):
    """One extracted value and the place it was seen. `box`: x, y, width, height in pixels of the artifact's picture."""

    attempt = models.ForeignKey(Attempt, models.PROTECT, related_name="fields")
    path = models.CharField(max_length=200)  # "name", "rows[3].title"
    value = models.JSONField(null=True)
    type = models.CharField(max_length=20, blank=True)
    problem = models.CharField(max_length=300, blank=True)  # not of its type, empty though required
    grounding = models.CharField(max_length=10, choices=Grounding, default=Grounding.NOT_CHECKED)
    url = models.CharField(max_length=2000, blank=True)
    action_seq = models.PositiveIntegerField(null=True, blank=True)
    artifact = models.ForeignKey(Artifact, models.SET_NULL, null=True, blank=True, related_name="fields")
    box = models.JSONField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["attempt", "path"], name="one_field_per_path")]

    def __str__(self) -> str:
        return self.path
