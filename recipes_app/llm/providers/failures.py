"""What a service's refusal means for whoever asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from recipes_app.llm.errors import ModelError, NotConfigured, Rejected, Unavailable
from recipes_app.llm.retry import TRIED_AGAIN

LONGEST = 300
NO_CREDIT = "insufficient_quota"


@dataclass(frozen=True, slots=True)
class Named:
    """What a service and its key are called in messages for people."""

    service: str
    key: str


def failure(
    named: Named, status: int, headers: Mapping[str, str], message: str, *, code: str | None = None
) -> ModelError:
    """Of an HTTP status that is no answer. What is said of a key is not repeated: it may hold a part of it."""
    said = f"{named.service} (HTTP {status}): {' '.join(message.split())[:LONGEST]}"
    if status in (401, 403):
        return NotConfigured(f"{named.service} does not accept the key (HTTP {status}). Look at {named.key}.")
    if status in TRIED_AGAIN or status >= 500:
        lasting = headers.get("x-should-retry") == "false" or code == NO_CREDIT
        return Unavailable(said, status=status, retry_after_s=retry_after(headers), may_retry=not lasting)
    return Rejected(said, status=status)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds; None where the service names no time."""
    for name, unit in (("retry-after-ms", 1000), ("retry-after", 1)):
        try:
            return max(0.0, float(headers[name]) / unit)
        except (KeyError, ValueError):
            continue
    return _until(headers.get("retry-after", ""))


def _until(moment: str) -> float | None:
    try:
        at = parsedate_to_datetime(moment)
    except ValueError:
        return None
    return max(0.0, (at - datetime.now(tz=UTC)).total_seconds()) if at.tzinfo else None
