"""The nightly verification of the ledger: a little in each turn of upkeep, its outcome in the ledger itself."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from time import monotonic

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from evidence_app.models import Entry
from evidence_app.services import alarms, integrity, ledger, verifying
from evidence_app.services.verifying import Report
from evidence_app.services.verifying_files import ALL

logger = logging.getLogger(__name__)

TURN_S = 2.0
AGAIN = timedelta(hours=20)
OVERDUE = timedelta(hours=48)


@dataclass(slots=True)
class UnderWay:
    """One verification, as far as it has come. Lost with its process: then it begins anew."""

    report: Report
    rest: Iterator[None]
    until: float = field(default=0.0)

    def go_on(self) -> bool:
        """For a turn; True once it is done."""
        self.until = monotonic() + TURN_S
        return all(monotonic() <= self.until for _ in self.rest)


_under_way: list[UnderWay] = []


def verify_due() -> int:
    """A chore of upkeep; 1 when a verification has come to its end."""
    if not _under_way:
        if not is_due(timezone.now()):
            return 0
        report = Report(files=wanted_files())
        _under_way.append(UnderWay(report, verifying.verify(report)))
    try:
        if not _under_way[0].go_on():
            return 0
    except BaseException:
        _under_way.clear()  # what it had read is of no use any more
        raise
    record(_under_way.pop().report, how="nightly")
    return 1


def is_due(now: datetime) -> bool:
    """Once a day at its hour; at any hour where that was missed for two days."""
    if settings.LEDGER_VERIFY_HOUR < 0:
        return False
    last = integrity.last_verification()
    if last is not None:
        at_its_hour = now.hour == settings.LEDGER_VERIFY_HOUR and last.at < now - AGAIN
        return at_its_hour or last.at < now - OVERDUE
    first = Entry.objects.filter(seq=0).values_list("at", flat=True).first()
    return first is not None and (now.hour == settings.LEDGER_VERIFY_HOUR or first < now - OVERDUE)


def wanted_files() -> str:
    """All of them while something is known to be wrong: only that can say that it is well again."""
    return ALL if _stands() else settings.LEDGER_VERIFY_FILES


def record(report: Report, *, how: str) -> None:
    """Into the ledger, and as an alarm where something is wrong."""
    if report.ok and (report.files == ALL or not _stands()):
        alarms.calm(alarms.VERIFYING)
    elif not report.ok:
        more = f", and {report.wrong - 1} more" if report.wrong > 1 else ""
        alarms.sound(alarms.VERIFYING, f"{report.first}{more}")
    told = ("ok", "size", "root", "removed", "heads", "files", "hashed", "bytes", "wrong", "notes")
    facts = {name: getattr(report, name) for name in told}
    first = str(report.first) if report.first else None
    try:
        with transaction.atomic():
            ledger.append(integrity.VERIFIED, {"team": None, "how": how, "first": first, **facts})
    except KeyError:
        logger.exception("the outcome cannot be written into the ledger: hashes of it are missing")


def _stands() -> bool:
    return any(each.about == alarms.VERIFYING for each in alarms.standing())
