"""One-time passwords by time (RFC 6238), from the secret that a site shows as text or in a QR code."""

from __future__ import annotations

import base64
import binascii
import hmac
from urllib.parse import parse_qs, urlsplit

from recipes_app.vault.errors import BadReference

ALGORITHMS = ("sha1", "sha256", "sha512")


def code_at(secret: bytes, unix_s: float, *, digits: int = 6, period_s: int = 30, algorithm: str = "sha1") -> str:
    counter = int(unix_s // period_s).to_bytes(8, "big")
    digest = hmac.digest(secret, counter, algorithm)
    at = digest[-1] & 0x0F
    number = int.from_bytes(digest[at : at + 4], "big") & 0x7FFFFFFF
    return str(number % 10**digits).zfill(digits)


def one_time_password(given: str, unix_s: float) -> str:
    """Of a secret in base32, spaces allowed, or of an otpauth://totp/ address. BadReference for what is neither."""
    if not given.startswith("otpauth:"):
        return code_at(_bytes_of(given), unix_s)
    asked = {name: values[0] for name, values in parse_qs(urlsplit(given).query).items()}
    algorithm = asked.get("algorithm", "SHA1").lower()
    try:
        digits, period_s = int(asked.get("digits", "6")), int(asked.get("period", "30"))
    except ValueError:
        digits = period_s = 0
    if algorithm not in ALGORITHMS or not 6 <= digits <= 8 or period_s < 1:
        raise BadReference("The otpauth address asks for a one-time password of a kind that is not known.")
    return code_at(_bytes_of(asked.get("secret", "")), unix_s, digits=digits, period_s=period_s, algorithm=algorithm)


def _bytes_of(text: str) -> bytes:
    letters = text.replace(" ", "").replace("-", "").rstrip("=").upper()
    try:
        secret = base64.b32decode(letters + "=" * (-len(letters) % 8))
    except binascii.Error:
        secret = b""
    if not secret:
        raise BadReference("The secret of a one-time password is letters A to Z and digits 2 to 7 (base32).") from None
    return secret
