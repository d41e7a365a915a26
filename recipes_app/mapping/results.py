"""What a step brought up, as a step that reads it: a list, a table, a message, or what a page about one thing says."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from recipes_app.browser.api import Error, Page
from recipes_app.browser.session import BrowserSession
from recipes_app.engine.document import ExtractField, FrameRef, Locator, Step, Target
from recipes_app.mapping.facts import FrameFacts, ListFacts, PageSurvey, TableFacts
from recipes_app.mapping.propose.columns import (
    extract_list,
    extract_table,
    list_columns,
    list_schema,
    rows_schema,
    table_schema,
)
from recipes_app.mapping.propose.names import many, one
from recipes_app.mapping.propose.paging import css_of
from recipes_app.mapping.propose.targets import css_target, frame_refs
from recipes_app.mapping.propose.worth import good_lists, good_tables, score
from recipes_app.mapping.rows_meant import Meant
from recipes_app.mapping.traces import Trace

MIN_FIELDS = 2


@dataclass(frozen=True, slots=True)
class Reading:
    """A step that reads, and the schema of what it reads under its key. `is_page`: no list, only what a page says."""

    step: Step
    key: str
    schema: dict[str, Any]
    is_page: bool = False


def result_reading(before: PageSurvey, after: PageSurvey, page: Page, key: str) -> Reading | None:
    """The list or table that came up, or came up changed; with one or two hits, the list known from before."""
    fresh = _fresh(before, after)
    key = many(key)
    if fresh:
        best = max(fresh, key=_rank)
        return reading_of(best, key)
    return _known_list(before, page, key) or _linked_terms(before, after, key) or _content(before, after, one(key))


def rows_reading(before: PageSurvey, after: PageSurvey, key: str, meant: Meant) -> Reading | None:
    """The list or table that is meant, of those that came up; one with a single entry where none shows itself."""
    key, page = many(key), meant.session.page
    best = meant.best(_fresh(before, after), _rank)
    if best is not None:
        return reading_of(best, key)
    found = _known_list(before, page, key) or _linked_terms(before, after, key)
    if found is not None:
        return found
    lone = meant.lone(before)
    return reading_of(lone, key) if lone is not None else None


def new_reading(before: PageSurvey, after: PageSurvey, key: str) -> Reading | None:
    """A list or table that was on no page before: what something that was sent brought up. It may stay away."""
    known = {*map(css_of, before.lists), *map(css_of, before.tables)}
    fresh = [facts for facts in _fresh(before, after) if css_of(facts) not in known]
    if not fresh:
        return None
    reading = reading_of(max(fresh, key=_rank), many(key))
    return replace(reading, step=replace(reading.step, optional=True))


def _fresh(before: PageSurvey, after: PageSurvey) -> list[ListFacts | TableFacts]:
    old = {*map(_said, before.lists), *map(_said, before.tables)}
    moved = before.final_url != after.final_url
    there: list[ListFacts | TableFacts] = [*good_tables(after), *good_lists(after, strict=False)]
    main = {facts.items_css for facts in good_lists(before)} | {facts.css for facts in good_tables(before)}
    return [facts for facts in there if _said(facts) not in old or (moved and css_of(facts) in main)]


def _said(facts: ListFacts | TableFacts) -> tuple[object, ...]:
    return (facts.css, facts.rows) if isinstance(facts, TableFacts) else (facts.items_css, facts.texts)


def _rank(facts: ListFacts | TableFacts) -> float:
    size = facts.total * len(facts.headers) * 2.0 if isinstance(facts, TableFacts) else score(facts)
    return size * (1.5 if facts.context.landmark == "main" else 1)


def reading_of(facts: ListFacts | TableFacts, key: str) -> Reading:
    if isinstance(facts, TableFacts):
        return Reading(extract_table(facts, key), key, table_schema(facts))
    return Reading(extract_list(facts, key), key, list_schema(facts))


def _known_list(before: PageSurvey, page: Page, key: str) -> Reading | None:
    for facts in good_lists(before):
        try:
            count = page.locator(facts.items_css).filter(visible=True).count()
        except Error:
            continue
        if 0 < count < facts.total:
            return reading_of(facts, key)
    return None


def _linked_terms(before: PageSurvey, after: PageSurvey, key: str) -> Reading | None:
    """A definition list whose terms are links is a list of what was found."""
    old = {(facts.css, facts.pairs) for facts in before.definitions}
    found = [facts for facts in after.definitions if facts.linked and (facts.css, facts.pairs) not in old]
    if not found:
        return None
    best = max(found, key=lambda facts: len(facts.pairs))
    fields = {"name": ExtractField(css="a"), "url": ExtractField(css="a", attr="href", type="url")}
    items = css_target(f"{best.css} dt", best.frames)
    step = Step("extract_list", {"items": items, "fields": fields, "key": key})
    return Reading(step, key, rows_schema((("name", "string"), ("url", "url"))))


def _content(before: PageSurvey, after: PageSurvey, key: str) -> Reading | None:
    """Another page without a list: what it says about the one thing it shows."""
    facts = after.content
    if facts is None or before.final_url == after.final_url:
        return None
    columns = [column for column in list_columns(facts) if column.field.css and column.field.attr == "text"]
    if len(columns) < MIN_FIELDS:
        return None
    fields = {column.name: ExtractField(css=column.field.css, type=column.type) for column in columns}
    step = Step("extract_list", {"items": css_target(facts.items_css, ()), "fields": fields, "limit": 1, "key": key})
    return Reading(step, key, rows_schema((column.name, column.type) for column in columns), is_page=True)


def message_reading(new: Iterable[Trace], session: BrowserSession) -> Reading | None:
    """The notice or heading that came up after something was sent, found by what it is rather than what it says."""
    frames = session.page.frames
    for trace in new:
        if trace.kind == "line" or trace.frame >= len(frames):
            continue
        target = _notice_target(trace, session)
        if target is not None:
            key = "message" if trace.kind == "notice" else "heading"
            return Reading(Step("extract", {"target": target, "key": key}), key, {"type": "string"})
    return None


def _notice_target(trace: Trace, session: BrowserSession) -> Target | None:
    frame = session.page.frames[trace.frame]
    refs = frame_refs_of(session, trace.frame)
    ways = [Locator("role", trace.role)] if trace.role in {"status", "alert"} else []
    ways += [Locator("css", f"{trace.tag}.{name}") for name in trace.classes]
    for way in ways:
        found = frame.locator(f"role={way.value}" if way.kind == "role" else way.value)
        if found.filter(visible=True).count() == 1:
            return Target(role=way.value, frames=refs) if way.kind == "role" else Target(css=way.value, frames=refs)
    if trace.tag == "h1" and frame.locator("h1").filter(visible=True).count() == 1:
        return Target(role="heading", css="h1", frames=refs)
    return None


def frame_refs_of(session: BrowserSession, number: int) -> tuple[FrameRef, ...]:
    """How to get to a frame of the page, by the lasting attributes of the iframes around it."""
    frame = session.page.frames[number]
    chain: list[FrameFacts] = []
    while frame.parent_frame is not None:
        element = frame.frame_element()
        title, src = element.get_attribute("title") or "", (element.get_attribute("src") or "").split("?")[0]
        name = "" if any(letter.isdigit() for letter in frame.name) else frame.name
        chain.insert(0, FrameFacts(name, title, src))
        frame = frame.parent_frame
    return frame_refs(tuple(chain))
