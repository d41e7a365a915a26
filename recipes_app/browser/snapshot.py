"""What is on a page: every control, wherever it is, and the words."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import repeat, starmap
from types import MappingProxyType
from typing import Any

from playwright.sync_api import Error, Frame, Locator, Page

from recipes_app.browser.answering import frames_that_answer
from recipes_app.browser.scripts import with_aria

WALK = with_aria("snapshot.js")
TEXT_LIMIT = 200_000

COLUMNS = ("roles", "names", "tags", "types", "states", "hrefs", "boxes", "landmarks", "css", "known")
NOTHING: Mapping[str, Any] = MappingProxyType({})

FramePath = tuple[int, ...]
Point = tuple[float, float]
Box = tuple[float, float, float, float]


# Not frozen: there may be tens of thousands, and freezing makes each six times as slow to build.
@dataclass(slots=True)
class Element:
    """One thing to use, never changed once made.

    number counts within its own frame; frame: the way from the main frame, by child frames.

    by_role: get_by_role(role, name=name, exact=True) can find it; else role is only what a person would say it is.
    states: disabled checked mixed selected pressed expanded collapsed required readonly invalid hidden aria-hidden.
    box: x, y, width, height from the top left of the whole page. css may be "" and may be shared.
    """

    index: int
    role: str
    name: str
    tag: str
    type: str
    value: str | None
    states: tuple[str, ...]
    href: str
    box: Box
    frame: FramePath
    landmark: str
    attributes: Mapping[str, Any]
    css: str
    by_role: bool
    number: int


@dataclass(frozen=True, slots=True)
class Snapshot:
    """total: how many elements there are; more: how many of them a limit left out; kinds: how many of each role."""

    url: str
    title: str
    elements: tuple[Element, ...]
    text: str
    total: int
    more: int
    kinds: Mapping[str, int]


@dataclass(slots=True)
class _Gathered:
    limit: int | None
    elements: list[Element] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)
    title: str = ""

    @property
    def left(self) -> int | None:
        return None if self.limit is None else max(0, self.limit - len(self.elements))


def take_snapshot(page: Page, *, limit: int | None = None) -> Snapshot:
    """The whole page, main frame first, in document order, also what has to be scrolled to.

    limit: of more elements only their roles are counted.
    """
    gathered = _Gathered(limit)
    readable = frames_that_answer(page)
    for path, frame in walk_frames(page.main_frame):
        if frame in readable:
            _gather(gathered, path, frame)
    elements = tuple(gathered.elements)
    text = "\n".join(gathered.texts)[:TEXT_LIMIT]
    total = gathered.kinds.total()
    return Snapshot(page.url, gathered.title, elements, text, total, total - len(elements), dict(gathered.kinds))


def locate(page: Page, element: Element) -> Locator:
    """The very element of the last snapshot taken; it finds nothing once that element has left the page."""
    return frame_at(page, element.frame).locator(f"agentify-number={element.number}")


def frame_at(page: Page, path: FramePath) -> Frame:
    frame = page.main_frame
    for step in path:
        frame = frame.child_frames[step]
    return frame


def walk_frames(frame: Frame, path: FramePath = ()) -> Iterator[tuple[FramePath, Frame]]:
    yield path, frame
    for index, child in enumerate(frame.child_frames):
        yield from walk_frames(child, (*path, index))


def _gather(gathered: _Gathered, path: FramePath, frame: Frame) -> None:
    origin = _origin(frame)
    if origin is None:
        return
    try:
        raw = frame.evaluate(WALK, {"limit": gathered.left, "text_limit": TEXT_LIMIT})
    except Error:
        if not path:
            raise
        # An iframe that went away while it was read is not part of the page any more.
        return
    if not path:
        gathered.title = raw["title"]
    gathered.kinds.update(raw["kinds"])
    if raw["text"].strip():
        gathered.texts.append(raw["text"].strip())
    if raw["count"]:
        gathered.elements.extend(_elements(raw, len(gathered.elements), path, origin))


def _elements(raw: dict[str, Any], first: int, path: FramePath, origin: Point) -> Iterator[Element]:
    """From columns to elements; done for all of them at once because there may be tens of thousands."""
    count, lines = raw["count"], {name: raw[name].split("\n") for name in COLUMNS}
    values, attributes = json.loads(raw["values"]), json.loads(raw["attributes"])
    for kept in attributes.values():
        if "options" in kept:
            kept["options"] = kept["options"].split("\n")
    states = {text: tuple(text.split()) for text in set(lines["states"])}
    numbers = list(map(str, range(count)))
    root = "" if raw["origin"] == "null" else raw["origin"]
    columns = (
        range(first, first + count),
        lines["roles"],
        lines["names"],
        lines["tags"],
        lines["types"],
        map(values.get, numbers),
        map(states.__getitem__, lines["states"]),
        (root + href if href.startswith("/") else href for href in lines["hrefs"]),
        _boxes(lines["boxes"], origin),
        repeat(path),
        lines["landmarks"],
        (attributes.get(number, NOTHING) for number in numbers),
        lines["css"],
        map(bool, lines["known"]),
        range(count),
    )
    return starmap(Element, zip(*columns, strict=False))


def _boxes(lines: list[str], origin: Point) -> Iterator[Box]:
    lengths = list(map(float, " ".join(lines).split(" ")))
    left, top = origin
    xs = (x + left for x in lengths[0::4]) if left else lengths[0::4]
    ys = (y + top for y in lengths[1::4]) if top else lengths[1::4]
    return zip(xs, ys, lengths[2::4], lengths[3::4], strict=True)


def _origin(frame: Frame) -> Point | None:
    """Where the frame's document begins on the whole page; None for a frame that is not shown."""
    x = y = 0.0
    while frame.parent_frame is not None:
        try:
            left, top = frame.frame_element().evaluate(WHERE)
        except Error:
            return None
        if left is None:
            return None
        x, y, frame = x + left, y + top, frame.parent_frame
    return x, y


WHERE = """frame => {
  const box = frame.getBoundingClientRect();
  if (!frame.checkVisibility({ visibilityProperty: true }) || !box.width || !box.height) return [null, null];
  const view = frame.ownerDocument.defaultView;
  return [box.x + frame.clientLeft + view.scrollX, box.y + frame.clientTop + view.scrollY];
}"""
