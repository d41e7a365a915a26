"""The text of a page with the place of each piece, taken together with its picture."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

Box = tuple[float, float, float, float]  # x, y, width, height, in CSS pixels from the top left of the whole page


@dataclass(frozen=True, slots=True)
class Piece:
    """One line of a text node, the value of a control, or an address. `kind`: "text", "control", "link"."""

    text: str
    box: Box
    kind: str = "text"


@dataclass(frozen=True, slots=True)
class Layout:
    """`scale` is how many pixels of the picture one CSS pixel is; `capture` names the capture it was taken with."""

    url: str
    pieces: tuple[Piece, ...]
    capture: str = ""
    scale: float = 1.0
    step: int | None = None

    def as_dict(self) -> dict[str, Any]:
        return {
            "url": self.url,
            "capture": self.capture,
            "scale": self.scale,
            "step": self.step,
            "pieces": [[each.text, *each.box, each.kind] for each in self.pieces],
        }


def layout_from(data: Mapping[str, Any]) -> Layout:
    return Layout(
        str(data.get("url", "")),
        tuple(pieces_from(data.get("pieces", ()))),
        str(data.get("capture", "")),
        float(data.get("scale", 1.0)),
        data.get("step"),
    )


def pieces_from(rows: Iterable[Any]) -> Iterable[Piece]:
    for text, x, y, width, height, kind in rows:
        yield Piece(str(text), (float(x), float(y), float(width), float(height)), str(kind))
