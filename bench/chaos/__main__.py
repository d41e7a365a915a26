"""The process that conducts, in the environment that the bench gives it.

python -m bench.chaos FOLDER SAMPLES SECONDS_BETWEEN_KILLS
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event as Pause
from time import monotonic

import django

django.setup()

from django.conf import settings  # noqa: E402 - the settings are read from here on
from django.core.management import call_command  # noqa: E402
from django.db.models import Exists, OuterRef  # noqa: E402
from django.utils import timezone  # noqa: E402

from bench.chaos import ROOT, clerk  # noqa: E402
from bench.chaos.processes import Processes  # noqa: E402
from bench.chaos.tally import Killed, tally  # noqa: E402
from evidence_app.models import ActionEntry, Run  # noqa: E402
from evidence_app.models.run import SAMPLE_ENDED, RunStatus  # noqa: E402
from evidence_app.services import output, runs, specs, strays  # noqa: E402
from evidence_app.spec.samples import from_items  # noqa: E402
from examples.practice.office import PEOPLE  # noqa: E402
from examples.practice.server import PracticeSite, start  # noqa: E402
from recipes_app.models import Job, Membership, Role, Site, Team, User  # noqa: E402
from recipes_app.models.job import JobStatus  # noqa: E402
from tests.llm_desk import DeskServer, ScriptSource  # noqa: E402

TOKENS_OF_ONE = 100_000  # a sample takes 26,000, more where a question is asked again after a kill
WORKERS = 2
LOOK_EVERY_S = 0.5
# The run is given up where nothing ends for so long.
STANDSTILL_S = 600.0
TELL_EVERY_S = 15.0
GOAL = (
    "Request read access to the system Ledger for the employee in the column employee, until 2026-06-30, with the "
    "reason in the column reason; the manager agrees. Send it once, take down the request's number and state, keep a "
    "picture of the confirmation, and download the receipt."
)


def open_run(site: PracticeSite, samples: int) -> Run:
    call_command("migrate", verbosity=0)
    team = Team.objects.create(name="Bench", slug="bench")
    user = User.objects.create_user(username="bench", email="bench@example.test")
    Membership.objects.create(team=team, user=user, role=Role.OWNER)
    host = site.url.partition("://")[2]
    Site.objects.create(
        team=team, slug="office", name="Office", base_url=f"{site.url}/", created_by=user, private_hosts=[host]
    )
    document = json.loads((ROOT / "examples" / "tasks" / "access_request.json").read_text(encoding="utf-8"))
    document |= {"start_url": f"{site.url}/office/access/new", "goal": GOAL}
    version = specs.save(team=team, by=user, data=document)
    items = [
        {
            "sample_id": f"r{number:03}",
            "url": document["start_url"],
            "employee": PEOPLE[number % len(PEOPLE)].id,
            "reason": f"review number {number:03}",
        }
        for number in range(1, samples + 1)
    ]
    budget = samples * TOKENS_OF_ONE
    return runs.request_run(version=version, samples=from_items(items), by=user, budget_tokens=budget)


@dataclass(slots=True)
class Chaos:
    """Kills the workers now and then, in turns, and restarts Redis once half of the samples have ended."""

    run: Run
    processes: Processes
    samples: int
    kill_every_s: float
    kills: list[Killed] = field(default_factory=list)
    killed: int = 0
    restarts: int = 0
    _next_kill: float = field(default_factory=monotonic)
    _next_tell: float = 0.0
    _ended: int = 0
    _moved_at: float = field(default_factory=monotonic)

    def go_on(self) -> bool:
        """Whether samples are left."""
        now = monotonic()
        ended = self.run.samples.filter(status__in=SAMPLE_ENDED).count()
        if ended != self._ended:
            self._ended, self._moved_at = ended, now
        self.run.refresh_from_db()
        if self.run.status == RunStatus.DONE or now - self._moved_at > STANDSTILL_S:
            return False
        if not self.restarts and ended >= self.samples // 2:
            self.processes.restart_redis()
            self.restarts += 1
        if now >= self._next_kill and self._kill():
            self._next_kill = now + self.kill_every_s
        self._restart_ended()
        if now >= self._next_tell:
            self._next_tell = now + TELL_EVERY_S
            say(f"{ended} of {self.samples} ended, {self.killed} workers killed")
        return True

    def _kill(self) -> bool:
        """The one whose turn it is; whether that was done. One that has taken a sample and not acted yet is waited for:
        it has nothing to lose, and on a slow machine would never get to do anything."""
        at = self.killed % WORKERS
        acted = ActionEntry.objects.filter(attempt__job=OuterRef("pk"), at__gt=OuterRef("started_at"))
        mine = Job.objects.filter(status=JobStatus.RUNNING, worker__contains=f".{self.processes.workers[at].pid}.")
        held = mine.first()
        if held is not None and not mine.filter(Exists(acted), pk=held.pk).exists():
            return False
        if held is not None:
            self.kills.append(Killed(timezone.now(), held.pk))
        self.processes.kill_worker(at)
        self.killed += 1
        self.processes.start_worker(at)
        return True

    def _restart_ended(self) -> None:
        """A worker that ended by itself is started again, as its supervisor would."""
        for at, process in enumerate(self.processes.workers):
            if process.poll() is not None:
                self.processes.start_worker(at)


def conduct(folder: Path, samples: int, kill_every_s: float) -> dict[str, object]:
    with start() as site, DeskServer(ScriptSource(clerk.answer)) as desk:
        run = open_run(site, samples)
        env = {**os.environ, **desk.environment()}
        began = monotonic()
        with Processes(folder, settings.REDIS_URL, env) as processes:
            processes.start_redis()
            processes.upkeep = processes.start("upkeep")
            for _ in range(WORKERS):
                processes.start_worker()
            chaos = Chaos(run, processes, samples, kill_every_s)
            while chaos.go_on():
                Pause().wait(LOOK_EVERY_S)
        seconds = monotonic() - began
        while output.write_waiting():
            continue
        swept = strays.sweep(older_than_s=0)
        figures = tally(run, site.state.access, chaos.kills)
        report = desk.report()
    more = {
        "killed every s": kill_every_s,
        "killed": chaos.killed,
        "killed in a sample": len(chaos.kills),
        "Redis restarts": chaos.restarts,
    }
    more |= {"seconds": round(seconds), "files of lost captures swept": swept, "questions": report["answered"]}
    return {**figures, **more, "failures of the script": report.get("script_failures", [])[:3]}


def say(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    say(json.dumps(conduct(Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]))))
