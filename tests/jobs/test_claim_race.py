"""Many threads after the same rows, each with a connection of its own to a database file."""

import threading

import pytest
from django.db import connections

from recipes_app.models import Job, Role
from recipes_app.services import runs
from tests.jobs.processes import Processes
from tests.people import make_team, make_user

pytestmark = pytest.mark.slow
THREADS, JOBS = 6, 25


def test_every_job_is_claimed_by_exactly_one_of_many(processes: Processes) -> None:
    team = make_team("Blue")
    olga = make_user("olga", team, Role.OWNER)
    jobs = [
        Job.objects.create(team=team, requested_by=olga, kind="call", title="Call it", queue="calls")
        for _ in range(JOBS)
    ]
    start = threading.Barrier(THREADS)
    won: list[int] = []

    def claim_all(name: str) -> None:
        mine = type(template)(dict(template.settings_dict), "default")
        connections["default"] = mine
        start.wait()
        won.extend(job.pk for job in jobs if runs.claim(job.pk, name))
        mine.close()

    template = connections["default"]
    threads = [threading.Thread(target=claim_all, args=(f"worker {number}",)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(won) == sorted(job.pk for job in jobs)
    assert set(Job.objects.values_list("fence", "attempt", "status")) == {(1, 1, "running")}
