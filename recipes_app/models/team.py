"""Teams, who belongs to them, and in which role."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.utils import timezone

if TYPE_CHECKING:
    from recipes_app.models.user import User


class Role(models.TextChoices):
    """Least to most. An editor may do what an operator may; a reviewer reads and signs, and runs nothing."""

    VIEWER = "viewer", "Viewer"
    REVIEWER = "reviewer", "Reviewer"
    OPERATOR = "operator", "Operator"
    EDITOR = "editor", "Editor"
    OWNER = "owner", "Owner"


RUNNERS = frozenset({Role.OPERATOR, Role.EDITOR, Role.OWNER})  # add and map sites, verify, call tools
EDITORS = frozenset({Role.EDITOR, Role.OWNER})  # approve proposals, edit, import, publish
OWNERS = frozenset({Role.OWNER})  # people, tokens of others, removing a site
SIGNERS = frozenset({Role.REVIEWER, Role.OWNER})


class TeamQuerySet(models.QuerySet["Team"]):
    def of(self, user: User) -> TeamQuerySet:
        return self.filter(memberships__user=user).distinct()


class Team(models.Model):
    name = models.CharField(max_length=80)
    slug = models.SlugField(unique=True)
    # Whether a destructive tool needs the approval of two people.
    two_approvers = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = TeamQuerySet.as_manager()

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    team = models.ForeignKey(Team, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role, default=Role.VIEWER)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["team", "user"], name="one_membership_per_team")]

    def __str__(self) -> str:
        return f"{self.user} in {self.team} as {self.role}"


class Invitation(models.Model):
    """A link that makes whoever opens it a member, once. Only the hash of its secret is kept."""

    team = models.ForeignKey(Team, models.CASCADE, related_name="invitations")
    email = models.EmailField(blank=True)
    role = models.CharField(max_length=10, choices=Role)
    secret_hash = models.CharField(max_length=64, unique=True)
    invited_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True, blank=True)
    accepted_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")

    def __str__(self) -> str:
        return f"{self.role} of {self.team}"
