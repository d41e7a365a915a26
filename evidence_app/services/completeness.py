"""Whether a run is whole: each sample of its population once, with what was captured, taken again, and signed."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from django.db.models import Count

from evidence_app.models import Artifact, Attempt, Conclusion, Exhibit, Run
from evidence_app.models.review import WAITING, Answer, ExhibitState
from evidence_app.models.run import Cause
from evidence_app.services.artifacts import PICTURES


@dataclass(frozen=True, slots=True)
class Completeness:
    """`duplicated`: samples that brought exactly the pictures of another one. `states` and `answers` count samples."""

    total: int
    captured: int
    duplicated: int
    recaptured: int
    states: dict[str, int] = field(default_factory=dict)
    answers: dict[str, int] = field(default_factory=dict)

    @property
    def in_words(self) -> str:
        return (
            f"{self.captured} of {self.total} captured, {self.duplicated} duplicated, {self.recaptured} recaptured"
        )  # fmt: skip

    @property
    def waiting(self) -> int:
        return sum(self.states.get(state, 0) for state in WAITING)

    @property
    def signed(self) -> int:
        return self.states.get(ExhibitState.APPROVED, 0)

    @property
    def concluded(self) -> int:
        return sum(self.answers.values())

    @property
    def is_signed_off(self) -> bool:
        return self.signed == self.total == self.concluded > 0


def of_run(run: Run) -> Completeness:
    exhibits = Exhibit.objects.filter(run=run)
    states = dict(exhibits.order_by().values_list("state").annotate(Count("pk")))
    return Completeness(
        total=run.samples.count(),
        captured=sum(states.values()),
        duplicated=_duplicated(run),
        recaptured=_recaptured(run),
        states=states,
        answers=_answers(run),
    )


def _duplicated(run: Run) -> int:
    """Beyond the first of each set that looks alike to the last byte."""
    rows = Artifact.objects.filter(attempt__in=Exhibit.objects.filter(run=run).values("attempt"), kind__in=PICTURES)
    pictures: dict[int, set[str]] = defaultdict(set)
    for attempt, sha256 in rows.order_by().values_list("attempt", "sha256"):
        pictures[attempt].add(sha256)
    return len(pictures) - len({frozenset(each) for each in pictures.values()})


def _recaptured(run: Run) -> int:
    again = Attempt.objects.filter(sample__run=run, cause=Cause.RECAPTURE)
    return again.order_by().values("sample").distinct().count()


def _answers(run: Run) -> dict[str, int]:
    """The newest conclusion of each sample."""
    newest = dict(Conclusion.objects.filter(sample__run=run).order_by("pk").values_list("sample", "answer"))
    return {answer: count for answer in Answer.values if (count := list(newest.values()).count(answer))}
