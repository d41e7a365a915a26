"""Pictures made of pictures: what they show, and what they say they were made of."""

import hashlib
import io

import pytest
from PIL import Image

from evidence_app.store.images import (
    MAX_PIXELS,
    NoPicture,
    Part,
    Stamp,
    difference,
    redacted,
    size_of,
    stamped,
    stitched,
    thumbnail,
)


def png(width: int, height: int, colour: tuple[int, int, int] = (10, 20, 30)) -> bytes:
    made = io.BytesIO()
    Image.new("RGB", (width, height), colour).save(made, "PNG")
    return made.getvalue()


def opened(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data)).convert("RGB")


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def test_a_thumbnail_is_the_top_of_a_long_picture() -> None:
    top, long = Image.new("RGB", (1280, 20_000), (0, 0, 255)), io.BytesIO()
    top.paste((255, 0, 0), (0, 0, 1280, 1600))
    top.save(long, "PNG")
    made = opened(thumbnail(io.BytesIO(long.getvalue())))
    assert made.size == (320, 400)
    assert made.getpixel((160, 390)) == (255, 0, 0)


def test_a_picture_larger_than_pillow_likes_is_read_without_a_warning() -> None:
    data = png(1280, 80_000)
    assert size_of(io.BytesIO(data)) == (1280, 80_000)
    assert opened(thumbnail(io.BytesIO(data))).size == (320, 400)


def test_a_picture_that_says_it_is_endless_is_refused() -> None:
    data = bytearray(png(10, 10))
    side = int(MAX_PIXELS**0.5) + 100
    data[16:24] = side.to_bytes(4, "big") * 2
    with pytest.raises(NoPicture):
        size_of(io.BytesIO(bytes(data)))


@pytest.mark.parametrize("data", [b"", b"no picture at all", png(30, 30)[:60]])
def test_what_is_no_picture_is_no_picture(data: bytes) -> None:
    with pytest.raises(NoPicture):
        thumbnail(io.BytesIO(data))


def test_tiles_become_one_picture_that_names_them_with_their_rows() -> None:
    tiles = [png(50, 40, (200, 0, 0)), png(50, 40, (0, 200, 0)), png(50, 40, (0, 0, 200))]
    made = stitched([Part(tiles[0], 0, 35), Part(tiles[1], 5, 35), Part(tiles[2], 5, 40)])
    shown = opened(made.data)
    assert shown.size == (made.width, made.height) == (50, 100)
    assert [shown.getpixel((25, row)) for row in (0, 34, 35, 64, 65, 99)] == [
        (200, 0, 0), (200, 0, 0), (0, 200, 0), (0, 200, 0), (0, 0, 200), (0, 0, 200),
    ]  # fmt: skip
    assert made.transform["name"] == "stitched"
    assert made.transform["sources"][1] == {"sha256": digest(tiles[1]), "rows": [5, 35]}


def test_tiles_of_several_widths_are_no_picture() -> None:
    with pytest.raises(NoPicture):
        stitched([Part(png(50, 40), 0, 40), Part(png(60, 40), 0, 40)])


def test_an_exhibit_is_the_picture_as_it_was_above_a_band_and_names_its_source() -> None:
    data = png(900, 300, (1, 2, 3))
    stamp = Stamp("https://example.test/" + "a" * 300, "2026-11-30T10:00:00Z", "Müller 報告", digest(data))
    made = stamped(io.BytesIO(data), stamp)
    shown = opened(made.data)
    assert shown.width == 900
    assert shown.crop((0, 0, 900, 299)).tobytes() == opened(data).crop((0, 0, 900, 299)).tobytes()
    band = shown.crop((0, 302, 900, shown.height)).convert("L")
    assert min(band.tobytes()) < 60, "something is written in the band"
    assert made.transform["sources"] == [{"sha256": digest(data)}]
    assert made.transform["sample"] == "Müller 報告"


def test_what_is_redacted_is_gone_and_nothing_else() -> None:
    data = png(100, 100, (250, 250, 250))
    made = redacted(io.BytesIO(data), digest(data), [(10, 20, 30, 5)])
    shown = opened(made.data)
    assert shown.getpixel((10, 20)) == shown.getpixel((39, 24)) == (0, 0, 0)
    assert shown.getpixel((40, 20)) == shown.getpixel((10, 25)) == (250, 250, 250)
    assert made.transform["boxes"] == [[10, 20, 30, 5]]


def test_a_difference_marks_what_changed_and_counts_it() -> None:
    before, after = png(60, 60, (255, 255, 255)), Image.new("RGB", (60, 60), (255, 255, 255))
    after.paste((0, 0, 0), (5, 5, 15, 25))
    later = io.BytesIO()
    after.save(later, "PNG")
    made = difference(io.BytesIO(before), io.BytesIO(later.getvalue()), (digest(before), digest(later.getvalue())))
    assert made.transform["pixels"] == 200
    assert opened(made.data).getpixel((6, 6)) == (220, 0, 0)
    assert made.transform["sources"] == [{"sha256": digest(before)}, {"sha256": digest(later.getvalue())}]
