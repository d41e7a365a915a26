"""What is to be collected, and how it is judged complete: a task spec and its numbered versions."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from recipes_app.models import Site, Team


class TaskSpec(models.Model):
    """Named by its task_id within a team. What it says stands in its versions."""

    team = models.ForeignKey(Team, models.CASCADE, related_name="task_specs")
    site = models.ForeignKey(Site, models.SET_NULL, null=True, blank=True, related_name="task_specs")
    task_id = models.CharField(max_length=80)
    title = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    archived_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["task_id"]
        constraints = [models.UniqueConstraint(fields=["team", "task_id"], name="one_task_spec_per_task_id")]

    def __str__(self) -> str:
        return self.task_id


class SpecOrigin(models.TextChoices):
    WRITTEN = "written", "Written"
    IMPORTED = "imported", "Imported"
    PLANNED = "planned", "Planned from a sentence"


class TaskSpecVersion(models.Model):
    """Never changed once made. `document` as evidence_app.spec dumps it, `digest` over its canonical form."""

    spec = models.ForeignKey(TaskSpec, models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    document = models.JSONField()
    digest = models.CharField(max_length=80)
    origin = models.CharField(max_length=10, choices=SpecOrigin, default=SpecOrigin.WRITTEN)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-number"]
        constraints = [models.UniqueConstraint(fields=["spec", "number"], name="one_task_spec_version_per_number")]

    def __str__(self) -> str:
        return f"{self.spec} version {self.number}"
