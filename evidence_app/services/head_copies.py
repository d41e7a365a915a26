"""Copies of the newest signed tree head in places that whoever runs the database cannot change unseen."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings

from evidence_app.models import HeadCopy
from evidence_app.services import outward
from evidence_app.store.outside import HeadFile, NotDelivered, deliver, said

EVERY_S = 30.0


@dataclass(frozen=True, slots=True)
class Place:
    """`last` is the newest try, `kept` the newest copy that lies there."""

    name: str
    last: HeadCopy | None
    kept: HeadCopy | None


def send_due() -> int:
    """One copy at most: a try may take four seconds, and other chores wait meanwhile."""
    for place in settings.LEDGER_COPIES:
        if row := outward.due(HeadCopy, every_s=EVERY_S, place=place):
            return int(send(row))
    return 0


def send(row: HeadCopy) -> bool:
    """The note names its origin in its first line."""
    head = row.head
    origin = head.note.partition("\n")[0]
    try:
        deliver(row.place, HeadFile(origin, head.size, head.root, head.note))
    except NotDelivered as error:
        outward.failed(row, str(error), said(row.place))
        return False
    outward.arrived(row)
    return True


def places() -> list[Place]:
    return [_place(place) for place in settings.LEDGER_COPIES]


def _place(place: str) -> Place:
    rows = HeadCopy.objects.filter(place=place).select_related("head").order_by("-head", "-pk")
    return Place(said(place), rows.first(), rows.filter(ok_at__isnull=False).first())
