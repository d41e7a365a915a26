"""Slowing down who guesses passwords: so many failures per user name and address, then a pause."""

import hashlib
from datetime import timedelta

from django.utils import timezone

from recipes_app.models import SignInFailure

ALLOWED_FAILURES = 5
WINDOW = timedelta(minutes=10)


def is_paused(*, username: str, address: str) -> bool:
    since = timezone.now() - WINDOW
    return SignInFailure.objects.filter(key=_key(username, address), at__gt=since).count() >= ALLOWED_FAILURES


def note_failure(*, username: str, address: str) -> None:
    SignInFailure.objects.filter(at__lt=timezone.now() - WINDOW).delete()
    SignInFailure.objects.create(key=_key(username, address))


def forget_failures(*, username: str, address: str) -> None:
    SignInFailure.objects.filter(key=_key(username, address)).delete()


def _key(username: str, address: str) -> str:
    return hashlib.sha256(f"{username.strip().lower()}\n{address}".encode()).hexdigest()
