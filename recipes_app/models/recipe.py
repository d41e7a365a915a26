"""Recipes and their numbered, immutable versions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.utils import timezone

from recipes_app.engine.acting import acts, was_seen_to_read
from recipes_app.models.sealed import SealedJSONField
from recipes_app.models.site import Site

if TYPE_CHECKING:
    from recipes_app.models.team import Team
    from recipes_app.models.user import User


class SideEffect(models.TextChoices):
    READ = "read", "Read-only"
    WRITE = "write", "Writes"
    DESTRUCTIVE = "destructive", "Destructive"


def lowers(from_effect: str, to_effect: str) -> bool:
    """Whether the second says that a tool does less than the first says."""
    return SideEffect.values.index(to_effect) < SideEffect.values.index(from_effect)


class RecipeQuerySet(models.QuerySet["Recipe"]):
    def of(self, team: Team) -> RecipeQuerySet:
        return self.filter(site__team=team)

    def visible_to(self, user: User) -> RecipeQuerySet:
        return self.filter(site__team__memberships__user=user)

    def published(self) -> RecipeQuerySet:
        return self.filter(live_version__isnull=False)


class Recipe(models.Model):
    """A tool of a site. What it does is said by its versions; `live_version` is the one that calls use."""

    site = models.ForeignKey(Site, models.CASCADE, related_name="recipes")
    name = models.SlugField(max_length=80)
    live_version = models.ForeignKey("RecipeVersion", models.SET_NULL, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = RecipeQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["site", "name"], name="one_recipe_per_name")]

    def __str__(self) -> str:
        return self.name


class Origin(models.TextChoices):
    RECORDED = "recorded", "Recorded"
    EDITED = "edited", "Edited"
    IMPORTED = "imported", "Imported"
    HEALED = "healed", "Healed"


class VersionStatus(models.TextChoices):
    DRAFT = "draft", "Draft"
    VERIFYING = "verifying", "Verifying"
    PASSED = "passed", "Passed"
    FAILED = "failed", "Failed"
    PUBLISHED = "published", "Published"
    RETIRED = "retired", "Retired"


class RecipeVersion(models.Model):
    """`document` never changes after the row is made; `digest` is over its canonical form."""

    recipe = models.ForeignKey(Recipe, models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    document = models.JSONField()
    format = models.PositiveSmallIntegerField(default=2)  # 1: from a file of the first Agentify
    digest = models.CharField(max_length=80)
    description = models.TextField(blank=True)
    side_effect = models.CharField(max_length=12, choices=SideEffect, default=SideEffect.READ)
    origin = models.CharField(max_length=10, choices=Origin)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    status = models.CharField(max_length=10, choices=VersionStatus, default=VersionStatus.DRAFT)
    verdict = models.JSONField(null=True, blank=True)  # {"passed", "mode", "checks": [{"name", "ok", "detail"}]}
    examples = SealedJSONField(default=dict, blank=True)  # argument values it was recorded with
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    published_at = models.DateTimeField(null=True, blank=True)
    published_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["-number"]
        constraints = [models.UniqueConstraint(fields=["recipe", "number"], name="one_version_per_number")]

    def __str__(self) -> str:
        return f"{self.recipe.name} v{self.number}"

    @property
    def effect(self) -> str:
        """What it is taken to do: one that could act and says it only reads is believed once that was seen."""
        if self.side_effect != SideEffect.READ or was_seen_to_read(self.verdict):
            return self.side_effect
        return SideEffect.WRITE if acts(self.document.get("steps")) else SideEffect.READ

    @property
    def is_doubted(self) -> bool:
        """Whether it says it only reads and is not believed."""
        return self.effect != self.side_effect
