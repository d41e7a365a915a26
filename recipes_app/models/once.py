"""What a program asked for under an idempotency key, so that it is not done twice."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from recipes_app.models.token import ApiToken


class AskedOnce(models.Model):
    """`place` says what was asked of, `digest` what exactly, `subject` is the public id of what was made of it."""

    token = models.ForeignKey(ApiToken, models.CASCADE, related_name="+")
    key = models.CharField(max_length=120)
    place = models.CharField(max_length=200)
    digest = models.CharField(max_length=64)
    subject = models.CharField(max_length=40, blank=True)
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "asked once"
        constraints = [models.UniqueConstraint(fields=["token", "place", "key"], name="asked_once_per_key")]

    def __str__(self) -> str:
        return f"{self.place} {self.key}"
