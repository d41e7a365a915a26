"""A proposed replacement for an element that a step does not find any more, or finds by less than was recorded."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone

from recipes_app.models.call import Call
from recipes_app.models.job import Job, JobPicture
from recipes_app.models.recipe import RecipeVersion


class HealingStatus(models.TextChoices):
    SEARCHING = "searching", "Searching"
    PROPOSED = "proposed", "To decide"
    NOTHING = "nothing", "Nothing to propose"
    ACCEPTED = "accepted", "Accepted"
    REJECTED = "rejected", "Rejected"


class Healing(models.Model):
    """`old_target` and `new_target` as they stand in a recipe; scores are shares of 1."""

    job = models.OneToOneField(Job, models.CASCADE, related_name="healing")
    version = models.ForeignKey(RecipeVersion, models.CASCADE, related_name="healings")
    call = models.ForeignKey(Call, models.SET_NULL, null=True, blank=True, related_name="healings")  # that failed
    path = models.CharField(max_length=80)
    sentence = models.CharField(max_length=300)
    status = models.CharField(max_length=10, choices=HealingStatus, default=HealingStatus.SEARCHING)
    old_target = models.JSONField()
    new_target = models.JSONField(null=True, blank=True)
    found = models.CharField(max_length=300, blank=True)
    score = models.FloatField(null=True, blank=True)
    runner_up = models.CharField(max_length=300, blank=True)
    runner_up_score = models.FloatField(null=True, blank=True)
    reasons = models.JSONField(default=list, blank=True)  # one line per signal
    message = models.TextField(blank=True)  # why nothing is proposed
    before = models.ForeignKey(JobPicture, models.SET_NULL, null=True, blank=True, related_name="+")
    after = models.ForeignKey(JobPicture, models.SET_NULL, null=True, blank=True, related_name="+")
    healed = models.ForeignKey(RecipeVersion, models.SET_NULL, null=True, blank=True, related_name="+")
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    decided_at = models.DateTimeField(null=True, blank=True)
    decision_reason = models.CharField(max_length=500, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-pk"]

    def get_absolute_url(self) -> str:
        return reverse("healing_detail", args=[self.pk])

    def __str__(self) -> str:
        return f"healing of {self.version} at {self.path}"
