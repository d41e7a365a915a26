"""Look at one page, whole: all frames and open shadow roots, one evaluate each, and one picture."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any, TypeVar

from recipes_app.browser.answering import frames_that_answer
from recipes_app.browser.api import Error, Frame, Page
from recipes_app.mapping.facts import (
    Box,
    DefinitionFacts,
    FormFacts,
    FrameFacts,
    ListFacts,
    PageSurvey,
    TableFacts,
    button_from,
    definition_from,
    form_from,
    link_from,
    list_from,
    pager_from,
    table_from,
)
from recipes_app.mapping.urls import shape_of

Placed = TypeVar("Placed", FormFacts, ListFacts, TableFacts, DefinitionFacts)

PARTS = ("walk.js", "forms.js", "lists.js", "page.js")
MAX_FRAMES = 12
PICTURE_HEIGHT = 4000
PICTURE_MS = 10_000
BUSY_LIMIT_MS = 5000


@dataclass(frozen=True, slots=True)
class FrameReport:
    """What the script said of one frame, where the frame is, and how to get to it."""

    facts: Mapping[str, Any]
    frames: tuple[FrameFacts, ...]
    left: float
    top: float


@cache
def script() -> str:
    source = files("recipes_app.mapping") / "js"
    body = "\n".join((source / part).read_text(encoding="utf-8") for part in PARTS)
    return f"(opts) => {{\n{body}\n}}"


def survey_page(
    page: Page, *, url: str = "", depth: int = 0, status: int = 200, picture: bool = True, least: int = 2
) -> PageSurvey:
    """Everything the rules need of the page as it stands now. `least`: how many marked entries make a list."""
    problems: list[str] = []
    reports = _reports(page, problems, {"least": least})
    main = reports[0].facts
    image, size = _picture(page, main, problems) if picture else (b"", (0, 0))
    if main["elements_seen"] < main["elements_total"]:
        problems.append(f"only {main['elements_seen']} of {main['elements_total']} elements were looked at for lists")
    return PageSurvey(
        url=url or page.url,
        final_url=main["url"],
        title=main["title"],
        heading=main["heading"],
        lang=main["lang"],
        depth=depth,
        status=status,
        shape=f"{shape_of(main['url'])}#{_digest(main['dom_shape'])}",
        text="\n".join(report.facts["text"] for report in reports if report.facts["text"]),
        text_size=sum(report.facts["text_size"] for report in reports),
        forms=_moved(reports, "forms", form_from),
        lists=_moved(reports, "lists", list_from),
        tables=_moved(reports, "tables", table_from),
        definitions=_moved(reports, "definitions", definition_from),
        content=list_from(main["content"], ()) if main["content"] else None,
        links=tuple(link_from(link) for report in reports for link in report.facts["links"]),
        links_total=sum(report.facts["links_total"] for report in reports),
        elements_total=sum(report.facts["elements_total"] for report in reports),
        elements_seen=sum(report.facts["elements_seen"] for report in reports),
        picture=image,
        picture_size=size,
        problems=tuple(problems),
        pager=pager_from(main["pager"]),
        openers=tuple(button_from(button) for button in main["openers"]),
        menu=tuple(main["menu"]),
    )


def wait_while_busy(page: Page) -> None:
    """Give a page that says it is still loading (aria-busy) the time to finish; it may never do so."""
    waited = 0
    while waited < BUSY_LIMIT_MS and page.locator("[aria-busy=true]").filter(visible=True).count():
        page.wait_for_timeout(100)
        waited += 100


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _reports(page: Page, problems: list[str], options: Mapping[str, int]) -> list[FrameReport]:
    reports = [FrameReport(page.main_frame.evaluate(script(), options), (), 0, 0)]
    readable = frames_that_answer(page)
    children = [frame for frame in page.frames if frame in readable and frame is not page.main_frame]
    for frame in children[:MAX_FRAMES]:
        try:
            report = _frame_report(frame, options)
        except Error as error:
            problems.append(f"a frame could not be read: {str(error).splitlines()[0]}")
            continue
        if report is not None:
            reports.append(report)
    if len(readable) < len(page.frames):
        problems.append(f"{len(page.frames) - len(readable)} frames did not answer")
    if len(children) > MAX_FRAMES:
        problems.append(f"only {MAX_FRAMES} of {len(children)} frames were looked at")
    return reports


def _frame_report(frame: Frame, options: Mapping[str, int]) -> FrameReport | None:
    """None for a frame nobody sees: hidden ones hold no tools."""
    chain: list[FrameFacts] = []
    left = top = 0.0
    at: Frame | None = frame
    while at is not None and at.parent_frame is not None:
        facts = at.frame_element().evaluate(
            "el => { const b = el.getBoundingClientRect(); const w = el.ownerDocument.defaultView;"
            " return {name: el.name || '', title: el.title || '', src: el.getAttribute('src') || '',"
            " x: b.left + el.clientLeft + w.scrollX, y: b.top + el.clientTop + w.scrollY,"
            " seen: b.width > 1 && b.height > 1}; }"
        )
        if not facts["seen"]:
            return None
        chain.insert(0, FrameFacts(facts["name"], facts["title"], facts["src"]))
        left, top = left + facts["x"], top + facts["y"]
        at = at.parent_frame
    return FrameReport(frame.evaluate(script(), options), tuple(chain), left, top)


def _moved(
    reports: list[FrameReport], key: str, build: Callable[[Mapping[str, Any], tuple[FrameFacts, ...]], Placed]
) -> tuple[Placed, ...]:
    return tuple(_placed(build(facts, report.frames), report) for report in reports for facts in report.facts[key])


def _placed(facts: Placed, report: FrameReport) -> Placed:
    box = facts.box
    return replace(facts, box=Box(box.x + report.left, box.y + report.top, box.width, box.height))


def _picture(page: Page, main: Mapping[str, Any], problems: list[str]) -> tuple[bytes, tuple[int, int]]:
    try:
        if main["height"] <= PICTURE_HEIGHT:
            image = page.screenshot(full_page=True, animations="disabled", timeout=PICTURE_MS)
        else:
            image = _upper_part(page)
    except Error as error:
        problems.append(f"no picture: {str(error).splitlines()[0]}")
        return b"", (0, 0)
    if main["height"] > PICTURE_HEIGHT:
        problems.append(f"the picture shows the first {PICTURE_HEIGHT} of {main['height']} pixels")
    return image, (int.from_bytes(image[16:20], "big"), int.from_bytes(image[20:24], "big"))


def _upper_part(page: Page) -> bytes:
    """A picture of a whole page of a million pixels takes the browser many seconds, its upper part alone does not."""
    size = page.viewport_size or {"width": 1280, "height": 800}
    page.set_viewport_size({"width": size["width"], "height": PICTURE_HEIGHT})
    try:
        return page.screenshot(animations="disabled", timeout=PICTURE_MS)
    finally:
        page.set_viewport_size(size)
