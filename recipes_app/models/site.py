"""A website a team turns into tools."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from django.conf import settings
from django.db import models
from django.utils import timezone

from recipes_app.models.team import Team

if TYPE_CHECKING:
    from recipes_app.models.user import User


class SiteQuerySet(models.QuerySet["Site"]):
    def of(self, team: Team) -> SiteQuerySet:
        return self.filter(team=team)

    def visible_to(self, user: User) -> SiteQuerySet:
        return self.filter(team__memberships__user=user)


class Site(models.Model):
    team = models.ForeignKey(Team, models.CASCADE, related_name="sites")
    slug = models.SlugField(max_length=60)
    name = models.CharField(max_length=120)
    base_url = models.URLField(max_length=500)
    time_zone = models.CharField(max_length=60, default="UTC")
    locale = models.CharField(max_length=20, default="en-US")
    viewport_width = models.PositiveIntegerField(default=1280)
    viewport_height = models.PositiveIntegerField(default=800)
    allowed_hosts = models.JSONField(default=list, blank=True)  # "cdn.example.org", "*.example.org"; "*": any public
    private_hosts = models.JSONField(default=list, blank=True)  # "host:port" that were opened
    canary_hours = models.PositiveIntegerField(default=24)  # how often published read tools are tried; 0: never
    canary_at = models.DateTimeField(null=True, blank=True)  # the last time
    is_demo = models.BooleanField(default=False)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = SiteQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["team", "slug"], name="one_site_per_slug")]

    def __str__(self) -> str:
        return self.name

    @property
    def host(self) -> str:
        return urlsplit(self.base_url).netloc
