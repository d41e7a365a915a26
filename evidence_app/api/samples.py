"""Samples of a run with all of their attempts, and the artifacts these brought."""

from __future__ import annotations

from typing import Any

from django.db.models import Prefetch
from django.http import FileResponse
from ninja import Query, Router

from evidence_app.api.found import artifact_of, run_of, sample_of
from evidence_app.api.runs import BASE, run_out, samples_in, spent_out
from evidence_app.api.schemas import (
    ArtifactOut,
    ArtifactsOut,
    AttemptOut,
    FieldOut,
    NumberPage,
    RunOut,
    SampleLine,
    SampleOut,
    SamplesIn,
    SamplesOut,
    SamplesPage,
)
from evidence_app.models import Artifact, Attempt, Field, Sample
from evidence_app.models.review import ShownAs
from evidence_app.models.run import SampleStatus
from evidence_app.services import confidential, drafts, sending, showing
from recipes_app.api.auth import TokenRequest, need
from recipes_app.api.schemas import REFUSALS, Refusal
from recipes_app.services import model_use
from recipes_app.services.errors import BadInput

router = Router(tags=["samples"])


@router.get("/runs/{public_id}/samples", response={200: SamplesOut, REFUSALS: Refusal})
def list_samples(request: TokenRequest, public_id: str, page: Query[SamplesPage]) -> SamplesOut:
    """Samples of a run, each with how its newest attempt stands. Scope: read or call."""
    run = run_of(need(request, "read", "call"), public_id)
    rows = run.samples.filter(number__gt=page.cursor).order_by("number")
    if page.status:
        if page.status not in SampleStatus.values:
            raise BadInput({"status": f"one of {', '.join(SampleStatus.values)}"})
        rows = rows.filter(status=page.status)
    tries = Attempt.objects.defer("checkpoint", "extracted").order_by("number")
    found = list(rows.prefetch_related(Prefetch("attempts", tries))[: page.limit + 1])
    shown = found[: page.limit]
    lines = [SampleLine(**_line(sample, public_id, list(sample.attempts.all()))) for sample in shown]
    return SamplesOut(samples=lines, next=shown[-1].number if len(found) > page.limit else None)


@router.put("/runs/{public_id}/samples", response={200: RunOut, REFUSALS: Refusal})
def change_samples(request: TokenRequest, public_id: str, given: SamplesIn) -> RunOut:
    """Other samples for a draft, before it is confirmed. Dots in a secret column keep what the same sample had there.
    Scope: call."""
    token = need(request, "call")
    run = run_of(token, public_id)
    drafts.change_samples(run=run, by=token.owner, samples=samples_in(given.samples, {}))
    return run_out(run_of(token, public_id))


@router.get("/runs/{public_id}/samples/{number}", response={200: SampleOut, REFUSALS: Refusal})
def show_sample(request: TokenRequest, public_id: str, number: int) -> SampleOut:
    """One sample: its attempts with their fields, where each was seen, reasons, artifacts and cost.
    Scope: read or call."""
    sample = sample_of(need(request, "read", "call"), public_id, number)
    rows = sample.attempts.select_related("job").prefetch_related("fields", "artifacts").order_by("number")
    tries = list(rows)
    return SampleOut(
        **_line(sample, public_id, tries),
        run=public_id,
        columns=confidential.masked(sample.extra),
        tries=[attempt_out(attempt, number) for attempt in tries],
    )


@router.get("/runs/{public_id}/artifacts", response={200: ArtifactsOut, REFUSALS: Refusal})
def list_artifacts(request: TokenRequest, public_id: str, page: Query[NumberPage]) -> ArtifactsOut:
    """Everything a run brought: pictures, texts, downloads, statements, with their hashes. Scope: read or call."""
    run = run_of(need(request, "read", "call"), public_id)
    rows = Artifact.objects.filter(attempt__sample__run=run, pk__gt=page.cursor).order_by("pk")
    found = list(rows.select_related("attempt__sample")[: page.limit + 1])
    shown = found[: page.limit]
    made = [artifact_out(row, row.attempt, row.attempt.sample.number) for row in shown]
    return ArtifactsOut(artifacts=made, next=shown[-1].pk if len(found) > page.limit else None)


@router.get("/artifacts/{number}", response={REFUSALS: Refusal})
def show_artifact(request: TokenRequest, number: int) -> FileResponse:
    """The bytes of an artifact as they were hashed, to be saved; `ETag` is their SHA-256. Scope: read or call."""
    token = need(request, "read", "call")
    row = artifact_of(token, number)
    response = sending.saved(row)
    showing.note(row=row, user=token.owner, how=ShownAs.SAVED)
    return response


def attempt_out(attempt: Attempt, number: int) -> AttemptOut:
    return AttemptOut(
        number=attempt.number,
        cause=attempt.cause,
        status=attempt.status,
        reasons=attempt.reasons,
        extracted=attempt.extracted,
        judgment=attempt.judgment,
        notes=attempt.notes,
        errors=attempt.errors,
        step=attempt.step,
        max_steps=attempt.max_steps,
        current_url=attempt.current_url,
        started_at=attempt.started_at,
        finished_at=attempt.finished_at,
        cost=spent_out(model_use.of_job(attempt.job)),
        fields=[field_out(row) for row in attempt.fields.all()],
        artifacts=[artifact_out(row, attempt, number) for row in attempt.artifacts.all()],
    )


def field_out(row: Field) -> FieldOut:
    return FieldOut(
        path=row.path,
        value=row.value,
        type=row.type,
        problem=row.problem,
        grounding=row.grounding,
        source_url=row.url,
        step=row.action_seq,
        artifact=row.artifact_id,
        box=row.box,
    )


def artifact_out(row: Artifact, attempt: Attempt, number: int) -> ArtifactOut:
    return ArtifactOut(
        id=row.pk,
        sample=number,
        attempt=attempt.number,
        name=row.name,
        kind=row.kind,
        label=row.label,
        media_type=row.media_type,
        size=row.size,
        sha256=row.sha256,
        width=row.width,
        height=row.height,
        source_url=row.source_url,
        step=row.action_seq,
        taken_at=row.taken_at,
        capture=row.capture,
        derived_from=row.derived_from_id,
        statement=row.statement,
        removed_at=row.removed_at,
        url=f"/api/v1/artifacts/{row.pk}",
    )


def _line(sample: Sample, run: str, tries: list[Attempt]) -> dict[str, Any]:
    newest = tries[-1] if tries else None
    return {
        "number": sample.number,
        "sample_id": sample.sample_id,
        "source_url": sample.url,
        "status": sample.status,
        "attempts": len(tries),
        "step": newest.step if newest else 0,
        "max_steps": newest.max_steps if newest else 0,
        "last_thought": newest.last_thought if newest else "",
        "reasons": newest.reasons if newest else [],
        "url": f"{BASE}/{run}/samples/{sample.number}",
    }
