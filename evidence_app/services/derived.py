"""Pictures made of captured ones: rows of their own, which name their source; the originals stay as they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from datetime import UTC
from typing import Any

from django.db import transaction

from evidence_app.ledger.canonical import plain
from evidence_app.models import Artifact
from evidence_app.models.evidence import ArtifactKind
from evidence_app.services import artifacts, four_eyes, ledger, showing
from evidence_app.store import images
from evidence_app.store.images import Box, Derived, NoPicture, Stamp
from recipes_app.models import User
from recipes_app.models.team import RUNNERS, SIGNERS
from recipes_app.services import access
from recipes_app.services.errors import BadInput, NotAllowed, WrongState

MAKERS = RUNNERS | SIGNERS
MAX_PIXELS = 120_000_000  # unpacked in the web process: 360 MB
MAX_BOXES = 200
OF_PICTURES = frozenset({"image/png", "image/jpeg", "image/webp"})


def stamp(*, row: Artifact, by: User) -> Artifact:
    """The picture above a band with its address, time, sample and hash; the one there is, where it was made before."""
    made = row.derived.filter(kind=ArtifactKind.STAMPED, removed_at=None).first()
    if made is not None:
        return made
    taken_at = f"{row.taken_at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
    said = Stamp(row.source_url, taken_at, row.attempt.sample.sample_id, row.sha256)
    return _made(row, by, ArtifactKind.STAMPED, lambda files: images.stamped(files[0], said))


def redact(*, row: Artifact, boxes: Sequence[Box], by: User) -> Artifact:
    """A copy that is black where the boxes are; what was beneath is in it no more."""
    checked = _within(row, boxes)
    return _made(row, by, ArtifactKind.REDACTED, lambda files: images.redacted(files[0], row.sha256, checked))


def difference(*, before: Artifact, after: Artifact, by: User) -> Artifact:
    """The later picture with what differs from the earlier one in red; kept with the later."""
    if before.attempt.sample.run.team_id != after.attempt.sample.run.team_id:
        raise BadInput({"before": "Both pictures belong to one team."})
    known = after.derived.filter(kind=ArtifactKind.DIFFERENCE, removed_at=None)
    sources = (before.sha256, after.sha256)
    for row in known:
        if [each["sha256"] for each in row.transform.get("sources", ())] == list(sources):
            return row
    return _made(
        after, by, ArtifactKind.DIFFERENCE, lambda files: images.difference(files[1], files[0], sources), before
    )


def _made(
    row: Artifact, by: User, kind: ArtifactKind, make: Callable[[list[Any]], Derived], *more: Artifact
) -> Artifact:
    """`make` is given the opened files of `row` and `more`, whose bytes are still what was captured."""
    if not access.can(by, row.attempt.sample.run.team, MAKERS):
        raise NotAllowed("A viewer makes no pictures of evidence.")
    sources = [row, *more]
    for each in sources:
        _refuse_unfit(each)
    showing.refuse_changed(sources, by)
    store = artifacts.blobs()
    with ExitStack() as stack:
        try:
            picture = make([stack.enter_context(store.open(each.sha256)) for each in sources])
        except NoPicture as error:
            raise BadInput({"picture": f"{row.name} is no picture that can be read: {error}."}) from error
    blob = store.put([picture.data])
    return _keep(row, kind, picture, (blob.sha256, blob.size), by)


@transaction.atomic
def _keep(row: Artifact, kind: ArtifactKind, picture: Derived, stored: tuple[str, int], by: User) -> Artifact:
    """Its row, and the ledger's line about it; nobody else names one for this attempt meanwhile."""
    attempt = type(row.attempt).objects.select_for_update().get(pk=row.attempt_id)
    if Artifact.objects.filter(pk=row.pk, removed_at__isnull=False).exists():
        raise WrongState(f"{row.name} was deleted, as its task says.")
    transform = plain(picture.transform)
    made = Artifact.objects.create(
        attempt=attempt,
        seq=row.seq,
        kind=kind,
        label=row.label,
        name=_name(row, kind),
        sha256=stored[0],
        size=stored[1],
        media_type="image/png",
        width=picture.width,
        height=picture.height,
        source_url=row.source_url,
        action_seq=row.action_seq,
        capture=row.capture,
        derived_from=row,
        transform=transform,
    )
    ledger.append("derived.kept", _facts(row, made, transform, by), run=row.attempt.sample.run)
    return made


def _facts(row: Artifact, made: Artifact, transform: Mapping[str, Any], by: User) -> dict[str, Any]:
    sample = row.attempt.sample
    about = {name: getattr(made, name) for name in ("id", "name", "kind", "sha256", "size", "media_type")}
    return {
        "team": sample.run.team_id,
        "run": sample.run.public_id,
        "sample": sample.sample_id,
        "attempt": row.attempt.number,
        "artifact": {**about, "kind": str(made.kind)},
        "source": row.sha256,
        "transform": transform,
        "by": four_eyes.person(by),
    }


def _name(row: Artifact, kind: ArtifactKind) -> str:
    stem = f"{row.name.rpartition('.')[0] or row.name}"[:170]
    taken = set(row.attempt.artifacts.filter(name__startswith=stem).values_list("name", flat=True))
    name, count = f"{stem}.{kind}.png", 2
    while name in taken:
        name, count = f"{stem}.{kind}_{count}.png", count + 1
    return name


def _refuse_unfit(row: Artifact) -> None:
    if row.removed_at is not None:
        raise WrongState(f"{row.name} was deleted, as its task says.")
    if row.media_type not in OF_PICTURES or not row.width:
        raise BadInput({"picture": f"{row.name} is no picture."})
    if row.width * row.height > MAX_PIXELS:
        raise BadInput({"picture": f"{row.name} has {row.width} by {row.height} pixels, too many to work on."})


def _within(row: Artifact, boxes: Sequence[Box]) -> list[Box]:
    """Cut to the picture; BadInput where none of them touches it."""
    if len(boxes) > MAX_BOXES:
        raise BadInput({"boxes": f"At most {MAX_BOXES} places at once."})
    cut = []
    for x, y, width, height in boxes:
        left, top, right, bottom = max(0, x), max(0, y), min(row.width, x + width), min(row.height, y + height)
        if right > left and bottom > top:
            cut.append((left, top, right - left, bottom - top))
    if not cut:
        raise BadInput({"boxes": "Mark at least one place on the picture."})
    return cut
