"""The words of a page with their places: what a value is looked for in, and shown at on a picture."""

from __future__ import annotations

from typing import NamedTuple

from playwright.sync_api import Error, Frame, Page

from recipes_app.browser.answering import frames_that_answer
from recipes_app.browser.scripts import script

WALK = script("layout.js")
LIMIT = 400_000  # characters


class Placed(NamedTuple):
    """One line of text, a control's value or a link's address. Places in CSS pixels of the whole page."""

    text: str
    x: float
    y: float
    width: float
    height: float
    kind: str  # text, control, link


def page_layout(page: Page, *, limit: int = LIMIT) -> tuple[tuple[Placed, ...], bool]:
    """Every shown frame's, in document order, and whether that is all of it. Passwords are never among them."""
    pieces: list[Placed] = []
    complete = True
    for frame in frames_that_answer(page):
        origin = _origin(page, frame)
        if origin is None:
            continue
        try:
            found = frame.evaluate(WALK, {"limit": limit})
        except Error:
            if frame is page.main_frame:
                raise
            complete = False  # it went away while it was read
            continue
        complete = complete and bool(found["complete"])
        pieces += [
            Placed(text, x + origin[0], y + origin[1], width, height, kind)
            for text, x, y, width, height, kind in found["pieces"]
        ]
    return tuple(pieces), complete


def _origin(page: Page, frame: Frame) -> tuple[float, float] | None:
    """Where the frame's document begins on the whole page; None for a frame that is not shown."""
    if frame is page.main_frame:
        return 0.0, 0.0
    try:
        box = frame.frame_element().bounding_box()
        if box is None:
            return None
        x, y = page.evaluate("() => [scrollX, scrollY]")
        inner_x, inner_y = frame.evaluate("() => [scrollX, scrollY]")
    except Error:
        return None
    return box["x"] + x - inner_x, box["y"] + y - inner_y
