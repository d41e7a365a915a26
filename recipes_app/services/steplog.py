"""The rows of what a job did, in order, and what they say about a job that was lost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Max

from recipes_app.engine.events import About, Did, Event, Note, Progress, Sent, StepFailed, Warned
from recipes_app.models import Job, JobStep
from recipes_app.models.job import StepState

PART = "part"  # the op of a row that begins a part of a job: the recording, or one of its replays


@dataclass(eq=False, slots=True)
class StepLog:
    """Writes steps of one claim. A step is one row: `about` first, then what became of it."""

    job: Job
    clean: Callable[[str], str]
    last_seq: int = 0
    open_rows: dict[str, int] = field(default_factory=dict)
    part: str = ""

    def __post_init__(self) -> None:
        self.last_seq = self.job.steps.aggregate(last=Max("seq"))["last"] or 0

    def write(self, event: Event) -> None:
        match event:
            case About():
                row = self._add(event.path, event.op, StepState.ABOUT, event.sentence, may_write=event.may_write)
                self.open_rows[event.path] = row.pk
            case Did():
                state = StepState.SKIPPED if event.status == "skipped" else StepState.DID
                self._close(event, state, ms=event.ms, matched=self.clean(event.matched)[:120], detail=event.detail)
            case Warned():
                self._close(event, StepState.WARNED, detail=event.message)
            case StepFailed():
                self._close(event, StepState.FAILED, detail=event.message)
            case Note():
                self._add("", "note", StepState.NOTE, event.message)
            case Sent():
                self._note_sent(event)

    def begin(self, part: str) -> None:
        """What the steps from here on belong to, for whoever reads them."""
        if part and part != self.part:
            self.part = part
            self._add("", PART, StepState.NOTE, part)

    def _note_sent(self, event: Sent) -> None:
        """Whoever says it only reads has acted all the same: from here on it is not run again by itself."""
        under_way = JobStep.objects.filter(pk__in=self.open_rows.values(), may_write=True)
        if not under_way.exists():
            self._add("", "note", StepState.NOTE, f"The page sent {event.request}", may_write=True)

    def _close(self, event: Did | Warned | StepFailed, state: StepState, **columns: Any) -> None:
        pk = self.open_rows.pop(event.path, None) or self._add(event.path, event.op, state, "").pk
        columns["detail"] = self.clean(columns["detail"])[:500]
        JobStep.objects.filter(pk=pk).update(state=state, **columns)

    def _add(self, path: str, op: str, state: StepState, sentence: str, *, may_write: bool = False) -> JobStep:
        self.last_seq += 1
        return JobStep.objects.create(
            job=self.job,
            seq=self.last_seq,
            attempt=self.job.attempt,
            path=self.clean(path)[:80],
            op=op[:30],
            state=state,
            sentence=self.clean(sentence)[:300],
            may_write=may_write,
        )


def part_of(event: Progress) -> str:
    """The part of a recording that begins, or goes on; other jobs have none."""
    if event.phase == "verify":
        return f"Replay {event.done + 1}: {event.note.removeprefix('replays ')}"
    return "Recording" if event.phase == "record" else ""


def unknown_step(job: Job) -> JobStep | None:
    """The step that may have changed something and of which nobody knows whether it did."""
    return job.steps.filter(attempt=job.attempt, may_write=True, state=StepState.ABOUT).last()


def has_written(job: Job) -> bool:
    return job.steps.filter(may_write=True).exists()
