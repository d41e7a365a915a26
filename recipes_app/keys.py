"""Keys of this installation: derived from SECRET_KEY; keys in SECRET_KEY_FALLBACKS still open."""

import base64
import hashlib

from cryptography.fernet import Fernet, MultiFernet
from django.conf import settings


def fernet(purpose: str) -> MultiFernet:
    """The first key seals."""
    given = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return MultiFernet([Fernet(_derived(purpose, str(key))) for key in given])


def newest(purpose: str) -> Fernet:
    """The one key that seals, alone."""
    return Fernet(_derived(purpose, str(settings.SECRET_KEY)))


def _derived(purpose: str, key: str) -> bytes:
    return base64.urlsafe_b64encode(hashlib.sha256(f"agentify.{purpose}:{key}".encode()).digest())
