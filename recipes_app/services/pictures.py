"""Pictures taken while a job ran: hashed first, stored once, then written down."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import transaction
from django.utils import timezone

from recipes_app.engine.events import Picture
from recipes_app.models import Job, JobPicture
from recipes_app.services.errors import WrongState

ENDINGS = {"image/png": "png", "image/jpeg": "jpg", "image/webp": "webp"}


def keep(job: Job, picture: Picture, *, hold: Callable[[], None]) -> JobPicture:
    """`hold` raises where the job is no longer ours: then neither a row nor a file stays."""
    sha256 = hashlib.sha256(picture.data).hexdigest()
    wanted = f"pictures/{timezone.now():%Y/%m}/{sha256}.{ENDINGS.get(picture.media_type, 'bin')}"
    try:
        stored = default_storage.save(wanted, ContentFile(picture.data))
    except OSError as error:
        raise WrongState(f"Pictures cannot be kept: {error.strerror or error}. See MEDIA_ROOT.") from error
    try:
        with transaction.atomic():
            hold()
            return JobPicture.objects.create(
                job=job,
                label=picture.label[:120],
                file=stored,
                media_type=picture.media_type,
                width=picture.width,
                height=picture.height,
                sha256=sha256,
            )
    except BaseException:
        default_storage.delete(stored)
        raise
