"""A person who signs in."""

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils import timezone


class User(AbstractUser):
    """Django's user; what a person may do is said by memberships, not here."""


class SignInFailure(models.Model):
    """One wrong password. `key` is a hash of user name and address, so a mistyped password is never kept as a name."""

    key = models.CharField(max_length=64)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [models.Index(fields=["key", "at"])]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M}"
