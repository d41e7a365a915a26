"""Pictures of a page that can be trusted: one where the browser can draw it whole, overlapping tiles where it cannot.

Past some size Chromium still gives a picture of the right dimensions and draws the wrong things into it. So a tall page
is scrolled, each view of it is a tile, and two neighbours count as verified only if they show the same where they meet.
"""

from __future__ import annotations

import base64
import io
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from PIL import Image, ImageChops
from playwright.sync_api import CDPSession, Page

from recipes_app.browser.answering import answer_within
from recipes_app.browser.stage import Clock, ask

MAX_SIDE = 16_000  # device pixels
MAX_WIDTH = 6000  # CSS pixels
MAX_AREA = 60_000_000  # device pixels
SHOT_MS = 15_000.0
TILES_MS = 28_000.0
MAX_TILES = 90
OVERLAP = 48
SAME = 16  # of 255: what a channel may differ by
DIFFERENT = 0.005  # of the pixels compared

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class View:
    """The page as it was measured, in CSS pixels; `scale` is how many pixels of a picture one of them is."""

    width: int
    height: int
    window: tuple[int, int]
    scale: float

    @property
    def is_tall(self) -> bool:
        return self.height * self.scale > MAX_SIDE or self.height * self.pictured * self.scale**2 > MAX_AREA

    @property
    def pictured(self) -> int:
        """How much of the width a picture of the whole page shows."""
        return max(self.window[0], min(self.width, MAX_WIDTH))


@dataclass(slots=True)
class Tile:
    """One view of the page at `y`. `used`: the rows of it that belong into the picture made of all, in CSS pixels.

    `verified`: it shows the same as the tile before it where both show the same part of the page.
    """

    data: bytes
    y: float
    pinned: Sequence[Box]
    used: tuple[float, float] = (0, 0)
    verified: bool = False


@dataclass(slots=True)
class Tiled:
    """`repeats`: something stays in its place while the page is scrolled, and is seen in more than one tile."""

    tiles: list[Tile] = field(default_factory=list)
    covered: float = 0
    repeats: bool = False

    @property
    def verified(self) -> int:
        return sum(tile.verified for tile in self.tiles)


def size_of(data: bytes) -> tuple[int, int]:
    """Of a PNG, in pixels."""
    width, height = struct.unpack(">II", data[16:24])
    return int(width), int(height)


def shoot(target: CDPSession, clock: Clock, box: Box, scale: float, *, beyond: bool) -> bytes:
    """A part of the page as PNG. Not by Playwright's screenshot, which waits for fonts that may never come."""
    x, y, width, height = box
    clip = {"x": x, "y": y, "width": width, "height": height, "scale": scale}
    given: dict[str, Any] = {"format": "png", "clip": clip, "captureBeyondViewport": beyond, "optimizeForSpeed": True}
    with answer_within(clock.ms(SHOT_MS)):
        return base64.b64decode(target.send("Page.captureScreenshot", given)["data"])


def shoot_tiles(page: Page, target: CDPSession, clock: Clock, view: View) -> Tiled:
    """From the top down until the page, the time or the number of tiles ends."""
    limit = Clock(clock.ms(TILES_MS) / 1000)
    tiled = Tiled()
    y, is_over = 0.0, False
    while not is_over and len(tiled.tiles) < MAX_TILES and not limit.is_over:
        tile = _tile(page, target, limit, view, y)
        before = tiled.tiles[-1] if tiled.tiles else None
        if before is not None and (missed := _missed(before, tile, view)) > 0:
            # A bar that appeared on the way covers what the two should both show.
            tile = _tile(page, target, limit, view, tile.y - missed)
        if before is not None and tile.y <= before.y:
            break
        tiled.tiles.append(tile)
        is_over = tile.y + view.window[1] >= view.height - 1
        y = min(tile.y + view.window[1] - sum(_bars(tile, view)) - OVERLAP, view.height - view.window[1])
    _join(tiled, view)
    return tiled


def _tile(page: Page, target: CDPSession, clock: Clock, view: View, y: float) -> Tile:
    seen = ask(page.main_frame, clock, "scroll", x=0, y=y)
    box = (float(seen["x"]), float(seen["y"]), float(view.window[0]), float(view.window[1]))
    data = shoot(target, clock, box, view.scale, beyond=False)
    return Tile(data, float(seen["y"]), tuple((each[0], each[1], each[2], each[3]) for each in seen["pinned"]))


def _bars(tile: Tile, view: View) -> tuple[float, float]:
    """How high the bars are that stand at the top and at the bottom of the window, one upon the other."""
    width, height = view.window
    bars = [box for box in tile.pinned if box[2] >= width * 0.5 and box[3] <= height * 0.4]
    top, bottom = 0.0, 0.0
    for box in sorted(bars, key=lambda box: box[1]):
        if box[1] <= top + 1:
            top = max(top, box[1] + box[3])
    for box in sorted(bars, key=lambda box: -box[1] - box[3]):
        if box[1] > height * 0.5 and box[1] + box[3] >= height - bottom - 1:
            bottom = max(bottom, height - box[1])
    return min(top, height * 0.4), min(bottom, height * 0.4)


def _missed(before: Tile, tile: Tile, view: View) -> float:
    """How much further up the tile would have to begin for the two to overlap as they should."""
    end = before.y + view.window[1] - _bars(before, view)[1]
    begin = tile.y + _bars(tile, view)[0]
    return max(0.0, begin + OVERLAP / 2 - end)


def _join(tiled: Tiled, view: View) -> None:
    tiles, height = tiled.tiles, float(view.window[1])
    if not tiles:
        return
    tiles[0].verified, cuts = True, [0.0]
    for before, tile in pairwise(tiles):
        begin = tile.y + _bars(tile, view)[0]
        end = before.y + height - _bars(before, view)[1]
        tile.verified = end - begin >= 1 and _agree(before, tile, (begin, end), view)
        cuts.append(max(min((begin + end) / 2, end), before.y))
    cuts.append(min(tiles[-1].y + height, float(view.height)))
    for tile, (begin, end) in zip(tiles, pairwise(cuts), strict=True):
        tile.used = (begin - tile.y, end - tile.y)
    tiled.covered = cuts[-1]
    tiled.repeats = any(_others(tile, view) for tile in tiles)


def _agree(before: Tile, tile: Tile, rows: tuple[float, float], view: View) -> bool:
    """Whether both show the same there, but for what stays in its place while the page is scrolled."""
    first, second = (_strip(each, rows, view) for each in (before, tile))
    height = min(first.height, second.height)
    if height < 1 or first.width != second.width:
        return False
    area = (0, 0, first.width, height)
    difference = ImageChops.difference(first.crop(area), second.crop(area)).convert("L")
    different = difference.point([255 if value > SAME else 0 for value in range(256)])
    for each in (before, tile):
        for box in _others(each, view):
            top = each.y + box[1] - rows[0]
            place = tuple(
                round(side * view.scale) for side in (box[0] - 1, top - 1, box[0] + box[2] + 1, top + box[3] + 1)
            )
            different.paste(0, (place[0], place[1], place[2], place[3]))
    return different.histogram()[255] <= DIFFERENT * first.width * height


def differs(first: Image.Image, second: Image.Image) -> bool:
    """Whether two pictures of the same size show something else, noise apart."""
    area = (0, 0, min(first.width, second.width), min(first.height, second.height))
    different = ImageChops.difference(first.crop(area), second.crop(area)).convert("L")
    return sum(different.histogram()[SAME + 1 :]) > DIFFERENT * area[2] * area[3]


def _strip(tile: Tile, rows: tuple[float, float], view: View) -> Image.Image:
    with Image.open(io.BytesIO(tile.data)) as picture:
        top, bottom = (round((row - tile.y) * view.scale) for row in rows)
        return picture.crop((0, max(0, top), picture.width, min(bottom, picture.height))).convert("RGB")


def _others(tile: Tile, view: View) -> list[Box]:
    """What stays in its place and is neither of the two bars."""
    top, bottom = _bars(tile, view)
    height = view.window[1]
    return [box for box in tile.pinned if box[1] + box[3] > top + 1 and box[1] < height - bottom - 1]
