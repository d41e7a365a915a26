"""Runs that recur: once for each time, by the owner's name, with the period filled in."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evidence_app.models import Run, Schedule
from evidence_app.services import schedules, specs
from evidence_app.spec.samples import from_items
from recipes_app.models import Membership, User
from recipes_app.services.errors import BadInput, NotAllowed
from tests.evidence_web.conftest import Room

SignIn = Callable[[User], Client]
SAMPLES = from_items([{"sample_id": "ann", "url": "http://127.0.0.1:1/ann"}])


def made(room: Room, **how: str) -> Schedule:
    given = {"cron": "0 6 1 * *", "period": "{year}-Q{quarter}", **how}
    return schedules.schedule(spec=room.task, by=room.operator, samples=SAMPLES, **given)


def make_due(row: Schedule) -> None:
    Schedule.objects.filter(pk=row.pk).update(next_at=timezone.now() - timedelta(minutes=1))


def test_what_is_due_runs_once_however_often_it_is_looked_for(room: Room) -> None:
    row = made(room)
    assert schedules.start_due() == 0
    make_due(row)
    assert (schedules.start_due(), schedules.start_due()) == (1, 0)
    run = Run.objects.get()
    now = timezone.now()
    assert (run.via, run.requested_by, run.schedule, run.samples.count()) == ("schedule", room.operator, row, 1)
    assert run.period == f"{now.year}-Q{(now.month - 1) // 3 + 1}"
    row.refresh_from_db()
    assert row.next_at
    assert row.next_at > now


def test_of_two_that_found_the_same_time_one_starts_it(room: Room) -> None:
    row = made(room)
    make_due(row)
    both = [Schedule.objects.select_related("spec__team", "owner", "team").get(pk=row.pk) for _ in range(2)]
    assert [schedules._started(each) is not None for each in both] == [True, False]
    assert Run.objects.count() == 1


def test_what_was_missed_is_made_up_for_once(room: Room) -> None:
    row = made(room, cron="* * * * *")
    Schedule.objects.filter(pk=row.pk).update(next_at=timezone.now() - timedelta(days=3))
    schedules.start_due()
    schedules.start_due()
    assert Run.objects.count() == 1


def test_the_newest_version_is_run(room: Room) -> None:
    row = made(room)
    specs.save(team=room.team, by=room.editor, data={**room.version.document, "max_steps": 9})
    make_due(row)
    schedules.start_due()
    version = Run.objects.get().version
    assert version
    assert version.number == 2


def test_a_schedule_whose_owner_may_run_no_more_stops_itself(room: Room) -> None:
    row = made(room)
    make_due(row)
    Membership.objects.filter(user=room.operator).delete()
    assert schedules.start_due() == 0
    row.refresh_from_db()
    assert (row.is_active, Run.objects.count()) == (False, 0)


def test_six_in_the_morning_stays_six_when_clocks_change() -> None:
    before = datetime(2026, 3, 28, 12, tzinfo=UTC)
    first = schedules.next_time("0 6 * * *", "Europe/Berlin", before)
    assert (first.hour, first.astimezone(UTC).hour) == (6, 4)
    winter = schedules.next_time("0 6 * * *", "Europe/Berlin", before - timedelta(days=2))
    assert (winter.hour, winter.astimezone(UTC).hour) == (6, 5)


@pytest.mark.parametrize(
    ("how", "where"),
    [
        ({"cron": "every day"}, "cron"), ({"cron": "61 * * * *"}, "cron"), ({"cron": "0 0 30 2 *"}, "cron"),
        ({"time_zone": "Mars/Base"}, "time_zone"), ({"period": "{decade}"}, "period"),
        ({"period": "{year.real}"}, "period"), ({"period": "{"}, "period"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused_by_name(room: Room, how: dict[str, str], where: str) -> None:
    with pytest.raises(BadInput) as refused:
        made(room, **how)
    assert list(refused.value.by_path) == [where]


def test_a_viewer_schedules_nothing(room: Room) -> None:
    with pytest.raises(NotAllowed):
        schedules.schedule(spec=room.task, by=room.viewer, samples=SAMPLES, cron="0 6 * * *")


def test_the_pages_add_and_stop_one(room: Room, signed_in: SignIn) -> None:
    client = signed_in(room.operator)
    given = {
        "spec": str(room.task.pk), "cron": "0 6 * * 1", "time_zone": "UTC", "period": "{year}",
        "text": "sample_id,url\nann,http://127.0.0.1:1/ann\n",
    }  # fmt: skip
    bad = client.post(reverse("schedule_new"), {**given, "cron": "now", "text": "sample_id\na\na\n"})
    assert bad.status_code == 422
    assert "row 3" in bad.content.decode()
    assert "Five fields" in bad.content.decode()
    assert client.post(reverse("schedule_new"), given).status_code == 302
    row = Schedule.objects.get()
    stop = reverse("schedule_stop", args=[row.pk])
    assert signed_in(room.stranger).post(stop).status_code == 404
    assert "An operator" in signed_in(room.viewer).post(stop, follow=True).content.decode()
    assert "Its runs stay" in client.post(stop, follow=True).content.decode()
    assert "stopped already" in client.post(stop, follow=True).content.decode()
