"""What asking a model cost: one row per job, purpose and model."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from recipes_app.models.job import Job


class ModelUse(models.Model):
    """Tokens as the service counted them; `input_tokens` include `cached_tokens`."""

    job = models.ForeignKey(Job, models.CASCADE, related_name="model_uses")
    purpose = models.CharField(max_length=60)
    provider = models.CharField(max_length=20)
    model = models.CharField(max_length=120)
    requests = models.PositiveIntegerField(default=0)
    input_tokens = models.PositiveBigIntegerField(default=0)
    cached_tokens = models.PositiveBigIntegerField(default=0)
    output_tokens = models.PositiveBigIntegerField(default=0)
    cost_micros = models.PositiveBigIntegerField(null=True, blank=True)  # millionths of a US dollar; null: unpriced
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["job", "purpose", "provider", "model"], name="one_use_per_purpose_and_model"
            )
        ]

    def __str__(self) -> str:
        return f"{self.model} for {self.purpose} of {self.job}"
