"""What is otherwise than when the same thing was last signed: values, and where the pictures differ."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from evidence_app.models import Artifact, Attempt, Exhibit
from evidence_app.models.review import ExhibitState
from evidence_app.services import artifacts, showing
from evidence_app.store.blobs import Missing
from evidence_app.store.images import Box, NoPicture, changed_regions

MOST_PIXELS = 40_000_000  # of a picture that is compared while a page is waited for
MOST_BOXES = 200


@dataclass(frozen=True, slots=True)
class ValuePair:
    path: str
    before: Any
    now: Any

    @property
    def is_changed(self) -> bool:
        return bool(self.before != self.now)


@dataclass(frozen=True, slots=True)
class PicturePair:
    """Two pictures under one label; `boxes` lie on the later one. `problem` says why they were not compared."""

    label: str
    before: Artifact
    now: Artifact
    boxes: tuple[Box, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    before: Exhibit
    values: tuple[ValuePair, ...]
    pictures: tuple[PicturePair, ...]

    @property
    def changes(self) -> int:
        return sum(each.is_changed for each in self.values)


def last_signed(exhibit: Exhibit) -> Exhibit | None:
    """The same sample in the newest earlier run of the same control (of the same task where no control is named)."""
    run = exhibit.run
    rows = Exhibit.objects.filter(team=exhibit.team_id, state=ExhibitState.APPROVED, run__lt=run)
    rows = rows.filter(sample__sample_id=exhibit.sample.sample_id)
    if run.control:
        rows = rows.filter(run__control=run.control)
    else:
        rows = rows.filter(run__version__spec=run.version.spec_id if run.version else None)
    return rows.select_related("run", "attempt", "sample").order_by("-run").first()


def changes(before: Exhibit, now: Exhibit) -> int:
    """How many values differ; no picture is opened."""
    return sum(each.is_changed for each in _values(before.attempt, now.attempt))


def compared(exhibit: Exhibit) -> Comparison | None:
    before = last_signed(exhibit)
    if before is None:
        return None
    values = tuple(_values(before.attempt, exhibit.attempt))
    return Comparison(before, values, tuple(_pictures(before.attempt, exhibit.attempt)))


def _values(before: Attempt, now: Attempt) -> Iterator[ValuePair]:
    old, new = (dict(each.fields.values_list("path", "value")) for each in (before, now))
    for path in dict.fromkeys([*new, *old]):
        yield ValuePair(path, old.get(path), new.get(path))


def _pictures(before: Attempt, now: Attempt) -> Iterator[PicturePair]:
    old = {row.label: row for row in showing.pictures_of(showing.files_of(before))}
    for row in showing.pictures_of(showing.files_of(now)):
        if row.label in old:
            yield _pair(old[row.label], row)


def _pair(before: Artifact, now: Artifact) -> PicturePair:
    if before.sha256 == now.sha256:
        return PicturePair(now.label, before, now)
    if max(row.width * row.height for row in (before, now)) > MOST_PIXELS:
        return PicturePair(now.label, before, now, problem="They are too large to be compared here.")
    store = artifacts.blobs()
    try:
        with store.open(before.sha256) as first, store.open(now.sha256) as second:
            boxes = changed_regions(first, second)
    except (Missing, NoPicture) as error:
        return PicturePair(now.label, before, now, problem=f"They could not be compared: {error}")
    return PicturePair(now.label, before, now, tuple(boxes[:MOST_BOXES]))
