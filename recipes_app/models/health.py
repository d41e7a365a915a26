"""Canaries: a published read tool replayed by schedule, and how it went."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from recipes_app.models.call import Call
from recipes_app.models.recipe import Recipe, RecipeVersion


class HealthState(models.TextChoices):
    OK = "ok", "Works"
    DRIFTING = "drifting", "Drifting"
    FAILING = "failing", "Failing"
    UNKNOWN = "unknown", "Not known"


WAITING = "waiting"  # the kind of a check whose call has not ended yet
SITE_DOWN = "site_down"


class HealthCheck(models.Model):
    """One canary replay. `state` is unknown where the fault was not the tool's: the site was down, nothing ran."""

    recipe = models.ForeignKey(Recipe, models.CASCADE, related_name="health_checks")
    version = models.ForeignKey(RecipeVersion, models.CASCADE, related_name="health_checks")
    call = models.OneToOneField(Call, models.SET_NULL, null=True, blank=True, related_name="health_check")
    state = models.CharField(max_length=10, choices=HealthState, default=HealthState.UNKNOWN)
    kind = models.CharField(max_length=40, blank=True)  # the call's error kind
    detail = models.CharField(max_length=500, blank=True)
    ms = models.PositiveIntegerField(null=True, blank=True)
    at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.recipe} {self.state}"
