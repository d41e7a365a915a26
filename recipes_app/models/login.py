"""A sign-in that somebody asked for on a page. What is typed is never in a row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models

from recipes_app.models.job import Job
from recipes_app.models.proposal import Proposal
from recipes_app.models.session import DEFAULT
from recipes_app.models.site import Site

if TYPE_CHECKING:
    from recipes_app.models.user import User


class LoginQuerySet(models.QuerySet["Login"]):
    def visible_to(self, user: User) -> LoginQuerySet:
        return self.filter(site__team__memberships__user=user)


class Login(models.Model):
    """`proposal` is the form that was found; what goes into it was handed to the worker once, or never got there."""

    job = models.OneToOneField(Job, models.CASCADE, related_name="login")
    site = models.ForeignKey(Site, models.CASCADE, related_name="logins")
    proposal = models.ForeignKey(Proposal, models.SET_NULL, null=True, related_name="+")
    session_name = models.SlugField(max_length=40, default=DEFAULT)
    account_label = models.CharField(max_length=120, blank=True)
    is_exclusive = models.BooleanField(default=False)

    objects = LoginQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"sign-in to {self.site}"
