"""Pages that exist once per item: a tool that opens one by what varies in its address and reads what it says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from recipes_app.engine.document import ExtractField, Locator, Step, Target
from recipes_app.mapping.facts import DefinitionFacts, ItemField, ListFacts, PageSurvey, TableFacts
from recipes_app.mapping.propose.columns import (
    Named,
    extract_list,
    extract_table,
    list_columns,
    list_schema,
    rows_schema,
    table_schema,
)
from recipes_app.mapping.propose.draft import Draft, object_schema
from recipes_app.mapping.propose.names import column_names, joined, listed, many, place_noun, words_for
from recipes_app.mapping.propose.targets import css_target, frame_refs
from recipes_app.mapping.propose.templates import Template
from recipes_app.mapping.propose.words import snake
from recipes_app.mapping.propose.worth import good_lists, good_tables

MIN_TEXT = 20
VALUE_MS = 1000
MIN_COLUMNS = 2
MAX_LISTS = 2


def detail_drafts(pages: Iterable[PageSurvey], templates: tuple[Template, ...]) -> Iterator[Draft]:
    """One per template of which a page was seen; what two samples do not share is left out."""
    seen = list(pages)
    for made in templates:
        samples = [page for page in seen if made.value_in(page.final_url)]
        if samples:
            draft = _detail(samples, made)
            if draft is not None:
                yield draft


def _detail(samples: list[PageSurvey], made: Template) -> Draft | None:
    first = samples[0]
    content = first.content
    columns = _shared_columns(samples)
    pairs = [
        facts
        for facts in first.definitions
        if not facts.chrome and len(facts.pairs) > 1 and _in_all(facts, samples[1:])
    ]
    lists = _shared_lists(samples)
    if (len(columns) < MIN_COLUMNS and not pairs and not lists) or not _differ(samples, columns, pairs, lists):
        return None
    here = made.value_in(first.final_url) or ""
    steps = [Step("goto", {"url": made.url})]
    returns: dict[str, Any] = {}
    if content is not None and len(columns) > (0 if pairs or lists else 1):
        steps.append(_content_step(content, made.noun, columns))
        returns[made.noun] = rows_schema((column.name, column.type) for column in columns)
    for facts in pairs[:3]:
        _add_pairs(facts, samples, steps, returns)
    for listed_facts in lists:
        _add_list(listed_facts, samples, steps, returns)
    if not returns:
        return None
    names = [
        *(column.name for column in columns if made.noun in returns),
        *(key for key in returns if key != made.noun),
    ]
    return Draft(
        name=joined("show", made.noun),
        description=f"Show one {words_for(made.noun)} with {listed(names)}.",
        kind="detail",
        side_effect="read",
        parameters=object_schema(made.properties, tuple(made.properties)),
        examples=made.arguments(here),
        others=made.arguments(made.other_than(here)),
        returns=object_schema(returns),
        start_url=made.url,
        steps=tuple(steps),
        reason=f"{len(made.values)} links to pages of one kind, whose addresses differ in one place",
        page_url=first.final_url,
        box=content.box if content else pairs[0].box if pairs else lists[0].box,
        submits=2,
    )


def _shared_columns(samples: list[PageSurvey]) -> list[Named]:
    """The telling fields of the first sample that every other sample has at the same place."""
    contents = [page.content for page in samples if page.content is not None]
    if len(contents) < len(samples):
        return []
    common = set.intersection(*({(f.css, f.attr) for f in facts.fields} for facts in contents))
    headed = set.intersection(*({(f.css, f.attr, f.before) for f in facts.fields} for facts in contents))
    fields = tuple(
        f if (f.css, f.attr, f.before) in headed else replace(f, before="")
        for f in contents[0].fields
        if (f.css, f.attr) in common and _telling(f)
    )
    said = [column for column in list_columns(replace(contents[0], fields=fields)) if _said(column)]
    names = column_names(re.sub(r"^text_\d+$", "text", column.name) for column in said)
    return [replace(column, name=name) for name, column in zip(names, said, strict=True)]


def _telling(field: ItemField) -> bool:
    """Not what leads elsewhere, nor the title of a section."""
    return field.attr == "text" and not field.link and bool(field.css) and (not field.heading or field.tag == "h1")


def _said(column: Named) -> bool:
    """What nobody named counts if it is a text of some length."""
    longest = max((len(value or "") for value in column.field.values), default=0)
    return not re.fullmatch(r"text(_\d+)?", column.name) or longest >= MIN_TEXT


def _shared_lists(samples: list[PageSurvey]) -> list[ListFacts | TableFacts]:
    """What the page about one thing lists, where every sample that has any of it has it at the same place."""
    first = max(samples, key=lambda page: len(good_lists(page)) + len(good_tables(page)))
    found: list[ListFacts | TableFacts] = [*good_tables(first), *good_lists(first)]
    if len(samples) == 1:
        return found[:MAX_LISTS]
    others = [page for page in samples if page is not first]
    return [facts for facts in found if any(_at(facts) in _places(page) for page in others)][:MAX_LISTS]


def _at(facts: ListFacts | TableFacts) -> str:
    return facts.css if isinstance(facts, TableFacts) else facts.items_css


def _structures(page: PageSurvey) -> list[ListFacts | TableFacts]:
    return [*page.lists, *page.tables]


def _places(page: PageSurvey) -> set[str]:
    return set(map(_at, _structures(page)))


def _differ(
    samples: list[PageSurvey],
    columns: list[Named],
    pairs: list[DefinitionFacts],
    lists: list[ListFacts | TableFacts],
) -> bool:
    """Pages that all say the same are not about one thing each: the address alone is another."""
    if len(samples) == 1:
        return True
    wanted = {(column.field.css, column.field.attr) for column in columns}
    places = {*(facts.css for facts in pairs), *map(_at, lists)}
    return len({_said_there(page, wanted, places) for page in samples}) > 1


def _said_there(page: PageSurvey, wanted: set[tuple[str, str]], places: set[str]) -> tuple[object, ...]:
    fields = page.content.fields if page.content else ()
    return (
        tuple(f.values for f in fields if (f.css, f.attr) in wanted),
        tuple(d.pairs for d in page.definitions if d.css in places),
        tuple(facts.texts for facts in page.lists if facts.items_css in places),
        tuple(facts.rows for facts in page.tables if facts.css in places),
    )


def _add_list(
    facts: ListFacts | TableFacts, samples: list[PageSurvey], steps: list[Step], returns: dict[str, Any]
) -> None:
    """May be left out where the thing has none. What stands above it on one page only is no name for it."""
    page = samples[0]
    headings = {other.context.heading for each in samples for other in _structures(each) if _at(other) == _at(facts)}
    is_named = facts.context.heading not in {"", page.heading} and len(headings) == 1
    noun = many(place_noun(facts.context, page)) if is_named else "items"
    key = next(name for name in (noun, "items", *(f"items_{n}" for n in range(2, 9))) if name not in returns)
    step = extract_table(facts, key) if isinstance(facts, TableFacts) else extract_list(facts, key)
    steps.append(replace(step, optional=True, timeout_ms=VALUE_MS))
    schema = table_schema(facts) if isinstance(facts, TableFacts) else list_schema(facts)
    returns[key] = {**schema, "minItems": 0}


def _in_all(facts: DefinitionFacts, samples: list[PageSurvey]) -> bool:
    return all(any(other.css == facts.css for other in page.definitions) for page in samples)


def _add_pairs(facts: DefinitionFacts, samples: list[PageSurvey], steps: list[Step], returns: dict[str, Any]) -> None:
    """One list of terms and values; where markup gives no item that holds both, one value per term of all samples."""
    if facts.items_css:
        key = _pairs_key(facts, samples, returns)
        steps.append(_pairs_step(facts, key))
        returns[key] = rows_schema((("term", "string"), ("value", "string")))
        return
    terms = set.intersection(*(_terms_at(facts.css, page) for page in samples))
    for pair, key in zip(facts.pairs, column_names(pair.term for pair in facts.pairs), strict=True):
        if key not in returns and '"' not in pair.term and pair.term in terms:
            steps.append(_value_step(pair.term, key, facts))
            returns[key] = {"type": ["string", "null"]}


def _terms_at(css: str, page: PageSurvey) -> set[str]:
    return {pair.term for facts in page.definitions if facts.css == css for pair in facts.pairs}


def _pairs_key(facts: DefinitionFacts, samples: list[PageSurvey], taken: Iterable[str]) -> str:
    """What the heading above says on every page, in one word or else in its own; "details" where there is none."""
    page = samples[0]
    headings = {other.context.heading for each in samples for other in each.definitions if other.css == facts.css}
    own_heading = "" if facts.context.heading == page.heading or len(headings) > 1 else facts.context.heading
    given = (place_noun(facts.context, page), snake(own_heading)) if own_heading else ()
    short = [name for name in given if name and not name[0].isdigit() and name.count("_") < 3]
    numbered = (f"details_{number}" for number in range(2, 9))
    return next(name for name in (*short, "details", *numbered) if name not in taken)


def _value_step(term: str, key: str, facts: DefinitionFacts) -> Step:
    path = f'//{facts.term_css}[normalize-space(.)="{term}"]/following-sibling::{facts.value_css}[1]'
    role = "definition" if facts.value_css == "dd" else "cell"
    ways = (Locator("role", role), Locator("xpath", path))
    target = Target(locators=ways, frames=frame_refs(facts.frames))
    # The page is there by now; a value that is empty today is not worth the whole time of a step.
    return Step("extract", {"target": target, "key": key}, optional=True, timeout_ms=VALUE_MS)


def _content_step(content: ListFacts, key: str, columns: list[Named]) -> Step:
    fields = {c.name: ExtractField(css=c.field.css, attr=c.field.attr, type=c.type) for c in columns}
    items = css_target(content.items_css, ())
    return Step("extract_list", {"items": items, "fields": fields, "limit": 1, "key": key})


def _pairs_step(facts: DefinitionFacts, key: str) -> Step:
    fields = {"term": ExtractField(css=facts.term_css), "value": ExtractField(css=facts.value_css)}
    return Step("extract_list", {"items": css_target(facts.items_css, facts.frames), "fields": fields, "key": key})
