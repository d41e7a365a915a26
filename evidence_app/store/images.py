"""Pictures made of pictures: each is a new file that says how it was made and of what; the originals stay."""

from __future__ import annotations

import hashlib
import io
import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, BinaryIO

from PIL import Image, ImageChops, ImageDraw, ImageFont

THUMBNAIL = (320, 400)
# Full-page captures are long: far more pixels than Pillow takes for an attack by default.
MAX_PIXELS = 600_000_000
MAX_STITCHED = 1_500_000_000
DIFFERENT = 24  # of 255: from here on two pixels differ
_opening = Lock()

Box = tuple[int, int, int, int]  # x, y, width, height in pixels


class NoPicture(ValueError):
    """The bytes are no picture that can be read."""


@dataclass(frozen=True, slots=True)
class Derived:
    """A PNG that was made. `transform` names what was done and the SHA-256 of each picture it was made of."""

    data: bytes
    width: int
    height: int
    transform: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Print:
    """`scale`: pixels of it to one of the original."""

    data: bytes
    width: int
    height: int
    scale: float
    is_whole: bool


@dataclass(frozen=True, slots=True)
class Part:
    """Of a tile the rows `begin` up to `end` belong into the picture made of all."""

    data: bytes
    begin: int
    end: int


@dataclass(frozen=True, slots=True)
class Stamp:
    """What is written onto an exhibit."""

    url: str
    taken_at: str  # UTC, ISO 8601
    sample: str
    sha256: str  # of the picture that is stamped


def size_of(file: BinaryIO) -> tuple[int, int]:
    """Width and height in pixels, read from the head of the file."""
    with _opened(file) as picture:
        return picture.size


def thumbnail(file: BinaryIO) -> bytes:
    """The top of the picture, as PNG, at most 320 by 400 pixels."""
    with _opened(file) as picture:
        height = max(1, min(picture.height, int(picture.width * THUMBNAIL[1] / THUMBNAIL[0])))
        top = picture.crop((0, 0, picture.width, height)).convert("RGB")
    top.thumbnail(THUMBNAIL)
    return _png(top)


def stitched(parts: Sequence[Part]) -> Derived:
    """One below the other, never more than one of them unpacked in memory. NoPicture where they do not fit together."""
    sizes = {size_of(io.BytesIO(part.data))[0] for part in parts}
    height = sum(part.end - part.begin for part in parts)
    if len(sizes) != 1 or height <= 0:
        raise NoPicture("they are not all of one width" if sizes else "there are none")
    width = sizes.pop()
    if width * height > MAX_STITCHED:
        raise NoPicture(f"{width} by {height} pixels are too many")
    data = b"".join(_streamed(width, height, (_rows(part) for part in parts)))
    sources = [
        {"sha256": hashlib.sha256(part.data).hexdigest(), "rows": [part.begin, part.end]} for part in parts
    ]  # fmt: skip
    return Derived(data, width, height, {"name": "stitched", "sources": sources})


def stamped(file: BinaryIO, stamp: Stamp) -> Derived:
    """The picture as it is, above a band that says where, when and for which sample it was taken, and its hash."""
    with _opened(file) as picture:
        original = picture.convert("RGB")
    size = max(11, min(28, original.width // 60))
    font = ImageFont.load_default(size)
    lines = [
        f"URL  {stamp.url}", f"UTC  {stamp.taken_at}", f"Sample  {stamp.sample}", f"SHA-256  {stamp.sha256}",
    ]  # fmt: skip
    rows = [row for line in lines for row in _fitted(line, font, original.width - 2 * size)]
    step = int(size * 1.4)
    made = Image.new("RGB", (original.width, original.height + step * len(rows) + size), "white")
    made.paste(original, (0, 0))
    drawn = ImageDraw.Draw(made)
    drawn.line([(0, original.height), (original.width, original.height)], fill="black", width=2)
    for number, row in enumerate(rows):
        drawn.text((size, original.height + size // 2 + number * step), row, fill="black", font=font)
    written = {"url": stamp.url, "taken_at": stamp.taken_at, "sample": stamp.sample}
    return _derived(made, "stamped", [stamp.sha256], **written)


def redacted(file: BinaryIO, source: str, boxes: Sequence[Box]) -> Derived:
    """Black where the boxes are; nothing of what was there is left in the file. `source` is the picture's SHA-256."""
    with _opened(file) as picture:
        made = picture.convert("RGB")
    drawn = ImageDraw.Draw(made)
    for x, y, width, height in boxes:
        drawn.rectangle((x, y, x + width - 1, y + height - 1), fill="black")
    return _derived(made, "redacted", [source], boxes=[list(box) for box in boxes])


def difference(before: BinaryIO, after: BinaryIO, sources: tuple[str, str]) -> Derived:
    """The later picture, pale, with what differs from the earlier one in red."""
    with _opened(before) as first, _opened(after) as second:
        old, new = first.convert("RGB"), second.convert("RGB")
    size = (max(old.width, new.width), max(old.height, new.height))
    old, new = _enlarged(old, size), _enlarged(new, size)
    changed = ImageChops.difference(old, new).convert("L").point([255 if v > DIFFERENT else 0 for v in range(256)])
    made = Image.blend(new.convert("L").convert("RGB"), Image.new("RGB", size, "white"), 0.6)
    made.paste((220, 0, 0), mask=changed)
    return _derived(made, "difference", list(sources), pixels=changed.histogram()[255])


def printed(file: BinaryIO, width: int, height: int) -> Print:
    """As a JPEG for paper, at most so many pixels wide and, cut off at its foot, so many high."""
    with _opened(file) as picture:
        scale = min(1.0, width / picture.width)
        kept = min(picture.height, max(1, int(height / scale)))
        part, is_whole = picture.crop((0, 0, picture.width, kept)).convert("RGB"), kept == picture.height
    small = part.resize((max(1, int(part.width * scale)), max(1, int(part.height * scale))))
    target = io.BytesIO()
    small.save(target, "JPEG", quality=80)
    return Print(target.getvalue(), small.width, small.height, scale, is_whole)


def _derived(made: Image.Image, name: str, sources: Sequence[str], **more: Any) -> Derived:
    transform = {"name": name, "sources": [{"sha256": source} for source in sources], **more}
    return Derived(_png(made), made.width, made.height, transform)


def _png(picture: Image.Image) -> bytes:
    made = io.BytesIO()
    picture.save(made, "PNG", optimize=picture.width * picture.height < 1_000_000)
    return made.getvalue()


def _enlarged(picture: Image.Image, size: tuple[int, int]) -> Image.Image:
    made = Image.new("RGB", size, "white")
    made.paste(picture, (0, 0))
    return made


def _fitted(line: str, font: ImageFont.ImageFont | ImageFont.FreeTypeFont, width: int) -> list[str]:
    """Broken where it would not fit; letters that the font lacks as escapes, so that none is silently left out."""
    text = line.encode("latin-1", "backslashreplace").decode("latin-1")
    rows = []
    while text:
        fits = next((end for end in range(len(text), 1, -1) if font.getlength(text[:end]) <= width), 1)
        rows.append(text[:fits])
        text = text[fits:]
    return rows


def _rows(part: Part) -> bytes:
    """As a PNG has them: each row begins with the number of its filter, 0 for none."""
    with _opened(io.BytesIO(part.data)) as picture:
        piece = picture.crop((0, part.begin, picture.width, part.end)).convert("RGB")
    raw, length = piece.tobytes(), piece.width * 3
    return b"".join(b"\0" + raw[at : at + length] for at in range(0, len(raw), length))


def _streamed(width: int, height: int, pieces: Iterator[bytes]) -> Iterator[bytes]:
    yield b"\x89PNG\r\n\x1a\n"
    yield _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    packer = zlib.compressobj(6)
    for piece in pieces:
        if packed := packer.compress(piece):
            yield _chunk(b"IDAT", packed)
    yield _chunk(b"IDAT", packer.flush())
    yield _chunk(b"IEND", b"")


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


@contextmanager
def _opened(file: BinaryIO) -> Iterator[Image.Image]:
    """NoPicture for what cannot be read, or has too many pixels: Pillow's own limit, which warns, is too low for us."""
    try:
        with _unlimited():
            picture = Image.open(file)
        with picture:
            if picture.width * picture.height > MAX_PIXELS:
                raise NoPicture(f"{picture.width} by {picture.height} pixels are too many")
            yield picture
    except (OSError, SyntaxError, Image.DecompressionBombError) as error:
        raise NoPicture(str(error)) from error


@contextmanager
def _unlimited() -> Iterator[None]:
    with _opening:
        before, Image.MAX_IMAGE_PIXELS = Image.MAX_IMAGE_PIXELS, None
        try:
            yield
        finally:
            Image.MAX_IMAGE_PIXELS = before


def changed_regions(before: BinaryIO, after: BinaryIO, cell: int = 32) -> list[Box]:
    """Where the later picture differs from the earlier one: boxes on it, from the top, made of cells that touch."""
    with _opened(before) as first, _opened(after) as second:
        old, new = first.convert("RGB"), second.convert("RGB")
    size = (max(old.width, new.width), max(old.height, new.height))
    changed = ImageChops.difference(_enlarged(old, size), _enlarged(new, size)).convert("L")
    mask = changed.point([255 if v > DIFFERENT else 0 for v in range(256)])
    found = {
        (x, y)
        for y in range(-(-size[1] // cell))
        for x in range(-(-size[0] // cell))
        if mask.crop((x * cell, y * cell, (x + 1) * cell, (y + 1) * cell)).getbbox()
    }
    boxes = []
    while found:
        touching = _touching(found)
        left, top = min(x for x, _ in touching), min(y for _, y in touching)
        right, bottom = max(x for x, _ in touching) + 1, max(y for _, y in touching) + 1
        boxes.append((left * cell, top * cell, (right - left) * cell, (bottom - top) * cell))
    return sorted(boxes, key=lambda box: (box[1], box[0]))


def _touching(cells: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """Taken out of `cells`: one of them, and all that touch it, and so on."""
    grown, edge = set(), [cells.pop()]
    while edge:
        x, y = edge.pop()
        grown.add((x, y))
        near = {(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)} & cells
        cells -= near
        edge.extend(near)
    return grown
