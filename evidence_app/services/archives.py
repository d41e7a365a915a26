"""A run's folder as one ZIP, made while it is sent: nothing of it is held in memory or on disk as a whole."""

from __future__ import annotations

import io
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

from evidence_app.models import Attempt, Run
from evidence_app.models.run import SAMPLE_ENDED
from evidence_app.services import output, runs

CHUNK = 256 * 1024
# Compressed already: a second time costs time and saves nothing.
PACKED = frozenset({".png", ".jpg", ".jpeg", ".webp", ".zip", ".gz", ".pdf", ".xlsx", ".docx", ".mp4"})


class Outlet(io.RawIOBase):
    """Where a ZIP is written to, and taken from piece by piece. It cannot seek, so the ZIP is written as a stream."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: object, /) -> int:
        piece = bytes(memoryview(data))  # type: ignore[arg-type]
        self._pieces.append(piece)
        return len(piece)

    def taken(self) -> bytes:
        pieces, self._pieces = self._pieces, []
        return b"".join(pieces)


def zipped(run: Run) -> Iterator[bytes]:
    """The folder as it is now, under the run's own name."""
    _bring_up_to_date(run)
    folder, outlet = output.folder_of(run), Outlet()
    with zipfile.ZipFile(outlet, "w", allowZip64=True) as archive:
        for path in _files_in(folder):
            yield from _added(archive, outlet, path, f"{run.folder}/{path.relative_to(folder).as_posix()}")
    yield outlet.taken()


def _bring_up_to_date(run: Run) -> None:
    """What ended is written, as far as it is not there (another machine's disk, a folder that was lost)."""
    ended = Attempt.objects.filter(sample__run=run, status__in=SAMPLE_ENDED).select_related("sample__run__version")
    for attempt in ended.order_by("number").iterator(chunk_size=200):
        attempt.sample.run = run
        if not (output.sample_folder(attempt.sample) / "result.json").exists() or attempt.written_at is None:
            output.write_attempt(attempt)
    output.write_run(run)
    if run.status in runs.UNDER_WAY:  # it is not complete: upkeep writes it again at its end
        Run.objects.filter(pk=run.pk).update(written_at=None)


def _files_in(folder: Path) -> Iterator[Path]:
    """In a fixed order; half-written ones begin with a dot."""
    return (path for path in sorted(folder.rglob("*")) if path.is_file() and not path.name.startswith("."))


def _added(archive: zipfile.ZipFile, outlet: Outlet, path: Path, name: str) -> Iterator[bytes]:
    entry = zipfile.ZipInfo(name, time.gmtime(path.stat().st_mtime)[:6])
    entry.compress_type = zipfile.ZIP_STORED if path.suffix.lower() in PACKED else zipfile.ZIP_DEFLATED
    with path.open("rb") as source, archive.open(entry, "w", force_zip64=True) as target:
        while piece := source.read(CHUNK):
            target.write(piece)
            yield outlet.taken()
    yield outlet.taken()
