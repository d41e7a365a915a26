"""Files that calls brought back: copied piece by piece, hashed while written, kept and removed with the call."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.files import File
from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import Sum
from django.http import FileResponse, Http404
from django.utils import timezone

from recipes_app.engine.events import Downloaded
from recipes_app.models import Job, JobFile
from recipes_app.services.errors import WrongState

if TYPE_CHECKING:
    Bytes = File[bytes]
else:
    Bytes = File

MB = 1024 * 1024
# A call may bring several files; together as much as so many of the largest size.
FILES_WORTH = 10
SAVED_ONLY = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "private, no-store",
}
# What a browser may be told a file is; anything else is only bytes.
MEDIA_TYPE = re.compile(r"[a-z0-9][\w.+-]{0,60}/[\w.+-]{1,60}", re.ASCII)
UNSAFE_IN_NAMES = re.compile(r'[\x00-\x1f\x7f/\\:*?"<>|\u202a-\u202e\u2066-\u2069]+')


class Hashed(Bytes):
    """A file whose sha256 and size are those of the bytes that really passed."""

    def __init__(self, path: Path) -> None:
        super().__init__(path.open("rb"), name=path.name)
        self.sha256 = hashlib.sha256()
        self.passed = 0

    def chunks(self, chunk_size: int | None = None) -> Iterator[bytes]:
        for chunk in super().chunks(chunk_size or MB):
            self.sha256.update(chunk)
            self.passed += len(chunk)
            yield chunk


def largest() -> int:
    """Bytes of one file."""
    return int(settings.MAX_DOWNLOAD_MB) * MB


def keep(job: Job, event: Downloaded, *, hold: Callable[[], None]) -> JobFile:
    """`hold` raises where the job is no longer ours: then neither a row nor a file stays. WrongState: too large."""
    refuse_too_much(job, event.size)
    stored, content = _store(Path(event.path))
    try:
        with transaction.atomic():
            hold()
            return JobFile.objects.create(
                job=job,
                key=event.key[:120],
                name=safe_name(event.name),
                file=stored,
                media_type=event.media_type if MEDIA_TYPE.fullmatch(event.media_type) else "",
                size=content.passed,
                sha256=content.sha256.hexdigest(),
                url=event.url[:2000],
            )
    except BaseException:
        default_storage.delete(stored)
        raise


def refuse_too_much(job: Job, size: int) -> None:
    kept = job.files.aggregate(all=Sum("size"))["all"] or 0
    if size > largest() or kept + size > FILES_WORTH * largest():
        most = settings.MAX_DOWNLOAD_MB
        raise WrongState(f"The files of one call may have {most} MB each and {FILES_WORTH * most} MB in all.")


def forget(jobs: Iterable[int]) -> None:
    """Rows and, once they are gone for good, files: of jobs that are removed, or begin again."""
    rows = JobFile.objects.filter(job__in=jobs)
    for name in list(rows.values_list("file", flat=True)):
        transaction.on_commit(partial(default_storage.delete, name), robust=True)
    rows.delete()


def sent(row: JobFile) -> FileResponse:
    """To be saved and never shown: what came from a site must not act in this one's name."""
    try:
        content = row.file.open("rb")
    except OSError as error:
        raise Http404(f"The file {row.name} is not there any more.") from error
    media_type = row.media_type or "application/octet-stream"
    return FileResponse(content, as_attachment=True, filename=row.name, content_type=media_type, headers=SAVED_ONLY)


def safe_name(name: str) -> str:
    """As a site calls it, without what would make it a path, or look like another name."""
    clean = UNSAFE_IN_NAMES.sub("_", name).strip(". ")
    stem, dot, ending = clean.rpartition(".")
    return f"{stem[:180]}{dot}{ending[:20]}" if stem else clean[:200] or "file"


def _store(path: Path) -> tuple[str, Hashed]:
    with Hashed(path) as content:
        try:
            return default_storage.save(f"downloads/{timezone.now():%Y/%m}/{secrets.token_hex(16)}", content), content
        except OSError as error:
            raise WrongState(f"Files cannot be kept: {error.strerror or error}. See MEDIA_ROOT.") from error
