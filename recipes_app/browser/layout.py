"""The words of a page with their places: what a value is looked for in, and shown at on a picture."""

from __future__ import annotations

import json
from typing import NamedTuple

from playwright.sync_api import Error, Frame, Page

from recipes_app.browser.answering import frames_that_answer
from recipes_app.browser.scripts import script

WALK = script("layout.js")
LIMIT = 400_000  # characters
LIMIT_MS = 6000
# The part of the outer document where a frame shows its own, in that document's pixels.
SEAT = """(frame) => {
  const box = frame.getBoundingClientRect();
  const style = getComputedStyle(frame);
  const isShown = frame.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  if (!box.width || !box.height || !isShown) return null;
  const zoom = box.width / frame.offsetWidth;
  const inset = (side) => zoom * (parseFloat(style[`border${side}Width`]) + parseFloat(style[`padding${side}`]));
  const [left, top] = [inset("Left"), inset("Top")];
  return {
    x: box.x + scrollX + left, y: box.y + scrollY + top, zoom,
    width: box.width - left - inset("Right"), height: box.height - top - inset("Bottom"),
  };
}"""


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
        try:
            seat = _seat(frame)
            if seat is None:
                continue
            found = json.loads(frame.evaluate(WALK, {"limit": limit, "limit_ms": LIMIT_MS}))
        except Error:
            if frame is page.main_frame:
                raise
            complete = False  # it went away while it was read
            continue
        complete = complete and bool(found["complete"])
        pieces += [placed for row in found["pieces"] if (placed := seat.place(Placed(*row))) is not None]
    return tuple(pieces), complete


class Seat(NamedTuple):
    """Where a frame's document is on the whole page: what is seen of it, how far it is scrolled, how much enlarged."""

    x: float = 0.0
    y: float = 0.0
    width: float = float("inf")
    height: float = float("inf")
    scrolled: tuple[float, float] = (0.0, 0.0)
    zoom: float = 1.0

    def place(self, inner: Placed) -> Placed | None:
        """None for what the frame does not show."""
        x, y = (inner.x - self.scrolled[0]) * self.zoom, (inner.y - self.scrolled[1]) * self.zoom
        right, bottom = min(x + inner.width * self.zoom, self.width), min(y + inner.height * self.zoom, self.height)
        if self.width == float("inf"):
            return inner._replace(x=x + self.x, y=y + self.y)
        x, y = max(x, 0.0), max(y, 0.0)
        if right <= x or bottom <= y:
            # Further down in the frame: it has the place of the frame.
            return inner._replace(x=self.x, y=self.y, width=self.width, height=self.height)
        return inner._replace(x=x + self.x, y=y + self.y, width=right - x, height=bottom - y)


def _seat(frame: Frame) -> Seat | None:
    """None for a frame that is not shown."""
    outer = frame.parent_frame
    if outer is None:
        return Seat()
    above = _seat(outer)
    seen = frame.frame_element().evaluate(SEAT)
    if above is None or seen is None:
        return None
    zoom, scrolled = float(seen["zoom"]), frame.evaluate("() => [scrollX, scrollY]")
    place = above.place(Placed("", seen["x"], seen["y"], seen["width"], seen["height"], "text"))
    if place is None:
        return None
    return Seat(place.x, place.y, place.width, place.height, (scrolled[0], scrolled[1]), zoom * above.zoom)
