"""Pictures made of pictures: each is a new file, the original stays as it is."""

from __future__ import annotations

import io
from typing import BinaryIO

from PIL import Image

THUMBNAIL = (320, 400)
# Full-page captures are long: far more pixels than Pillow takes for an attack by default.
MAX_PIXELS = 600_000_000


class NoPicture(ValueError):
    """The bytes are no picture that can be read."""


def size_of(file: BinaryIO) -> tuple[int, int]:
    """Width and height in pixels, read from the head of the file."""
    with _opened(file) as picture:
        return picture.size


def thumbnail(file: BinaryIO) -> bytes:
    """The top of the picture, as PNG, at most 320 by 400 pixels."""
    with _opened(file) as picture:
        width = picture.width
        height = min(picture.height, int(width * THUMBNAIL[1] / THUMBNAIL[0]))
        top = picture.crop((0, 0, width, height)).convert("RGB")
    top.thumbnail(THUMBNAIL)
    made = io.BytesIO()
    top.save(made, "PNG", optimize=True)
    return made.getvalue()


def _opened(file: BinaryIO) -> Image.Image:
    before = Image.MAX_IMAGE_PIXELS
    Image.MAX_IMAGE_PIXELS = MAX_PIXELS
    try:
        return Image.open(file)
    except (OSError, ValueError, Image.DecompressionBombError) as error:
        raise NoPicture(str(error)) from error
    finally:
        Image.MAX_IMAGE_PIXELS = before
