"""What was collected so far, and where each value was seen: it goes into the checkpoint and comes back from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evidence_app.agent.completeness import Collected
from evidence_app.agent.grounding import Grounded, Pages, folded
from evidence_app.agent.labels import Wanted, place_of
from evidence_app.agent.layout import Box, Layout
from evidence_app.agent.merge import merged
from evidence_app.spec.values import leaves

MAX_TEXTS = 40
MAX_SIGHTINGS = 5000
TEXT_KEPT = 500


@dataclass(frozen=True, slots=True)
class Sighting:
    """One value on one page: how it was found there, at which step, and on which capture, if one shows it."""

    how: str
    url: str
    seq: int
    capture: str = ""
    box: Box | None = None

    def as_dict(self) -> dict[str, Any]:
        return {"how": self.how, "url": self.url, "seq": self.seq, "capture": self.capture, "box": self.box}


@dataclass(slots=True)
class Progress:
    """`labels` are those of the captures, `texts` what extract read, `hashes` of the captures' pictures.

    `losses` are what captures do not show of their pages: {"label", "capture", "text"}.
    """

    extracted: dict[str, Any] = field(default_factory=dict)
    judgment: dict[str, Any] | None = None
    notes: list[str] = field(default_factory=list)
    milestones: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    losses: list[dict[str, str]] = field(default_factory=list)
    texts: list[dict[str, Any]] = field(default_factory=list)
    hashes: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    saves: int = 0
    sightings: dict[str, Sighting] = field(default_factory=dict)
    pages: Pages = field(default_factory=Pages)

    def save(self, extracted: Mapping[str, Any]) -> bool:
        """Whether it brought anything new."""
        joined = merged(self.extracted, dict(extracted))
        if joined == self.extracted:
            return False
        self.extracted = joined
        self.saves += 1
        return True

    def note_text(self, seq: int, name: str, text: str) -> None:
        self.texts = [*self.texts, {"step": seq, "name": name, "text": text[:TEXT_KEPT]}][-MAX_TEXTS:]

    def flawed(self, label: str, capture: str, flaws: Sequence[str]) -> None:
        """The newest capture under a label is the one that counts under it."""
        older = [{**each, "label": ""} if each["label"] == label else each for each in self.losses]
        self.losses = [*older, *({"label": label, "capture": capture, "text": f"{label}: {flaw}"} for flaw in flaws)]

    def saw(self, layout: Layout) -> None:
        self.pages.saw(layout)

    def look_for(self, extracted: Any) -> list[Any]:
        """Look for every value on the pages seen; those that no capture shows but some page did are given back."""
        unshown = []
        near: list[Box] = []
        for _, value in leaves(extracted, ""):
            found = self._best(value, near)
            if found is None:
                continue
            known = self.sightings.get(folded(str(value)))
            if known is None or (found.capture and not known.capture):
                self._keep(value, found)
                known = found
            if known.box:
                near = [*near, known.box][-4:]
            if not known.capture:
                unshown.append(value)
        return unshown

    def sighting_of(self, value: Any) -> Sighting | None:
        return self.sightings.get(folded(str(value)))

    def beside_label(self, value: Any, field: Wanted) -> tuple[Sighting, str] | None:
        """Where a field's value stands on the newest capture, beside its label if it does; and a note where not."""
        placed = place_of(self.captured(), value, field)
        return None if placed is None else (_sighting(Grounded(placed.how, box=placed.box), placed.layout), placed.note)

    def captured(self) -> Pages:
        return Pages([layout for layout in self.pages.layouts if layout.capture])

    def _best(self, value: Any, near: list[Box]) -> Sighting | None:
        for pages in (self.captured(), self.pages):
            grounded = pages.ground(value, near=near)
            if grounded.layout is not None:
                return _sighting(grounded, grounded.layout)
        return None

    def _keep(self, value: Any, sighting: Sighting) -> None:
        if len(self.sightings) < MAX_SIGHTINGS:
            self.sightings[folded(str(value))] = sighting

    def as_dict(self) -> dict[str, Any]:
        plain = {name: getattr(self, name) for name in PLAIN}
        return {**plain, "sightings": {key: each.as_dict() for key, each in self.sightings.items()}}


def _sighting(grounded: Grounded, layout: Layout) -> Sighting:
    box = grounded.box
    if box and layout.capture:
        box = (box[0] * layout.scale, box[1] * layout.scale, box[2] * layout.scale, box[3] * layout.scale)
    return Sighting(grounded.how, layout.url, layout.step or 0, layout.capture, box)


PLAIN = tuple(name for name in Progress.__dataclass_fields__ if name not in {"sightings", "pages"})


def progress_from(data: Mapping[str, Any]) -> Progress:
    progress = Progress(**{name: data[name] for name in PLAIN if name in data})
    for key, kept in data.get("sightings", {}).items():
        box = kept.get("box")
        place: Box | None = (box[0], box[1], box[2], box[3]) if box else None
        progress.sightings[key] = Sighting(kept["how"], kept["url"], kept["seq"], kept["capture"], place)
    return progress


def collected(progress: Progress, extracted: Mapping[str, Any], judgment: Mapping[str, Any] | None) -> Collected:
    """For the check of completeness: these values, with the pictures and milestones there are."""
    return Collected(extracted, judgment, frozenset(progress.labels), frozenset(progress.milestones))
