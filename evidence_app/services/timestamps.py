"""Time stamps under tree heads, by authorities of their own: so that a head cannot have been made up later."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path

from cryptography.x509 import Certificate
from django.conf import settings

from evidence_app.ledger import stamps
from evidence_app.ledger.stamps import BadTimestamp
from evidence_app.models import Timestamp
from evidence_app.services import outward
from evidence_app.store.outside import NotDelivered, post, said


@dataclass(frozen=True, slots=True)
class Authority:
    """`at` is the time by its clock of the newest stamp that was kept; `is_trusted` as in ledger.stamps."""

    name: str
    last: Timestamp | None
    kept: Timestamp | None
    at: datetime | None = None
    is_trusted: bool = False
    problem: str = ""


def ask_due() -> int:
    """One authority at most: a try may take four seconds, and other chores wait meanwhile."""
    for authority in settings.TIMESTAMP_AUTHORITIES:
        if row := outward.due(Timestamp, every_s=settings.TIMESTAMP_EVERY_S, authority=authority):
            return int(ask(row))
    return 0


def ask(row: Timestamp) -> bool:
    """Kept only if it is of this head, and signed by who it should be."""
    asking = stamps.ask(row.head.note)
    try:
        token = post(row.authority, asking.data, {"Content-Type": stamps.ASKED})
        stamps.check(token, row.head.note, roots(), nonce=asking.nonce)
    except (NotDelivered, BadTimestamp, OSError, ValueError) as error:
        outward.failed(row, str(error), said(row.authority))
        return False
    outward.arrived(row, token=token)
    return True


def roots() -> list[Certificate]:
    """Those that every stamp has to lead to; none where none are set. OSError, ValueError where the file is no use."""
    return list(_read(settings.TIMESTAMP_ROOTS)) if settings.TIMESTAMP_ROOTS else []


@cache
def _read(path: str) -> tuple[Certificate, ...]:
    return tuple(stamps.read_roots(Path(path).read_bytes()))


def authorities() -> list[Authority]:
    return [_authority(each) for each in settings.TIMESTAMP_AUTHORITIES]


def _authority(url: str) -> Authority:
    rows = Timestamp.objects.filter(authority=url).select_related("head").order_by("-head", "-pk")
    last, kept = rows.first(), rows.filter(ok_at__isnull=False).first()
    if kept is None or kept.token is None:
        return Authority(said(url), last, kept)
    try:
        stamped = stamps.check(bytes(kept.token), kept.head.note, roots())
    except (BadTimestamp, OSError, ValueError) as error:
        return Authority(said(url), last, kept, problem=str(error))
    return Authority(said(url), last, kept, stamped.at, stamped.is_trusted)
