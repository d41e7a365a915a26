"""The state of the ledger for people: how long it is, who signed it last, and when all of it was verified."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.utils import timezone

from evidence_app.ledger.errors import BadSignature
from evidence_app.ledger.note import Verifier, read_verifier, verify
from evidence_app.models import Entry, TreeHead
from evidence_app.services import alarms, guards, ledger, signing
from evidence_app.services.alarms import Alarm
from recipes_app.models import AuditEntry

VERIFIED = "ledger.verified"
LATE = timedelta(minutes=2)


@dataclass(frozen=True, slots=True)
class Verification:
    """`facts` as the ledger keeps them: ok, size, files, hashed, wrong, first …"""

    seq: int
    at: datetime
    facts: dict[str, Any]


@dataclass(frozen=True, slots=True)
class State:
    """`unsigned`: entries after the last head. `is_late`: they wait for longer than a working upkeep takes."""

    size: int
    head: TreeHead | None
    unsigned: int
    is_late: bool
    keys: list[Verifier]  # the one that signs now first
    verification: Verification | None
    alarms: list[Alarm]
    history: list[AuditEntry]
    guards: list[str]
    hour: int

    @property
    def is_well(self) -> bool:
        return not (self.alarms or self.guards or self.is_late)


def state_for_page() -> State:
    size, head = ledger.size(), newest_head()
    signed = head.size if head else 0
    return State(
        size=size,
        head=head,
        unsigned=max(0, size - signed),
        is_late=_is_late(signed, size),
        keys=public_keys(),
        verification=last_verification(),
        alarms=alarms.standing(),
        history=alarms.history(),
        guards=guards.missing(),
        hour=settings.LEDGER_VERIFY_HOUR,
    )


def newest_head() -> TreeHead | None:
    """Of those over no more entries than there are: anybody who can write rows can add one that says anything."""
    return TreeHead.objects.filter(size__lte=ledger.size()).order_by("-size", "-pk").first()


def public_keys() -> list[Verifier]:
    """The one that signs first, then those before it: as the signer wrote them down beside its key, not from rows that
    anybody with the database can add to. Pages never open the private key."""
    return [read_verifier(text) for text in signing.folder().public_keys()]


def published_head() -> TreeHead | None:
    """The newest that one of these keys has signed."""
    keys = public_keys()
    rows = TreeHead.objects.filter(size__lte=ledger.size()).order_by("-size", "-pk")[: signing.MOST_FORGED]
    return next((row for row in rows if _is_signed_by(keys, row)), None)


def _is_signed_by(keys: list[Verifier], row: TreeHead) -> bool:
    try:
        verify(row.note, keys)
    except BadSignature:
        return False
    return True


def last_verification() -> Verification | None:
    entry = Entry.objects.filter(kind=VERIFIED).select_related("opening").order_by("-seq").first()
    return Verification(entry.seq, entry.at, json.loads(entry.opening.facts)) if entry else None


def _is_late(signed: int, size: int) -> bool:
    if signed >= size:
        return False
    first = Entry.objects.filter(seq=signed).values_list("at", flat=True).first()
    return first is not None and first < timezone.now() - LATE
