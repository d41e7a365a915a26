"""A team with reviewers, and samples whose evidence was brought without a browser: the bytes are real, and kept."""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from PIL import Image, ImageDraw
from pytest_django import Settings

from evidence_app.models import ActionEntry, Artifact, Attempt, Exhibit, Field, Run, Sample, Shown
from evidence_app.models.review import ShownAs
from evidence_app.services import artifacts, reviews, showing
from evidence_app.services.reviews import Verdict
from recipes_app.models import Job, Role, User
from recipes_app.models.job import JobStatus
from recipes_app.services import settling
from tests.evidence_web.conftest import Room, evidence_root, make_room
from tests.people import make_user
from tests.web.conftest import files_apart, signed_in, visit

__all__ = ["evidence_root", "files_apart", "signed_in", "visit"]

BOX = [40, 60, 200, 30]
WORDS = "The manager stands in the register."  # of a value that is not on the page
STATEMENT = {
    "taken_at": "2026-11-30T16:20:07Z",
    "final_url": "https://people.example/ann",
    "quality": {"height_covered": 900, "dom_height": 900, "images": {"total": 3, "loaded": 3, "broken": 0}},
}


@dataclass
class Bench:
    """A room with two people who may sign beside its owner."""

    room: Room
    rita: User
    ron: User

    def run(self, *names: str, **how: Any) -> Run:
        run = self.room.request(*(names or ("ann",)), **how)
        for sample in run.samples.all():
            bring(sample.attempts.get())
        run.refresh_from_db()
        return run


def bring(attempt: Attempt, *, words: str = "", status: str = "done", **more: Any) -> Attempt:
    """The attempt ends with one picture, its statement and two values, as a worker would have ended it."""
    sample = attempt.sample
    data = picture(words or f"{sample.sample_id} is an engineer")
    row = keep(attempt, "screenshot", "01_person_page.png", data, media_type="image/png", width=640, height=900)
    keep(
        attempt, "statement", "01_person_page.statement.json", b"{}", media_type="application/json", statement=STATEMENT
    )
    Field.objects.create(attempt=attempt, path="name", value=sample.sample_id, grounding="text", artifact=row, box=BOX)
    Field.objects.create(attempt=attempt, path="manager", value="Zoe", grounding="not_found")
    ActionEntry.objects.create(attempt=attempt, seq=1, state="did", action="screenshot", thinking="I look first.")
    ActionEntry.objects.create(attempt=attempt, seq=2, state="did", action="done", thinking="Surely still employed.")
    judgment = {"answer": "yes", "confidence": 0.92, "reasoning": "She stands on the list of employees."}
    Attempt.objects.filter(pk=attempt.pk).update(status=status, **{"judgment": judgment, **more})
    end(attempt.job)
    attempt.refresh_from_db()
    return attempt


@transaction.atomic
def end(job: Job, status: JobStatus = JobStatus.DONE, **how: Any) -> None:
    Job.objects.filter(pk=job.pk).update(status=status, **how)
    job.refresh_from_db()
    settling.settle(job)


def keep(attempt: Attempt, kind: str, name: str, data: bytes, **how: Any) -> Artifact:
    blob = artifacts.blobs().put([data])
    assert blob.sha256 == hashlib.sha256(data).hexdigest()
    named = {"attempt": attempt, "seq": 1, "kind": kind, "label": "person page", "name": name}
    return Artifact.objects.create(**named, sha256=blob.sha256, size=blob.size, capture="one", **how)


def picture(words: str) -> bytes:
    made = Image.new("RGB", (640, 900), "white")
    ImageDraw.Draw(made).text((40, 60), words, fill="black")
    file = io.BytesIO()
    made.save(file, "PNG")
    return file.getvalue()


def look(user: User, sample: Sample) -> dict[int, str]:
    """As the page does it: each picture is sent and stands at full size; what a verdict binds."""
    exhibit = Exhibit.objects.get(sample=sample)
    files = showing.files_of(exhibit.attempt)
    for row in showing.pictures_of(files):
        Shown.objects.create(user=user, artifact=row, how=ShownAs.SENT, sha256=row.sha256)
        showing.note_seen(row=row, user=user, sha256=row.sha256)
    return {row.pk: row.sha256 for row in files}


def approve(user: User, sample: Sample) -> Any:
    return reviews.decide(
        sample=sample, by=user, verdict=Verdict(decision="approve", seen=look(user, sample), words=WORDS)
    )


def founded(*samples: Sample) -> None:
    """All their values stand on the page."""
    Field.objects.filter(attempt__sample__in=samples).update(grounding="text")


def damage(row: Artifact, root: Path) -> None:
    """Somebody changes the bytes in the store."""
    path = root / "blobs" / row.sha256[:2] / row.sha256[2:4] / row.sha256
    path.chmod(0o644)
    path.write_bytes(b"something else")


def make_bench() -> Bench:
    room = make_room()
    return Bench(room, *(make_user(name, room.team, Role.REVIEWER) for name in ("rita", "ron")))


@pytest.fixture
def bench(db: None, settings: Settings) -> Bench:
    return make_bench()


@pytest.fixture
def live_bench(transactional_db: None) -> Bench:
    return make_bench()
