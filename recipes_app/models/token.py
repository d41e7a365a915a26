"""Tokens by which programs call the HTTP API."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from recipes_app.models.team import Team


class ApiToken(models.Model):
    """Only a SHA-256 of the secret is kept; `prefix` is what people recognise it by."""

    team = models.ForeignKey(Team, models.CASCADE, related_name="tokens")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=80)
    prefix = models.CharField(max_length=12)
    secret_hash = models.CharField(max_length=64, unique=True)
    scopes = models.JSONField(default=list)  # any of: read, call, manage
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.prefix}… {self.name}"
