"""Runs that recur: asked for, stopped, and started when they are due, once for each time."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from croniter import CroniterBadCronError, CroniterBadDateError, croniter
from django.db import transaction
from django.utils import timezone

from evidence_app.models import Run, Schedule, TaskSpec
from evidence_app.services import confidential, runs, specs
from evidence_app.spec.samples import SampleInput, as_rows, from_items
from recipes_app.models import User
from recipes_app.services import access, audit
from recipes_app.services.errors import BadInput, NotAllowed, ServiceError, WrongState

logger = logging.getLogger(__name__)

FIELDS = 5
MAX_PERIOD = 40
PER_TICK = 5
# What a period may be filled with, at the moment of each run.
PERIOD = {"year": "%Y", "month": "%m", "day": "%d", "week": "%V"}


@transaction.atomic
def schedule(
    *, spec: TaskSpec, by: User, samples: Sequence[SampleInput], cron: str, time_zone: str = "UTC", period: str = ""
) -> Schedule:
    """BadInput names what makes no sense; who asks for it answers for its runs."""
    runs.require_runner(spec.team, by)
    version = newest(spec)
    told = problems(cron, time_zone, period)
    if told:
        raise BadInput(told)
    specs.refuse_auth_profile(specs.spec_of(version))
    row = Schedule.objects.create(
        team=spec.team,
        spec=spec,
        owner=by,
        cron=" ".join(cron.split()),
        time_zone=time_zone,
        samples=as_rows(replace(each, extra=confidential.seal(each.extra)) for each in samples),
        period=period.strip(),
        next_at=next_time(cron, time_zone, timezone.now()),
    )
    audit.record(spec.team, by, "schedule.made", f"schedule {row.pk} of {spec.task_id}", cron=row.cron)
    return row


@transaction.atomic
def stop(*, row: Schedule, by: User) -> None:
    if row.owner_id != by.pk:
        runs.require_runner(row.team, by)
    if Schedule.objects.filter(pk=row.pk, is_active=True).update(is_active=False, next_at=None) != 1:
        raise WrongState("This schedule is stopped already.")
    audit.record(row.team, by, "schedule.stopped", f"schedule {row.pk} of {row.spec.task_id}")


def start_due() -> int:
    """A chore of upkeep. What was missed while nothing ran is made up for once, not as often as it was missed."""
    due = Schedule.objects.filter(is_active=True, next_at__lte=timezone.now())
    rows = list(due.select_related("spec__team", "team", "owner").order_by("next_at")[:PER_TICK])
    return sum(_started(row) is not None for row in rows)


def newest(spec: TaskSpec) -> Any:
    version = spec.versions.first()
    if version is None or spec.archived_at is not None:
        raise WrongState(f"{spec.task_id} is archived.")
    return version


def _started(row: Schedule) -> Run | None:
    """The run of this time; None where another process has taken it, or the run was refused (the schedule stops)."""
    now = timezone.now()
    try:
        with transaction.atomic():
            this_time = Schedule.objects.filter(pk=row.pk, is_active=True, next_at=row.next_at)
            if this_time.update(next_at=next_time(row.cron, row.time_zone, now), last_at=now) != 1:
                return None
            return _request(row, now)
    except ServiceError as error:
        _stop_refused(row, error)
        return None


def _request(row: Schedule, now: datetime) -> Run:
    version = newest(row.spec)
    samples = from_items(row.samples, input_schema=specs.spec_of(version).input_schema)
    how: runs.How = {"via": "schedule", "schedule": row, "population": {"source": f"schedule {row.pk}"}}
    if row.period:
        how["period"] = period_at(row.period, now.astimezone(ZoneInfo(row.time_zone)))
    return runs.request_run(version=version, samples=samples, by=row.owner, **how)


def _stop_refused(row: Schedule, error: ServiceError) -> None:
    """It would be refused each time: a person has to look."""
    if Schedule.objects.filter(pk=row.pk, is_active=True).update(is_active=False, next_at=None):
        text = f"schedule {row.pk} of {row.spec.task_id}"
        audit.record(row.team, row.owner, "schedule.refused", text, why=str(error)[:500])
        logger.warning("%s was stopped: %s", text, error)


def problems(cron: str, time_zone: str, period: str) -> dict[str, str]:
    told = {}
    if bad := _bad_cron(cron):
        told["cron"] = bad
    if time_zone not in available_timezones():
        told["time_zone"] = "No such time zone."
    try:
        if len(period_at(period, timezone.now())) > MAX_PERIOD:
            told["period"] = f"At most {MAX_PERIOD} characters."
    except (KeyError, ValueError, IndexError, AttributeError):
        told["period"] = "It may hold {year}, {month}, {quarter}, {week} and {day}."
    return told


def _bad_cron(cron: str) -> str:
    if len(cron.split()) != FIELDS:
        return "Five fields: minute, hour, day of the month, month, day of the week. “0 6 1 * *”: the 1st at 06:00."
    try:
        next_time(cron, "UTC", timezone.now())
    except (CroniterBadCronError, CroniterBadDateError, ValueError):
        return "This names no time. “0 6 * * 1”: each Monday at 06:00."
    return ""


def next_time(cron: str, time_zone: str, after: datetime) -> datetime:
    """In the zone's own time: 06:00 stays 06:00 when its clocks change."""
    found: datetime = croniter(cron, after.astimezone(ZoneInfo(time_zone))).get_next(datetime)
    return found


def period_at(template: str, moment: datetime) -> str:
    """`{year}-Q{quarter}` as 2026-Q4."""
    values = {name: moment.strftime(code) for name, code in PERIOD.items()}
    return template.strip().format(**values, quarter=(moment.month - 1) // 3 + 1)


def may_stop(row: Schedule, by: User) -> bool:
    try:
        runs.require_runner(row.team, by)
    except NotAllowed:
        return row.owner_id == by.pk and access.role_in(by, row.team) is not None
    return True
