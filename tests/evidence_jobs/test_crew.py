"""Several processes for one run: what one of them leaves behind is taken over, and nobody waits for the dead."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from evidence_app.management import crew
from evidence_app.models import Attempt, Run
from evidence_app.services import runs
from recipes_app.jobs import running
from recipes_app.models import Job
from recipes_app.services import runs as jobs
from tests.evidence.collecting import Moves
from tests.evidence_jobs.test_collecting import ANN, SHOT
from tests.pilot.flying import move

Ask = Callable[..., Run]
Scripts = Callable[..., Moves]


def test_a_sample_whose_process_died_is_taken_over_once_its_lease_is_over(
    place: running.Place, request_people: Ask, scripted: Scripts, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = request_people("ann")
    scripted(SHOT, move("done", extracted=ANN))
    job = runs.jobs_of(run).get()
    assert jobs.claim(job.pk, "a process that was killed") is not None
    looks: list[int] = []

    class Pause:
        """The lease ends while it is waited for."""

        def wait(self, _seconds: float) -> None:
            looks.append(1)
            if len(looks) == 3:
                Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))

    monkeypatch.setattr(crew, "Pause", Pause)
    assert crew.collect_waiting(run, place) == 1
    assert len(looks) == 3
    job.refresh_from_db()
    assert (job.attempt, job.status, Attempt.objects.get().status) == (2, "done", "done")


def test_a_run_with_nothing_under_way_is_not_waited_for(place: running.Place, request_people: Ask) -> None:
    run = request_people("ann")
    Job.objects.update(status="cancelled")
    assert crew.collect_waiting(run, place) == 0


def test_whoever_watches_says_that_every_process_has_ended(request_people: Ask) -> None:
    run = request_people("ann", "bo")
    said: list[str] = []
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    crew.wait_for(crew.Watch(run, said.append), [process])
    assert said[-1] == f"every process has ended, 2 samples have not: run-task --resume {run.folder}"
