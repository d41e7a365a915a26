"""A run of two samples that was collected and kept as a worker does it, with pictures, and people who may sign it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from evidence_app.agent.capturing import Capture, CapturedFile
from evidence_app.agent.events import Captured, Decided
from evidence_app.agent.outcome import FieldSeen, Outcome
from evidence_app.models import Artifact, Pack, Run, Sample
from evidence_app.services import artifacts, attempts, packs, runs
from evidence_app.spec.samples import from_items
from recipes_app import wiring
from recipes_app.jobs import inline, running
from recipes_app.models import Job, Role, User
from recipes_app.services import runs as jobs
from tests.evidence_reviews.conftest import approve, picture
from tests.evidence_web.conftest import Room, evidence_root, make_room, signed_in
from tests.people import make_user
from tests.web.conftest import files_apart, visit

__all__ = ["evidence_root", "files_apart", "signed_in", "visit"]


@dataclass
class Bench:
    room: Room
    rita: User
    run: Run

    def sample(self, name: str) -> Sample:
        return self.run.samples.get(sample_id=name)

    def picture_of(self, name: str) -> Artifact:
        return Artifact.objects.get(attempt__sample=self.sample(name), kind="screenshot")

    def approve(self, *names: str) -> None:
        for name in names:
            approve(self.rita, self.sample(name))

    def pack(self, **how: Any) -> Pack:
        """Made by the job, as a worker of its queue does it."""
        pack = packs.request(run=self.run, by=self.room.operator, **how)
        built(pack.job)
        pack.refresh_from_db()
        return pack

    def bytes_of(self, pack: Pack) -> bytes:
        with packs.opened(pack, self.room.viewer) as file:
            return file.read()


def built(job: Job | None) -> Job:
    """Signed here, as no upkeep runs beside a test."""
    assert job is not None
    with packs.signing_here():
        return inline.run_with(running.Place(running.new_name(), wiring.new_browser()), job)


def collect(room: Room, *names: str, secret: str = "") -> Run:
    """`secret` stands in a column of each sample that is called like one, and in what the agent says and finds."""
    more = {"password": secret} if secret else {}
    samples = from_items([{"sample_id": name, "url": f"http://127.0.0.1:1/{name}", **more} for name in names])
    run = runs.request_run(version=room.version, samples=samples, by=room.operator)
    for sample in run.samples.order_by("number"):
        claim = jobs.claim(sample.attempts.get().job_id, "worker")
        assert claim is not None
        attempt = attempts.begin(claim=claim)
        claim.keep_secret(attempts.secrets_of(sample))
        thought = {"thinking": f"I look at {sample.sample_id}. {secret}"}
        decided = Decided(1, "screenshot", {"label": "person page"}, mark="", url="", thought=thought)
        attempts.note_decided(claim=claim, attempt=attempt, event=decided)
        shot = CapturedFile("screenshot", "image/png", data=picture(sample.sample_id), width=640, height=900)
        text = CapturedFile("text", "text/plain", data=f"{sample.sample_id} earns a lot".encode())
        event = Captured(1, Capture("person page", "https://people.example/", (shot, text)))
        artifacts.keep(claim=claim, attempt=attempt, event=event)
        found = FieldSeen("name", sample.sample_id, "string", grounding="text", box=(1, 2, 3, 4))
        outcome = Outcome("done", (), {"name": sample.sample_id}, {"answer": "yes", "confidence": 0.9}, (found,))
        attempts.finish(claim=claim, attempt=attempt, outcome=outcome)
    run.refresh_from_db()
    return run


def make_bench() -> Bench:
    room = make_room()
    return Bench(room, make_user("rita", room.team, Role.REVIEWER), collect(room, "ann", "bo"))


@pytest.fixture
def bench(db: None, settings: Settings, evidence_root: Path) -> Bench:
    return make_bench()


@pytest.fixture
def live_bench(transactional_db: None, settings: Settings, evidence_root: Path) -> Bench:
    return make_bench()
