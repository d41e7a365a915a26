"""Pages that exist once per item: a tool that opens one by what varies in its address and reads what it says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from recipes_app.engine.document import ExtractField, Locator, Step, Target
from recipes_app.mapping.facts import DefinitionFacts, ItemField, ListFacts, PageSurvey
from recipes_app.mapping.propose.columns import Named, list_columns, rows_schema
from recipes_app.mapping.propose.draft import Draft, object_schema
from recipes_app.mapping.propose.names import column_names, joined, listed, place_noun, words_for
from recipes_app.mapping.propose.targets import css_target, frame_refs
from recipes_app.mapping.propose.templates import Template

MIN_TEXT = 20


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
    if content is None:
        return None
    columns = _shared_columns(samples)
    pairs = [facts for facts in first.definitions if not facts.chrome and _in_all(facts, samples[1:])]
    if not columns or (len(columns) == 1 and not pairs):
        return None
    here = made.value_in(first.final_url) or ""
    others = [value for value in made.values if value != here]
    steps = [Step("goto", {"url": made.url}), _content_step(content, made.noun, columns)]
    returns: dict[str, Any] = {made.noun: rows_schema((column.name, column.type) for column in columns)}
    for facts in pairs[:3]:
        _add_pairs(facts, first, steps, returns)
    names = [column.name for column in columns]
    return Draft(
        name=joined("show", made.noun),
        description=f"Show one {words_for(made.noun)} with {listed([*names, *list(returns)[1:]])}.",
        kind="detail",
        side_effect="read",
        parameters=object_schema({made.noun: _parameter(made)}, (made.noun,)),
        examples={made.noun: here},
        others={made.noun: others[0] if others else here},
        returns=object_schema(returns),
        start_url=made.url,
        steps=tuple(steps),
        reason=f"{len(made.values)} links to pages of one kind, whose addresses differ in one place",
        page_url=first.final_url,
        box=content.box,
        submits=2,
    )


def _parameter(made: Template) -> dict[str, object]:
    return {
        "type": "string",
        "minLength": 1,
        "description": f"the {words_for(made.noun)} as its address names it",
        "examples": list(made.values[:5]),
    }


def _shared_columns(samples: list[PageSurvey]) -> list[Named]:
    """The telling fields of the first sample that every other sample has at the same place."""
    contents = [page.content for page in samples if page.content is not None]
    common = set.intersection(*({(f.css, f.attr) for f in facts.fields} for facts in contents))
    fields = tuple(f for f in contents[0].fields if (f.css, f.attr) in common and _telling(f))
    return [column for column in list_columns(replace(contents[0], fields=fields)) if _said(column)]


def _telling(field: ItemField) -> bool:
    """Not what leads elsewhere, nor the title of a section."""
    return field.attr == "text" and not field.link and bool(field.css) and (not field.heading or field.tag == "h1")


def _said(column: Named) -> bool:
    """What nobody named counts if it is a text of some length."""
    longest = max((len(value or "") for value in column.field.values), default=0)
    return not re.fullmatch(r"text(_\d+)?", column.name) or longest >= MIN_TEXT


def _in_all(facts: DefinitionFacts, samples: list[PageSurvey]) -> bool:
    return all(any(other.css == facts.css for other in page.definitions) for page in samples)


def _add_pairs(facts: DefinitionFacts, page: PageSurvey, steps: list[Step], returns: dict[str, Any]) -> None:
    """One list of terms and values; where markup gives no item that holds both, one value per term."""
    if facts.items_css:
        noun = place_noun(facts.context, page)
        own_heading = facts.context.heading not in {"", page.heading}
        key = noun if noun not in returns and own_heading else f"details_{len(steps)}"
        steps.append(_pairs_step(facts, key))
        returns[key] = rows_schema((("term", "string"), ("value", "string")))
        return
    for pair, key in zip(facts.pairs, column_names(pair.term for pair in facts.pairs), strict=True):
        if key not in returns and '"' not in pair.term:
            steps.append(_value_step(pair.term, key, facts))
            returns[key] = {"type": ["string", "null"]}


def _value_step(term: str, key: str, facts: DefinitionFacts) -> Step:
    path = f'//dt[normalize-space(.)="{term}"]/following-sibling::dd[1]'
    ways = (Locator("role", "definition"), Locator("xpath", path))
    target = Target(locators=ways, frames=frame_refs(facts.frames))
    return Step("extract", {"target": target, "key": key}, optional=True)


def _content_step(content: ListFacts, key: str, columns: list[Named]) -> Step:
    fields = {c.name: ExtractField(css=c.field.css, attr=c.field.attr, type=c.type) for c in columns}
    items = css_target(content.items_css, ())
    return Step("extract_list", {"items": items, "fields": fields, "limit": 1, "key": key})


def _pairs_step(facts: DefinitionFacts, key: str) -> Step:
    fields = {"term": ExtractField(css=facts.term_css), "value": ExtractField(css=facts.value_css)}
    return Step("extract_list", {"items": css_target(facts.items_css, facts.frames), "fields": fields, "key": key})
