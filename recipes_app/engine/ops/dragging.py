"""The op drag: by the mouse, which serves HTML5 drag and drop and pointer listeners alike."""

from __future__ import annotations

import math

from recipes_app.browser.api import ElementHandle, FloatRect
from recipes_app.engine.act import Act
from recipes_app.engine.finding.outcome import Found
from recipes_app.engine.sentences import target_words
from recipes_app.engine.shapes import Offset, Target

MOVES = 8
# Many a page takes a press for a drag only after a few pixels.
FIRST_PX = 6
PAST_PX = 2

Point = tuple[float, float]


def drag(act: Act) -> None:
    source = act.find()
    to = act.get("to")
    goal = act.find(to) if isinstance(to, Target) else None
    if goal is not None and isinstance(to, Target):
        act.reach(goal, target_words(to), through=True)
    # Held before the press: what is dragged makes others change their places.
    held = goal.locator.element_handle(timeout=act.left_ms) if goal is not None else None
    act.reach(source)
    act.send()
    mouse = act.page.mouse
    x, y = centre(act, source)
    mouse.move(x, y)
    mouse.down()
    try:
        mouse.move(x + FIRST_PX, y + FIRST_PX, steps=2)
        end = destination(act, (x, y), to, held)
        mouse.move(*end, steps=MOVES)
        # HTML5 says dragover only once the pointer moves over the element again.
        for point in [end] if goal is None else past(end, (x, y)):
            mouse.move(*point)
    finally:
        mouse.up()


def past(end: Point, start: Point) -> list[Point]:
    """A little further on, across and then down: lists and grids that are sorted by dragging make room only then."""
    across, down = (
        math.copysign(PAST_PX, to - of) if abs(to - of) > 1 else 0 for of, to in zip(start, end, strict=True)
    )
    return [(end[0] + across, end[1]), (end[0] + across, end[1] + down)]


def destination(act: Act, start: Point, to: Target | Offset, held: ElementHandle | None) -> Point:
    if isinstance(to, Offset):
        return start[0] + to.x, start[1] + to.y
    if held is None:
        return start
    held.scroll_into_view_if_needed(timeout=act.left_ms)
    return middle(act, held.bounding_box())


def centre(act: Act, found: Found) -> Point:
    return middle(act, found.locator.bounding_box(timeout=act.left_ms))


def middle(act: Act, box: FloatRect | None) -> Point:
    if box is None:
        raise act.fail("missing", f"{act.words} went away before it could be dragged")
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
