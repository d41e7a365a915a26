"""A person who signs in."""

from django.contrib.auth.models import AbstractUser


class User(AbstractUser):
    """Django's user; what a person may do is said by memberships, not here."""
