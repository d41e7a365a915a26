"""Keeping what was captured: bytes into the store first, hashed in the same pass; then the rows, in one transaction."""

from __future__ import annotations

import mimetypes
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from evidence_app.agent.capturing import Capture, CapturedFile
from evidence_app.agent.events import Captured
from evidence_app.ledger.canonical import canonical, plain
from evidence_app.models import Artifact, Attempt
from evidence_app.models.evidence import ArtifactKind
from evidence_app.services import entries
from evidence_app.spec.samples import safe_name
from evidence_app.store import s3
from evidence_app.store.blobs import Blob, Blobs, FileBlobs
from evidence_app.store.images import NoPicture, thumbnail
from evidence_app.store.s3 import S3Blobs
from recipes_app.services.errors import WrongState
from recipes_app.services.runs import Claim

__all__ = ["Changed", "Kept", "blobs", "keep", "plain"]

ENDINGS = {
    "image/png": ".png", "text/plain": ".txt", "application/json": ".json", "multipart/related": ".mhtml",
    "application/pdf": ".pdf", "text/csv": ".csv", "text/html": ".html",
}  # fmt: skip
PICTURES = (ArtifactKind.SCREENSHOT, ArtifactKind.STITCHED)


class Changed(WrongState):
    """A file is not what it was when it arrived."""


@dataclass(frozen=True, slots=True)
class Kept:
    """One file in the store, not yet a row."""

    file: CapturedFile
    blob: Blob


def blobs() -> Blobs:
    return _bucket(settings.EVIDENCE_STORE) if settings.EVIDENCE_STORE else FileBlobs(settings.EVIDENCE_ROOT / "blobs")


@cache
def _bucket(address: str) -> S3Blobs:
    """A client of boto3 takes a while to make, and threads may share it."""
    bucket = s3.read_address(address)
    return S3Blobs(s3.connected(bucket), bucket)


def keep(*, claim: Claim, attempt: Attempt, event: Captured) -> list[Artifact]:
    """Whatever happens in between: a row never stands without its bytes. LostLease leaves bytes that nobody names."""
    store = blobs()
    kept = [Kept(file, _stored(store, file)) for file in event.capture.files]
    thumbnails = {at: store.put([made]) for at, each in enumerate(kept) if (made := _thumbnail(store, each, kept))}
    with transaction.atomic():
        claim.hold()
        rows = _rows(store, attempt, event, kept, thumbnails)
        if rows:
            entries.capture_kept(attempt, rows[0].seq)
        return rows


def _stored(store: Blobs, file: CapturedFile) -> Blob:
    with ExitStack() as stack:
        source: BinaryIO | list[bytes] = [file.data]
        if file.path:
            source = stack.enter_context(Path(file.path).open("rb"))
        blob = store.put(source)
    if file.sha256 and file.sha256 != blob.sha256:
        raise Changed(f"{file.name or file.kind} changed between its arrival and the store.")
    return blob


def _thumbnail(store: Blobs, kept: Kept, others: list[Kept]) -> bytes | None:
    if kept.file.kind not in PICTURES:
        return None
    # The first tile is the top of what was stitched; all of that may be more than fits into memory.
    tiles = (each for each in others if each.file.kind == ArtifactKind.TILE)
    top = next(tiles, kept) if kept.file.kind == ArtifactKind.STITCHED else kept
    with store.open(top.blob.sha256) as file:
        try:
            return thumbnail(file)
        except NoPicture:
            return None


def _rows(
    store: Blobs, attempt: Attempt, event: Captured, kept: list[Kept], thumbnails: Mapping[int, Blob]
) -> list[Artifact]:
    capture = event.capture
    number = (attempt.artifacts.order_by("-seq").values_list("seq", flat=True).first() or 0) + 1
    common = {
        "attempt": attempt,
        "seq": number,
        "label": capture.label[:120],
        "source_url": capture.url[:2000],
        "action_seq": event.seq,
        "capture": (capture.layout.capture if capture.layout else "")[:40],
        "taken_at": timezone.now(),
    }
    made: list[Artifact] = []
    for at, each in enumerate(kept):
        row = Artifact.objects.create(
            **common,
            kind=each.file.kind,
            name=_name(number, capture, each.file, made),
            sha256=each.blob.sha256,
            size=each.blob.size,
            media_type=each.file.media_type[:120],
            width=each.file.width,
            height=each.file.height,
            transform=plain(each.file.transform),
        )
        made.append(row)
        if at in thumbnails:
            _add_thumbnail(row, thumbnails[at])
    _name_sources(made)
    if made:
        _add_statement(store, attempt, event, made, common)
    return made


def _name_sources(made: list[Artifact]) -> None:
    """A picture that was made of others in this capture is derived from the first; its transform names them all."""
    names = {row.sha256: row for row in made if row.kind == ArtifactKind.TILE}
    for row in made:
        sources = [each for each in row.transform.get("sources", ()) if each["sha256"] in names]
        if sources:
            named = [{**each, "name": names[each["sha256"]].name} for each in sources]
            row.transform = {**row.transform, "sources": named}
            row.derived_from = names[sources[0]["sha256"]]
            row.save(update_fields=["transform", "derived_from"])


def _add_thumbnail(picture: Artifact, blob: Blob) -> None:
    Artifact.objects.create(
        attempt=picture.attempt,
        seq=picture.seq,
        label=picture.label,
        source_url=picture.source_url,
        action_seq=picture.action_seq,
        capture=picture.capture,
        taken_at=picture.taken_at,
        kind=ArtifactKind.THUMBNAIL,
        name=f"{picture.name.rpartition('.')[0]}.thumb.png",
        sha256=blob.sha256,
        size=blob.size,
        media_type="image/png",
        derived_from=picture,
        transform={"name": "thumbnail", "size": [320, 400]},
    )


def _add_statement(
    store: Blobs, attempt: Attempt, event: Captured, made: list[Artifact], common: Mapping[str, Any]
) -> None:
    """What is known of the capture, with the hash of each of its files, in canonical form (RFC 8785)."""
    run = attempt.sample.run
    statement = {
        **plain(event.capture.statement),
        "run": run.public_id,
        "sample": attempt.sample.sample_id,
        "attempt": attempt.number,
        "step": event.seq,
        "task_spec": run.version.digest if run.version else "",
        "label": event.capture.label,
        "url": event.capture.url,
        "quality": plain(event.capture.quality),
        "artifacts": [
            {
                "name": row.name,
                "sha256": row.sha256,
                "size": row.size,
                "media_type": row.media_type,
                "role": row.kind,
                **({"made": row.transform} if row.transform else {}),
            }
            for row in made
        ],
    }
    data = canonical(statement)
    blob = store.put([data])
    number = common["seq"]
    Artifact.objects.create(
        **common,
        kind=ArtifactKind.STATEMENT,
        name=f"{number:02}_{safe_name(event.capture.label)}.statement.json",
        sha256=blob.sha256,
        size=blob.size,
        media_type="application/json",
        statement=statement,
    )


def _name(number: int, capture: Capture, file: CapturedFile, made: list[Artifact]) -> str:
    """NN_label.png for the picture, and names beside it for the rest; a download keeps its own name."""
    stem = safe_name(capture.label)
    if file.kind == ArtifactKind.DOWNLOAD:
        given = Path(file.name or "file")
        name = f"{number:02}_{safe_name(given.stem)}{_ending(file, given.suffix)}"
    elif file.kind in PICTURES:
        name = f"{number:02}_{stem}.png"
    elif file.kind == ArtifactKind.TILE:
        name = f"{number:02}_{stem}.tile_{file.transform.get('number', len(made)):02}.png"
    else:
        name = f"{number:02}_{stem}.{file.kind}{_ending(file)}"
    taken = {row.name for row in made}
    base, dot, ending = name.rpartition(".")
    count = 2
    while name in taken:
        name, count = f"{base}_{count}{dot}{ending}", count + 1
    return name


def _ending(file: CapturedFile, own: str = "") -> str:
    plain_own = safe_name(own.removeprefix("."), limit=10) if own.removeprefix(".") else ""
    if plain_own:
        return f".{plain_own}"
    return ENDINGS.get(file.media_type) or mimetypes.guess_extension(file.media_type) or ".bin"
