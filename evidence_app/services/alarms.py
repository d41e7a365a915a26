"""Alarms about the ledger: each stands until what it was about is well again, and every owner is told of it."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import datetime

from django.db import models, transaction
from django.urls import reverse

from recipes_app.models import AuditEntry, Team
from recipes_app.models.team import OWNERS
from recipes_app.services import audit, notices

logger = logging.getLogger(__name__)

RAISED, OVER = "ledger.alarm", "ledger.calm"
SIGNING, VERIFYING = "signing", "verification"  # what an alarm is about


@dataclass(frozen=True, slots=True)
class Alarm:
    about: str
    text: str
    at: datetime


@transaction.atomic
def sound(about: str, text: str) -> bool:
    """False where it stands already, in the same words."""
    if any((each.about, each.text) == (about, text) for each in standing()):
        return False
    logger.error("the ledger: %s", text)
    audit.record(None, None, RAISED, about, text=text)
    news = notices.News(
        event=RAISED,
        text=f"Evidence may have been tampered with: {text}",
        path=reverse("integrity"),
        mark=f"ledger:{about}",
        by_mail=True,
    )
    for team in Team.objects.all():
        notices.tell(team=team, people=notices.people_of(team, OWNERS), news=news)
    return True


@transaction.atomic
def calm(about: str) -> None:
    """What the alarm was about is well again."""
    if not any(each.about == about for each in standing()):
        return
    logger.warning("the ledger: %s is well again", about)
    audit.record(None, None, OVER, about)
    for team in Team.objects.all():
        notices.settled(team, f"ledger:{about}")


def standing() -> list[Alarm]:
    """The last of each kind, where it is not over."""
    last = {row.subject: row for row in _rows().order_by("pk")}
    return [_alarm(row) for row in last.values() if row.action == RAISED]


def history(count: int = 20) -> list[AuditEntry]:
    """Newest first."""
    return list(_rows().order_by("-pk")[:count])


def _rows() -> models.QuerySet[AuditEntry]:
    return AuditEntry.objects.filter(team=None, action__in=(RAISED, OVER))


def _alarm(row: AuditEntry) -> Alarm:
    return Alarm(row.subject, str(row.detail.get("text", "")), row.at)
