"""Slowing down who guesses passwords: so many failures per user name and address, then a pause."""

import hashlib
from datetime import timedelta

from django.utils import timezone

from recipes_app.models import SignInFailure

ALLOWED_FAILURES = 5
WINDOW = timedelta(minutes=10)


def may_try(*, username: str, address: str) -> bool:
    """Counts the try as a failure before its password is looked at, so that of many at once only so many are.

    A try that is refused is not counted; one that succeeds takes them all back, see forget_failures.
    """
    since = timezone.now() - WINDOW
    SignInFailure.objects.filter(at__lt=since).delete()
    mine = SignInFailure.objects.create(key=_key(username, address))
    if SignInFailure.objects.filter(key=mine.key, at__gt=since, pk__lte=mine.pk).count() <= ALLOWED_FAILURES:
        return True
    mine.delete()
    return False


def forget_failures(*, username: str, address: str) -> None:
    SignInFailure.objects.filter(key=_key(username, address)).delete()


def _key(username: str, address: str) -> str:
    return hashlib.sha256(f"{username.strip().lower()}\n{address}".encode()).hexdigest()
