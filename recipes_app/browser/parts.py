"""A part of a page that scrolls by itself and draws only the rows in view: taken in tiles while it is scrolled.

Two tiles count as verified only if they show the same where they meet, as tiles of a whole page do.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from PIL import Image
from playwright.sync_api import CDPSession, Page

from recipes_app.browser.answering import answer_within
from recipes_app.browser.layout import Placed, page_layout
from recipes_app.browser.picturing import OVERLAP, Box, differs, shoot
from recipes_app.browser.stage import Clock, ask

MAX_TILES = 40
PART_MS = 15_000.0
TURN_MS = 1500.0
WORDS_MS = 3000.0
BAR = 18  # CSS pixels on the right that may be a scroll bar


@dataclass(frozen=True, slots=True)
class PartTile:
    """What the part showed with `top` of what it holds scrolled away; `used`: its rows that belong into the whole."""

    data: bytes
    top: float
    shown: float
    used: tuple[float, float]
    verified: bool


@dataclass(slots=True)
class PartTiles:
    """`words` stand where the part stands: what is further down in it has no place on the picture of the page."""

    height: float = 0
    tiles: list[PartTile] = field(default_factory=list)
    words: list[Placed] = field(default_factory=list)

    @property
    def verified(self) -> int:
        return sum(tile.verified for tile in self.tiles)

    @property
    def is_whole(self) -> bool:
        last = self.tiles[-1] if self.tiles else None
        return last is not None and last.top + last.shown >= self.height - 1 and self.verified == len(self.tiles)


def shoot_part(page: Page, target: CDPSession, clock: Clock, at: int, scale: float) -> PartTiles:
    """Of the part with that number, from its top down until it, the time or the number of tiles ends."""
    limit, made, top = Clock(clock.ms(PART_MS) / 1000), PartTiles(), 0.0
    shots: list[tuple[bytes, float, float]] = []
    while len(shots) < MAX_TILES and not limit.is_over:
        seen = ask(page.main_frame, limit, "turn", TURN_MS, at=at, top=top)
        x, y, width, height = (float(side) for side in seen["box"])
        if shots and float(seen["top"]) <= shots[-1][1]:
            break
        shots.append((shoot(target, limit, (x, y, width, height), scale, beyond=False), float(seen["top"]), height))
        made.height = float(seen["height"])
        _add_words(made, page, limit, (x, y, width, height))
        if float(seen["top"]) + height >= made.height - 1:
            break
        top = float(seen["top"]) + height - OVERLAP
    made.tiles = _joined(shots, scale)
    return made


def _add_words(made: PartTiles, page: Page, clock: Clock, box: Box) -> None:
    known = {word.text for word in made.words}
    with answer_within(clock.ms(WORDS_MS)):
        words, _ = page_layout(page)
    x, y, width, height = box
    for word in words:
        is_inside = x <= word.x + word.width / 2 <= x + width and y <= word.y + word.height / 2 <= y + height
        if is_inside and word.text not in known:
            made.words.append(word._replace(x=x, y=y, width=width, height=height))


def _joined(shots: Sequence[tuple[bytes, float, float]], scale: float) -> list[PartTile]:
    if not shots:
        return []
    data, top, shown = shots[0]
    tiles = [PartTile(data, top, shown, (0, shown), verified=True)]
    for (before, above, high), (data, top, shown) in pairwise(shots):
        overlap = above + high - top
        agree = overlap >= 1 and not differs(_rows(before, high - overlap, high, scale), _rows(data, 0, overlap, scale))
        tiles.append(PartTile(data, top, shown, (max(0.0, overlap), shown), verified=agree))
    return tiles


def _rows(data: bytes, first: float, last: float, scale: float) -> Image.Image:
    with Image.open(io.BytesIO(data)) as picture:
        width = max(1, picture.width - round(BAR * scale))
        return picture.crop((0, round(first * scale), width, round(last * scale))).convert("RGB")
