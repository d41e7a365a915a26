"""The op drag: by the mouse, which serves HTML5 drag and drop and pointer listeners alike."""

from __future__ import annotations

from recipes_app.engine.act import Act
from recipes_app.engine.finding.outcome import Found
from recipes_app.engine.shapes import Offset, Target

MOVES = 8
# Many a page takes a press for a drag only after a few pixels.
FIRST_PX = 6

Point = tuple[float, float]


def drag(act: Act) -> None:
    source = act.find()
    to = act.get("to")
    goal = act.find(to) if isinstance(to, Target) else None
    if goal is not None:
        act.reach(goal)
    act.reach(source)
    act.send()
    mouse = act.page.mouse
    x, y = centre(act, source)
    mouse.move(x, y)
    mouse.down()
    try:
        mouse.move(x + FIRST_PX, y + FIRST_PX, steps=2)
        end = destination(act, (x, y), to, goal)
        mouse.move(*end, steps=MOVES)
        # HTML5 says dragover only once the pointer moves over the element again.
        mouse.move(*end)
    finally:
        mouse.up()


def destination(act: Act, start: Point, to: Target | Offset, goal: Found | None) -> Point:
    if isinstance(to, Offset):
        return start[0] + to.x, start[1] + to.y
    if goal is None:
        return start
    goal.locator.scroll_into_view_if_needed(timeout=act.left_ms)
    return centre(act, goal)


def centre(act: Act, found: Found) -> Point:
    box = found.locator.bounding_box(timeout=act.left_ms)
    if box is None:
        raise act.fail("missing", f"{act.words} went away before it could be dragged")
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
