"""One try at one sample: opened here, written to by the worker that holds its job, settled with its job.

Every write of a worker names its claim's fence; whoever lost the job writes nothing more.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from evidence_app.agent.events import Acted, Decided, Saved
from evidence_app.agent.interrupted import Late, Pending, caught_up
from evidence_app.agent.layout import Layout, layout_from
from evidence_app.agent.lessons import Lesson
from evidence_app.agent.outcome import BUDGET_SPENT, Outcome
from evidence_app.models import ActionEntry, Artifact, Attempt, Field, Run, RunMemory, Sample
from evidence_app.models.evidence import ActionState, ArtifactKind
from evidence_app.models.run import SAMPLE_ENDED, Cause, SampleStatus
from evidence_app.services import artifacts, confidential, four_eyes, retention
from evidence_app.services.specs import spec_of
from evidence_app.spec.samples import SampleInput
from evidence_app.spec.shapes import TaskSpec
from recipes_app.models import Job, JobStep
from recipes_app.models.job import JobKind, JobStatus, StepState
from recipes_app.services import dispatch
from recipes_app.services.errors import WrongState
from recipes_app.services.losses import ran_out_of_time
from recipes_app.services.runs import Claim
from recipes_app.services.sealing import BLOT

MAX_CLAIMS = 25
LOST_DONE = "it was done; the worker was lost before it saw what came of it."
LOST_UNKNOWN = "the worker was lost meanwhile; whether it was done is not known."
LAYOUTS = 30
SLACK_S = 120
JOB_ENDS = {
    JobStatus.DONE: SampleStatus.DONE,
    JobStatus.FAILED: SampleStatus.FAILED,
    JobStatus.ERRORED: SampleStatus.ERRORED,
    JobStatus.CANCELLED: SampleStatus.CANCELLED,
    JobStatus.INTERRUPTED: SampleStatus.INTERRUPTED,
}
TRIED_AGAIN = (SampleStatus.FAILED, SampleStatus.ERRORED, SampleStatus.INTERRUPTED)


@dataclass(frozen=True, slots=True)
class Before:
    """What an attempt goes on from: nothing at all at its first claim."""

    checkpoint: dict[str, Any]
    pending: Pending | None
    lessons: tuple[Lesson, ...]
    layouts: tuple[Layout, ...] = ()


@transaction.atomic
def open_first(run: Run) -> int:
    """The first attempt at every sample of a run: a few statements, however many there are."""
    spec = _spec_of(run)
    samples = list(run.samples.all())
    with dispatch.signed_in_as(dispatch.session_chosen() or spec.session):
        jobs = dispatch.open_bulk(
            team=run.team,
            by=run.requested_by,
            kind=JobKind.SAMPLE,
            titles=[f"{run.title}: {sample.sample_id}" for sample in samples],
            deadline_s=_deadline(spec),
            max_attempts=MAX_CLAIMS,
        )
    rows = [
        Attempt(sample=sample, number=1, job=job, max_steps=spec.max_steps)
        for sample, job in zip(samples, jobs, strict=True)
    ]
    return len(Attempt.objects.bulk_create(rows, batch_size=500))


def _spec_of(run: Run) -> TaskSpec:
    if run.version is None:
        raise WrongState(f"{run.title} has no task spec yet.")
    return spec_of(run.version)


def _deadline(spec: TaskSpec) -> int:
    return int(spec.max_time_seconds or settings.SAMPLE_DEADLINE_S) + SLACK_S


@transaction.atomic
def open_attempt(*, sample: Sample, cause: str = Cause.FIRST) -> Attempt:
    """A new row and its job, beside the older ones; the sample waits again."""
    run = sample.run
    retention.refuse_removed(run)
    spec = _spec_of(run)
    before = Job.objects.filter(attempt_at_sample__sample=sample).order_by("pk").last()
    session = dispatch.session_chosen() or (before.session if before else spec.session)
    with dispatch.signed_in_as(session):
        job = dispatch.open_job(
            team=run.team,
            by=run.requested_by,
            kind=JobKind.SAMPLE,
            title=f"{run.title}: {sample.sample_id}",
            deadline_s=_deadline(spec),
            interactive=False,
        )
    Job.objects.filter(pk=job.pk).update(max_attempts=MAX_CLAIMS)
    Sample.objects.filter(pk=sample.pk).update(status=SampleStatus.QUEUED)
    number = sample.attempts.count() + 1
    return Attempt.objects.create(sample=sample, number=number, job=job, cause=cause, max_steps=spec.max_steps)


@transaction.atomic
def begin(*, claim: Claim) -> Attempt:
    claim.hold()
    attempt = Attempt.objects.select_related("sample__run__version", "sample__run__site", "sample__run__team").get(
        job=claim.job
    )
    now = timezone.now()
    Attempt.objects.filter(pk=attempt.pk).update(status=SampleStatus.RUNNING, started_at=attempt.started_at or now)
    Sample.objects.filter(pk=attempt.sample_id).update(status=SampleStatus.RUNNING)
    _note_interrupted(attempt)
    four_eyes.bar(attempt.sample.run)  # what has been published meanwhile may be used
    return attempt


def _note_interrupted(attempt: Attempt) -> None:
    """An action that was under way when the worker was lost, and may have changed the site, stays in the log as that:
    however often the attempt is interrupted again, what comes after it has another number."""
    entry = attempt.actions.filter(state=ActionState.ABOUT).order_by("seq").last()
    steps = _writing_since(attempt, entry) if entry else []
    if entry is None or not steps:
        return
    is_known = all(step.state == StepState.DID for step in steps) and entry.action != "call"
    state = ActionState.DID if is_known else ActionState.FAILED
    result = LOST_DONE if is_known else LOST_UNKNOWN
    ActionEntry.objects.filter(pk=entry.pk).update(state=state, result=f"{steps[-1].sentence}: {result}")


def _writing_since(attempt: Attempt, entry: ActionEntry) -> list[JobStep]:
    """Steps that were begun for this action and may have changed the site."""
    rows = attempt.job.steps.filter(may_write=True, at__gte=entry.at, state__in=(StepState.ABOUT, StepState.DID))
    return list(rows.order_by("seq"))


def sample_input(sample: Sample) -> SampleInput:
    """For the worker: with its secrets opened."""
    return SampleInput(sample.sample_id, sample.url, confidential.opened(sample.extra), sample.folder)


def secrets_of(sample: Sample) -> list[str]:
    """Values of the columns that are called like a secret: they stand in nothing that is written down."""
    return confidential.secrets_in(confidential.opened(sample.extra))


def before(attempt: Attempt) -> Before:
    """The checkpoint, brought up to what is known to have been done after it; and the action that was under way."""
    checkpoint = dict(attempt.checkpoint)
    lessons = tuple(
        Lesson(row.domain, row.kind, row.task_type, row.content)
        for row in RunMemory.objects.filter(run=attempt.sample.run).order_by("pk")
    )
    after = attempt.actions.filter(seq__gt=checkpoint.get("seq", 0))
    late = [
        Late(row.seq, row.action, row.params, row.result, ok=row.state == ActionState.DID)
        for row in after.exclude(state=ActionState.ABOUT)
    ]
    labels = list(
        attempt.artifacts.filter(derived_from=None).order_by("seq").values_list("label", flat=True).distinct()
    )
    if late:
        checkpoint["url"] = attempt.current_url or checkpoint.get("url", "")
    if late or checkpoint:
        checkpoint = caught_up(checkpoint, late, labels)
    return Before(checkpoint, _pending(attempt), lessons, _layouts(attempt))


def _layouts(attempt: Attempt) -> tuple[Layout, ...]:
    """The words of the captured pages with their places: values are looked for there as before."""
    rows = attempt.artifacts.filter(kind=ArtifactKind.LAYOUT, removed_at=None).order_by("-seq")[:LAYOUTS]
    found = []
    for row in reversed(rows):
        with artifacts.blobs().open(row.sha256) as file:
            found.append(replace(layout_from(json.load(file)), step=row.action_seq))
    return tuple(found)


def _pending(attempt: Attempt) -> Pending | None:
    last = attempt.actions.filter(seq__gt=attempt.checkpoint.get("seq", 0)).order_by("seq").last()
    if last is None:
        return None
    if last.state == ActionState.FAILED and last.result.endswith(LOST_UNKNOWN):
        return Pending(last.action, last.params, last.mark, unknown=True, about=last.result)
    # What was blotted out is no longer known, so the agent is asked again.
    is_known = last.state == ActionState.ABOUT and BLOT not in json.dumps(last.params, ensure_ascii=False)
    return Pending(last.action, last.params, last.mark) if is_known else None


@transaction.atomic
def note_decided(*, claim: Claim, attempt: Attempt, event: Decided) -> None:
    """Written down before it is done. The same number again is the same action, done after an interruption."""
    claim.hold()
    thought = event.thought
    # Done again after an interruption it is not asked for again: what was paid for it stays.
    tokens = {"input_tokens": event.input_tokens, "output_tokens": event.output_tokens} if event.input_tokens else {}
    ActionEntry.objects.update_or_create(
        attempt=attempt,
        seq=event.seq,
        defaults={
            "state": ActionState.ABOUT,
            "action": event.action[:40],
            "params": claim.clean(dict(event.params)),
            "mark": event.mark,
            "url": claim.clean(event.url)[:2000],
            "thinking": claim.clean(thought.get("thinking", "")),
            "evaluation": claim.clean(thought.get("evaluation", "")),
            "memory_update": claim.clean(thought.get("memory_update", "")),
            "next_goal": claim.clean(thought.get("next_goal", "")),
            **tokens,
            "result": "",
            "step": None,
            "ms": None,
            "at": timezone.now(),
        },
    )


@transaction.atomic
def note_acted(*, claim: Claim, attempt: Attempt, event: Acted) -> None:
    claim.hold()
    ActionEntry.objects.filter(attempt=attempt, seq=event.seq).update(
        state=ActionState.DID if event.ok else ActionState.FAILED,
        result=claim.clean(event.result),
        ms=event.ms,
        step=claim.clean(dict(event.step)) if event.step else None,
    )
    # After an interruption it goes on where this led to, though no checkpoint says so yet.
    Attempt.objects.filter(pk=attempt.pk).update(current_url=claim.clean(event.url)[:2000])


@transaction.atomic
def save_checkpoint(*, claim: Claim, attempt: Attempt, event: Saved) -> None:
    claim.hold()
    Attempt.objects.filter(pk=attempt.pk).update(
        checkpoint=claim.clean(dict(event.checkpoint)),
        step=event.step,
        max_steps=event.max_steps,
        last_thought=claim.clean(event.thought)[:500],
        current_url=claim.clean(event.url)[:2000],
    )


@transaction.atomic
def finish(*, claim: Claim, attempt: Attempt, outcome: Outcome) -> None:
    """What the agent brought; the job is done, whatever became of the sample, unless the agent failed."""
    claim.hold()
    result = claim.clean(
        {
            "reasons": [reason.as_dict() for reason in outcome.reasons],
            "extracted": dict(outcome.extracted),
            "judgment": dict(outcome.judgment) if outcome.judgment else None,
            "errors": list(outcome.errors),
        }
    )
    Attempt.objects.filter(pk=attempt.pk).update(
        status=outcome.status, notes=claim.clean(outcome.notes), finished_at=timezone.now(), **result
    )
    _keep_fields(claim, attempt, outcome)
    _keep_lessons(attempt.sample.run, outcome)
    if outcome.status == SampleStatus.FAILED:
        why = outcome.reasons[0].text if outcome.reasons else "It failed."
        claim.finish(JobStatus.FAILED, {"error": why, "kind": "sample_failed"})
    else:
        claim.finish(JobStatus.DONE)


def _keep_fields(claim: Claim, attempt: Attempt, outcome: Outcome) -> None:
    pictures = {
        row.capture: row
        for row in Artifact.objects.filter(attempt=attempt, kind__in=("screenshot", "stitched")).order_by("-kind", "pk")
    }
    attempt.fields.all().delete()
    Field.objects.bulk_create(
        [
            Field(
                attempt=attempt,
                path=each.path[:200],
                value=claim.clean(each.value),
                type=each.type,
                problem=each.problem[:300],
                grounding=each.grounding,
                url=each.url[:2000],
                action_seq=each.seq,
                artifact=pictures.get(each.capture),
                box=list(each.box) if each.box else None,
            )
            for each in outcome.fields
        ],
        ignore_conflicts=True,
    )


def _keep_lessons(run: Run, outcome: Outcome) -> None:
    for lesson in outcome.lessons:
        if lesson.kind == "pattern":
            same = RunMemory.objects.filter(run=run, domain=lesson.domain, kind="pattern", task_type=lesson.task_type)
            same.delete()
        RunMemory.objects.create(
            run=run, domain=lesson.domain, kind=lesson.kind, task_type=lesson.task_type, content=dict(lesson.content)
        )


def after_loss(job: Job, why: str) -> tuple[JobStatus, dict[str, Any] | None]:
    """A sample goes on from its checkpoint: what may have been done twice is never done again by itself."""
    if job.cancel_requested_at is not None:
        return JobStatus.CANCELLED, {"error": "Cancelled.", "kind": "cancelled"}
    if ran_out_of_time(job):
        return JobStatus.FAILED, {"error": f"{why} when its {job.deadline_s} seconds were over.", "kind": "timeout"}
    if job.attempt < job.max_attempts:
        return JobStatus.QUEUED, None
    return JobStatus.INTERRUPTED, {"error": f"{why}, {job.attempt} times.", "kind": "interrupted"}


def settle(job: Job) -> None:
    """Called in the transaction that ends the job: the attempt ends, the sample with it, or is tried again."""
    attempt = Attempt.objects.select_related("sample__run__version", "sample__run__team").filter(job=job).first()
    if attempt is None:
        return
    reasons = attempt.reasons
    if attempt.status not in SAMPLE_ENDED:
        attempt.status = JOB_ENDS[JobStatus(job.status)]
        reason = {"code": str((job.error or {}).get("kind", attempt.status)), "text": job.error_text or "It ended."}
        progress, reasons = attempt.checkpoint.get("progress", {}), [reason]
        Attempt.objects.filter(pk=attempt.pk).update(
            status=attempt.status,
            reasons=reasons,
            extracted=attempt.extracted or progress.get("extracted", {}),
            finished_at=timezone.now(),
        )
    Sample.objects.filter(pk=attempt.sample_id).update(status=attempt.status)
    run = Run.objects.get(pk=attempt.sample.run_id)
    is_paid = not any(reason.get("code") == BUDGET_SPENT for reason in reasons)
    if attempt.status in TRIED_AGAIN and is_paid and _may_try_again(attempt, run):
        open_attempt(sample=attempt.sample, cause=Cause.RETRY)


def _may_try_again(attempt: Attempt, run: Run) -> bool:
    if run.cancel_requested_at is not None or run.status not in ("queued", "running"):
        return False
    since = attempt.sample.attempts.exclude(cause=Cause.RETRY).order_by("number").last()
    tried = attempt.number - (since.number if since else 1)
    return tried < run.retries
