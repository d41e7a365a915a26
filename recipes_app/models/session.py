"""A browser's saved login on a site: one per account."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.utils import timezone

from recipes_app.models.job import ACTIVE, Job
from recipes_app.models.sealed import SealedJSONField
from recipes_app.models.site import Site

if TYPE_CHECKING:
    from recipes_app.models.user import User

DEFAULT = "default"
NONE = "-"  # of a job: without any


class SessionMode(models.TextChoices):
    """An exclusive one is used by one job at a time."""

    SHARED = "shared", "Shared"
    EXCLUSIVE = "exclusive", "Exclusive"


class SessionStatus(models.TextChoices):
    VALID = "valid", "Signed in"
    EXPIRED = "expired", "Signed out by the site"


class SessionQuerySet(models.QuerySet["Session"]):
    def visible_to(self, user: User) -> SessionQuerySet:
        return self.filter(site__team__memberships__user=user)

    def free(self) -> SessionQuerySet:
        """Leased by no job that is still under way."""
        return self.exclude(leased_by__status__in=ACTIVE)


class Session(models.Model):
    """`state` is what a browser begins with; `version` rises with each state that is kept."""

    site = models.ForeignKey(Site, models.CASCADE, related_name="sessions")
    name = models.SlugField(max_length=40, default=DEFAULT)
    account_label = models.CharField(max_length=120, blank=True)
    state = SealedJSONField(default=dict, blank=True)
    version = models.PositiveIntegerField(default=0)
    mode = models.CharField(max_length=10, choices=SessionMode, default=SessionMode.SHARED)
    status = models.CharField(max_length=10, choices=SessionStatus, default=SessionStatus.VALID)
    probe = models.JSONField(default=dict, blank=True)  # {"url", …}: how to see that one is signed in
    login = models.JSONField(default=dict, blank=True)  # the recipe that signs in, without its values
    vault_path = models.CharField(max_length=200, blank=True)  # where its values lie; set at the machine only
    leased_by = models.ForeignKey(Job, models.SET_NULL, null=True, blank=True, related_name="+")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    saved_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)

    objects = SessionQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["site", "name"], name="one_session_per_name")]

    def __str__(self) -> str:
        return f"session {self.name} of {self.site}"
