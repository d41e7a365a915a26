"""What a recording did, in its parts: the recording itself, then each replay."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from recipes_app.models import JobStep, Recording
from recipes_app.services.steplog import PART
from recipes_app.views.words import SaidStep, say_steps


@dataclass
class Part:
    """`title` is empty for steps of no part."""

    title: str
    steps: list[JobStep] = field(default_factory=list)


def parts_of(recording: Recording) -> list[Part]:
    """Steps that were skipped left no sentence of their own: the recipe, or the same step elsewhere, has it."""
    rows = list(recording.job.steps.all())
    known = {**sentences_of(recording), **{row.path: row.sentence for row in rows if row.sentence and row.path}}
    for row in rows:
        row.sentence = row.sentence or known.get(row.path, "")
    return [part for part in split(rows) if part.steps or part.title]


def split(rows: Iterable[JobStep]) -> Iterator[Part]:
    part = Part("")
    for row in rows:
        if row.op == PART:
            yield part
            part = Part(row.sentence)
        else:
            part.steps.append(row)
    yield part


def sentences_of(recording: Recording) -> dict[str, str]:
    """By path, such as `steps[2].then[0]`."""
    document: dict[str, Any] = recording.version.document if recording.version else {}
    version = recording.version.format if recording.version else 2
    said = say_steps(document.get("steps", []), version)
    return {f"steps[{index}]": step.sentence for index, step in enumerate(said) if isinstance(step, SaidStep)}
