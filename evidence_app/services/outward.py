"""When the newest tree head is due at one place outside, and what came of the try; for copies and time stamps alike."""

from __future__ import annotations

from datetime import timedelta
from typing import TypeVar

from django.urls import reverse
from django.utils import timezone

from evidence_app.models import HeadCopy, Timestamp, TreeHead
from recipes_app.models import Team
from recipes_app.models.team import OWNERS
from recipes_app.services import notices

DELAYS_S = (10, 60, 300, 1800, 3600)
ALARM_AFTER = 3  # tries in a row: about six minutes
Row = TypeVar("Row", HeadCopy, Timestamp)


def due(model: type[Row], *, every_s: float, **place: str) -> Row | None:
    """The row of the newest head there, if it is time to try; an older one that never arrived is passed over by it.

    `tries` counts on from head to head until one arrives.
    """
    head = TreeHead.objects.order_by("-pk").first()
    last = model.objects.filter(**place).order_by("-head", "-pk").first()
    if head is None or (last is not None and not _is_time(last, head, every_s)):
        return None
    if last is not None and last.head_id == head.pk:
        return last
    failing = last is not None and last.ok_at is None
    kept = {"tries": last.tries, "tried_at": last.tried_at, "error": last.error} if last and failing else {}
    return model.objects.get_or_create(head=head, **place, defaults=kept)[0]


def arrived(row: HeadCopy | Timestamp, **more: object) -> None:
    before = row.tries
    type(row).objects.filter(pk=row.pk).update(
        ok_at=timezone.now(), tried_at=timezone.now(), tries=before + 1, error="", **more
    )
    if before >= ALARM_AFTER:
        for team in Team.objects.all():
            notices.settled(team, mark_of(row))


def failed(row: HeadCopy | Timestamp, why: str, where: str) -> None:
    """Told to owners once it has failed several times on end; the page of the ledger shows it from the first on."""
    type(row).objects.filter(pk=row.pk).update(tried_at=timezone.now(), tries=row.tries + 1, error=why[:500])
    if row.tries + 1 == ALARM_AFTER:
        text = f"Heads of the ledger do not reach {where}: {why}"
        news = notices.News(event="ledger.outside", text=text, path=reverse("heads"), mark=mark_of(row), by_mail=True)
        for team in Team.objects.all():
            notices.tell(team=team, people=notices.people_of(team, OWNERS), news=news)


def mark_of(row: HeadCopy | Timestamp) -> str:
    place = row.place if isinstance(row, HeadCopy) else row.authority
    return f"outside:{place}"[:120]


def _is_time(last: HeadCopy | Timestamp, head: TreeHead, every_s: float) -> bool:
    now = timezone.now()
    if last.ok_at is not None:
        return last.head_id != head.pk and last.ok_at + timedelta(seconds=every_s) <= now
    if last.tried_at is None or not last.tries:
        return True
    return last.tried_at + timedelta(seconds=DELAYS_S[min(last.tries, len(DELAYS_S)) - 1]) <= now
