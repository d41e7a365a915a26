"""One call of a published tool."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models

from recipes_app.models.job import Job
from recipes_app.models.recipe import Recipe, RecipeVersion
from recipes_app.models.token import ApiToken

if TYPE_CHECKING:
    from recipes_app.models.user import User


class CallQuerySet(models.QuerySet["Call"]):
    def visible_to(self, user: User) -> CallQuerySet:
        return self.filter(job__team__memberships__user=user)


class Call(models.Model):
    """Arguments of secret parameters are masked here; their values travel sealed and are read once."""

    job = models.OneToOneField(Job, models.CASCADE, related_name="call")
    recipe = models.ForeignKey(Recipe, models.CASCADE, related_name="calls")
    version = models.ForeignKey(RecipeVersion, models.RESTRICT, related_name="calls")
    arguments = models.JSONField(default=dict)
    sealed_arguments = models.BinaryField(null=True, blank=True)
    secrets_mark = models.CharField(max_length=64, blank=True)  # tells two sets of secret values apart, and no more
    via = models.CharField(max_length=10, default="page")  # page, api, cli, mcp, task, demo
    token = models.ForeignKey(ApiToken, models.SET_NULL, null=True, blank=True, related_name="calls")
    idempotency_key = models.CharField(max_length=120, blank=True)
    result = models.JSONField(null=True, blank=True)  # {"ok", "data", "warnings", "steps", "llm_calls": 0, "url", …}

    objects = CallQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["recipe", "token", "idempotency_key"],
                condition=~models.Q(idempotency_key=""),
                name="one_call_per_idempotency_key",
            )
        ]

    def __str__(self) -> str:
        return f"call of {self.recipe.name}"
