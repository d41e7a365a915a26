"""Captured pictures on paper: as wide as the page, going on on the next, with boxes around what was read on them."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from reportlab.lib import colors
from reportlab.lib.units import mm
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable

# Less of a picture than that is not begun at the foot of a page.
LEAST = 55 * mm
FOUND = colors.HexColor("#b3261e")
LABEL_SIZE = 6


@dataclass(frozen=True, slots=True)
class Marked:
    """A box in pixels of the original picture, and what is said beside it."""

    text: str
    box: tuple[float, float, float, float]  # x, y, width, height


class Printed(Flowable):  # type: ignore[misc]
    """`height` points of the picture from `top` on, `width` points wide; `scale`: points to a pixel of the original."""

    def __init__(
        self, picture: ImageReader, size: tuple[float, float], marks: Sequence[Marked], scale: float, font: str
    ) -> None:
        super().__init__()
        self.picture, self.whole, self.marks, self.scale, self.font = picture, size, tuple(marks), scale, font
        self.width, self.height, self.top = size[0], size[1], 0.0

    def wrap(self, _width: float, _height: float) -> tuple[float, float]:
        return self.width, self.height

    def split(self, _width: float, height: float) -> list[Flowable]:
        if height < min(LEAST, self.height):
            return []
        return [self._part(self.top, height), self._part(self.top + height, self.height - height)]

    def _part(self, top: float, height: float) -> Printed:
        part = Printed(self.picture, self.whole, self.marks, self.scale, self.font)
        part.top, part.height = top, height
        return part

    def draw(self) -> None:
        canvas = cast(Canvas, self.canv)
        above = self.height + self.top  # the picture's upper edge, from the lower edge of this part
        canvas.saveState()
        self._clip(canvas)
        canvas.drawImage(self.picture, 0, above - self.whole[1], width=self.whole[0], height=self.whole[1])
        canvas.setStrokeColor(FOUND)
        canvas.setFillColor(FOUND)
        canvas.setLineWidth(0.8)
        canvas.setFont(self.font, LABEL_SIZE)
        for mark in self.marks:
            x, y, width, height = (each * self.scale for each in mark.box)
            canvas.rect(x - 1, above - y - height - 1, width + 2, height + 2, stroke=1, fill=0)
            canvas.drawString(max(0.0, x - 1), above - y + 2, mark.text)
        canvas.restoreState()
        canvas.setStrokeColor(colors.lightgrey)
        canvas.setLineWidth(0.25)
        canvas.rect(0, 0, self.width, self.height, stroke=1, fill=0)

    def _clip(self, canvas: Canvas) -> None:
        edge = canvas.beginPath()
        edge.rect(0, 0, self.width, self.height)
        canvas.clipPath(edge, stroke=0, fill=0)


def reader(data: bytes) -> Any:
    return ImageReader(io.BytesIO(data))
