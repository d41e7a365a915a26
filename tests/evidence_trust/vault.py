"""A run with evidence made by hand: one attempt with a picture, a thumbnail, a value and a line of its log."""

from __future__ import annotations

import io
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from PIL import Image

from evidence_app.models import ActionEntry, Artifact, Attempt, Entry, Field, Run
from evidence_app.models.run import RunStatus, SampleStatus
from evidence_app.services import entries, ledger, specs
from evidence_app.services.artifacts import blobs
from recipes_app.models import Role, User
from recipes_app.models.job import JobStatus
from tests.evidence_web.conftest import SPEC, Room
from tests.people import make_user

SECRET = "Ann Example, born 1980-01-01"


@dataclass
class Vault:
    room: Room
    reviewer: User
    run: Run
    attempt: Attempt
    picture: Artifact
    kept: Entry


def make_vault(room: Room, *, days: int = 30, over: int = 1, colour: str = "white", **spec: Any) -> Vault:
    """A run whose time was over `over` days ago; a negative number is still to come."""
    reviewer = User.objects.filter(username="rita").first() or make_user("rita", room.team, Role.REVIEWER)
    document = {**SPEC, "retention_days": days, **spec} if days else {**SPEC, **spec}
    room.version = specs.save(team=room.team, by=room.editor, data=document)
    run = room.request("ann")
    sample = run.samples.get()
    attempt = sample.attempts.get()
    attempt.job.status = JobStatus.DONE
    attempt.job.save()
    ended = timezone.now() - timedelta(days=days + over)
    Attempt.objects.filter(pk=attempt.pk).update(
        status=SampleStatus.DONE, finished_at=ended, extracted={"name": SECRET}, notes=SECRET, written_at=ended
    )
    sample.status = SampleStatus.DONE
    sample.save()
    Run.objects.filter(pk=run.pk).update(status=RunStatus.DONE, finished_at=ended, written_at=ended)
    run.refresh_from_db()
    picture = keep_picture(attempt, "01_person.png", colour)
    Field.objects.create(attempt=attempt, path="name", value=SECRET, artifact=picture, box=[10, 10, 40, 8])
    ActionEntry.objects.create(attempt=attempt, seq=1, action="extract", params={"name": SECRET}, thinking=SECRET)
    with transaction.atomic():
        facts = {"team": room.team.pk, "run": run.public_id, "sample": SECRET, "sha256": picture.sha256}
        kept = ledger.append("capture.kept", facts, run=run)
        entries.run_ended(run)
    attempt.refresh_from_db()
    return Vault(room, reviewer, run, attempt, picture, kept)


def keep_picture(attempt: Attempt, name: str, colour: str = "white", size: tuple[int, int] = (200, 100)) -> Artifact:
    made = io.BytesIO()
    Image.new("RGB", size, colour).save(made, "PNG")
    blob = blobs().put([made.getvalue()])
    return Artifact.objects.create(
        attempt=attempt, seq=1, kind="screenshot", label="person page", name=name, sha256=blob.sha256, size=blob.size,
        media_type="image/png", width=size[0], height=size[1], source_url="http://127.0.0.1:1/ann",
    )  # fmt: skip
