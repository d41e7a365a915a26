"""How a sample ended: its status, why, and every field with the place it was seen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from evidence_app.agent.completeness import Reason, Verdict, artifact_matches, check_done
from evidence_app.agent.labels import label_of, wanted
from evidence_app.agent.lessons import Lesson
from evidence_app.agent.progress import Progress, Sighting, collected
from evidence_app.spec.shapes import FieldSpec, TaskSpec
from evidence_app.spec.values import is_empty, leaves
from recipes_app.llm.base import Usage

# What a person looks at before it counts, though nothing is missing.
DOUBTS = frozenset({"not_grounded", "inconclusive", "capture_flawed", "wrong_type"})


@dataclass(frozen=True, slots=True)
class FieldSeen:
    """One value of the result. `grounding` is "text", "control", "not_found" or "unchecked"; `box` in the picture's
    pixels, of the capture named."""

    path: str
    value: Any
    type: str = ""
    problem: str = ""
    grounding: str = "unchecked"
    url: str = ""
    seq: int | None = None
    capture: str = ""
    box: Sequence[float] | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """`status` is done, partial_success, needs_review or failed."""

    status: str
    reasons: tuple[Reason, ...]
    extracted: Mapping[str, Any]
    judgment: Mapping[str, Any] | None = None
    fields: tuple[FieldSeen, ...] = ()
    notes: str = ""
    errors: tuple[str, ...] = ()
    steps: int = 0
    usage: Usage = field(default_factory=Usage)
    lessons: tuple[Lesson, ...] = ()


BUDGET_SPENT = "budget_spent"


@dataclass(frozen=True, slots=True)
class End:
    """How the flight ended: `ended` as the pilot says it, `why` in words, `verdict` of the accepted done, if any."""

    ended: str
    why: str
    verdict: Verdict | None = None


def judge_end(spec: TaskSpec, progress: Progress, end: End) -> tuple[str, tuple[Reason, ...], tuple[FieldSeen, ...]]:
    """1. done and complete: done, or needs_review where something is doubtful   2. done, yet not complete, at the last
    step: needs_review, or partial_success if only items lack   3. failed: failed, what was saved is kept
    4. stopped: partial_success with what there is, else failed
    """
    verdict = end.verdict or check_done(spec, collected(progress, progress.extracted, progress.judgment))
    progress.look_for(verdict.extracted)
    fields = tuple(fields_of(spec, progress, verdict))
    doubts = tuple(_doubts(spec, progress, fields))
    if end.ended == "failed":
        return "failed", (Reason("failed", end.why), *verdict.reasons), fields
    if end.ended != "done":
        stopped = Reason(BUDGET_SPENT if end.ended == "budget" else "stopped", end.why)
        status = "failed" if is_empty(progress.extracted) else "partial_success"
        return status, (stopped, *verdict.reasons, *doubts), fields
    if verdict.complete:
        return ("needs_review" if doubts else "done"), doubts, fields
    return ("partial_success" if verdict.only_few else "needs_review"), (*verdict.reasons, *doubts), fields


def fields_of(spec: TaskSpec, progress: Progress, verdict: Verdict) -> Iterable[FieldSeen]:
    for name, value in verdict.extracted.items():
        declared = spec.field_named(name)
        for path, leaf in leaves(value, name):
            seen = FieldSeen(path, leaf, _type_at(declared, path), verdict.problems.get(name, ""))
            yield _labelled(_seen(seen, progress.sighting_of(leaf)), declared, progress)


def _labelled(seen: FieldSeen, declared: FieldSpec | None, progress: Progress) -> FieldSeen:
    """A field of the task itself is shown beside its label; values of rows stand nearest to their row instead."""
    if declared is None or seen.path != declared.name or isinstance(seen.value, bool):
        return seen
    field = wanted(declared.name, declared.description)
    if is_empty(seen.value):
        stands = label_of(progress.captured(), field) if seen.value is None else ""
        said = f"none, says the agent; the page says “{stands}”" if stands else ""
        return replace(seen, problem="; ".join(filter(None, (seen.problem, said))))
    placed = progress.beside_label(seen.value, field) if seen.capture else None
    if placed is None:
        return seen
    place, note = placed
    return replace(
        seen, grounding=place.how, url=place.url, seq=place.seq, capture=place.capture, box=place.box,
        problem="; ".join(filter(None, (seen.problem, note))),
    )  # fmt: skip


def _seen(seen: FieldSeen, sighting: Sighting | None) -> FieldSeen:
    if seen.value is None or isinstance(seen.value, bool) or not str(seen.value).strip():
        return seen
    if sighting is None:
        return replace(seen, grounding="not_found")
    return replace(
        seen, grounding=sighting.how, url=sighting.url, seq=sighting.seq, capture=sighting.capture, box=sighting.box
    )


def _type_at(declared: FieldSpec | None, path: str) -> str:
    if declared is None:
        return ""
    if path == declared.name or not (declared.items or declared.fields):
        return declared.type
    rest = path[len(declared.name) :]
    if declared.items and rest.startswith("["):
        return _type_at(_as_named(declared.items), rest.partition("]")[2].join(("item", "")))
    name = rest.removeprefix(".").partition(".")[0].partition("[")[0]
    member = next((each for each in declared.fields if each.name == name), None)
    return _type_at(member, rest.removeprefix("."))


def _as_named(items: FieldSpec) -> FieldSpec:
    return FieldSpec("item", items.type, items.nullable, items=items.items, fields=items.fields)


def _doubts(spec: TaskSpec, progress: Progress, fields: Sequence[FieldSeen]) -> Iterable[Reason]:
    lost = [each.path for each in fields if each.grounding == "not_found"]
    if lost:
        shown = ", ".join(lost[:5]) + (f" and {len(lost) - 5} more" if len(lost) > 5 else "")
        yield Reason("not_grounded", f"Not found on any page that was captured: {shown}.")
    if progress.judgment and progress.judgment.get("answer") == "inconclusive":
        yield Reason("inconclusive", "The judgment is inconclusive.")
    for loss in progress.losses:
        if _needs(spec, fields, loss):
            yield Reason("capture_flawed", f"{loss['text']}.")


def _needs(spec: TaskSpec, fields: Sequence[FieldSeen], loss: Mapping[str, str]) -> bool:
    """Whether the result rests on that capture: the task wants it by its label, a value is shown on it, or there is a
    judgment, or nothing else."""
    if spec.judgment is not None or not (spec.required_artifacts or fields):
        return True
    is_wanted = any(artifact_matches(loss["label"], each) for each in spec.required_artifacts if loss["label"])
    return is_wanted or any(each.capture and each.capture == loss["capture"] for each in fields)
