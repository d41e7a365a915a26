"""The samples of a run, collected by this process or by several that are started for it and end with it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event as Pause

from django.conf import settings
from django.db import close_old_connections

from evidence_app.jobs import agents
from evidence_app.models import Attempt, Run
from evidence_app.models.run import SAMPLE_ENDED, RunStatus
from evidence_app.services import output, runs
from recipes_app.jobs import running
from recipes_app.models.job import JobStatus
from recipes_app.services import runs as job_rows

LOOK_EVERY_S = 0.5
ENDS_IN_S = 15
ENDED = (RunStatus.DONE, RunStatus.CANCELLED, RunStatus.FAILED)


def collect_waiting(run: Run, place: running.Place) -> int:
    """Every sample of the run that waits, one after the other; how many. Several processes may do this at once: each
    stays until none is under way any more, for what a process that died had begun waits again once its lease is over.
    """
    done = 0
    with running.at(place):
        while True:
            close_old_connections()
            job = runs.jobs_of(run).filter(status=JobStatus.QUEUED).order_by("pk").first()
            if job is None and not runs.jobs_of(run).filter(status=JobStatus.RUNNING).exists():
                return done
            if job is None:
                Pause().wait(LOOK_EVERY_S)
                job_rows.sweep()
                continue
            agents.collect_sample(job.pk)
            done += 1


@dataclass(slots=True)
class Watch:
    """Says what has become of each sample, once."""

    run: Run
    say: Callable[[str], None]
    said: dict[int, str] = field(default_factory=dict)

    def look(self) -> bool:
        """Whether the run has ended."""
        close_old_connections()
        job_rows.sweep()
        output.write_waiting()
        rows = Attempt.objects.filter(sample__run=self.run).select_related("sample").order_by("pk")
        for attempt in rows:
            line = line_of(attempt)
            if self.said.get(attempt.pk) != line:
                self.say(line)
                self.said[attempt.pk] = line
        self.run.refresh_from_db()
        return self.run.status in ENDED


def line_of(attempt: Attempt) -> str:
    again = f" (attempt {attempt.number})" if attempt.number > 1 else ""
    why = "; ".join(str(reason.get("text", "")) for reason in attempt.reasons)
    if attempt.finished_at is None:
        thought = f": {attempt.last_thought}" if attempt.last_thought else ""
        return f"{attempt.sample.sample_id}{again} {attempt.status} step {attempt.step} of {attempt.max_steps}{thought}"
    return f"{attempt.sample.sample_id}{again} {attempt.status}" + (f": {why}" if why else "")


def wait_for(watch: Watch, workers: list[subprocess.Popen[bytes]]) -> None:
    """Until the run has ended, or nobody is left who works on it."""
    while not watch.look():
        if workers and all(worker.poll() is not None for worker in workers):
            if not watch.look():
                left = watch.run.samples.exclude(status__in=SAMPLE_ENDED).count()
                watch.say(f"every process has ended, {left} samples have not: run-task --resume {watch.run.folder}")
            return
        Pause().wait(LOOK_EVERY_S)


@contextmanager
def workers_for(run: Run, count: int, *, headless: bool | None) -> Iterator[list[subprocess.Popen[bytes]]]:
    """`count` processes that collect the samples of this run; none outlives the block."""
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "collect_samples", run.public_id]
    if headless is not None:
        command.append("--headless" if headless else "--no-headless")
    started: list[subprocess.Popen[bytes]] = []
    try:
        for _ in range(count):
            started.append(subprocess.Popen(command, stdin=subprocess.DEVNULL))  # noqa: PERF401 - each must be ended
        yield started
    finally:
        for process in started:
            process.terminate()
        for process in started:
            try:
                process.wait(ENDS_IN_S)
            except subprocess.TimeoutExpired:
                process.kill()
