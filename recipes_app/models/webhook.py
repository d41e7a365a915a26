"""Signed messages to a team's own addresses, each delivery kept until it arrived or was given up."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from recipes_app.models.sealed import SealedJSONField
from recipes_app.models.team import Team


class Webhook(models.Model):
    """`sealed` holds {"secret": …}, the key that signs; `events` are names such as "tool.drifting", empty for all."""

    team = models.ForeignKey(Team, models.CASCADE, related_name="webhooks")
    url = models.URLField(max_length=500)
    sealed = SealedJSONField(default=dict)
    events = models.JSONField(default=list, blank=True)
    is_active = models.BooleanField(default=True)
    off_because = models.CharField(max_length=300, blank=True)  # why it was switched off, if not by a person
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.url


class DeliveryStatus(models.TextChoices):
    WAITING = "waiting", "Waiting"
    DELIVERED = "delivered", "Delivered"
    GIVEN_UP = "given_up", "Given up"


class WebhookDelivery(models.Model):
    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries")
    public_id = models.CharField(max_length=40, unique=True)  # the message's id, the same in every attempt
    event = models.CharField(max_length=60)
    payload = models.JSONField(default=dict)
    status = models.CharField(max_length=10, choices=DeliveryStatus, default=DeliveryStatus.WAITING, db_index=True)
    attempts = models.PositiveIntegerField(default=0)
    next_at = models.DateTimeField(default=timezone.now)
    response_status = models.PositiveIntegerField(null=True, blank=True)
    problem = models.CharField(max_length=300, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    delivered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        verbose_name_plural = "webhook deliveries"

    def __str__(self) -> str:
        return f"{self.event} to {self.webhook}"
