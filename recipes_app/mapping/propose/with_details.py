"""A list whose entries lead to pages of one kind: one tool that opens the first few of them and reads each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from recipes_app.engine.document import Step, Target
from recipes_app.mapping.facts import ListFacts, PageSurvey
from recipes_app.mapping.propose.draft import Draft, object_schema
from recipes_app.mapping.propose.names import joined, many, words_for
from recipes_app.mapping.propose.targets import css_target
from recipes_app.mapping.propose.templates import Template
from recipes_app.mapping.propose.worth import good_lists

LIMIT = "limit"
MAX_OPENED = 50
READING = frozenset({"extract", "extract_list", "extract_table"})


def detailed_drafts(
    pages: Iterable[PageSurvey], templates: Sequence[Template], details: Iterable[Draft]
) -> Iterator[Draft]:
    """One per kind of page that is a tool, from the first list that leads to it."""
    shown = {draft.start_url: draft for draft in details}
    seen: set[str] = set()
    for page in pages:
        for facts in good_lists(page):
            for made in templates:
                links = None if made.url in seen or made.url not in shown or facts.opener else _links(facts, made)
                if links is not None:
                    seen.add(made.url)
                    yield _detailed(page, facts, made, shown[made.url], links)


def _links(facts: ListFacts, made: Template) -> Target | None:
    """What leads from each entry to a page of its own."""
    for field in facts.fields:
        urls = [value for value in field.values if value]
        own = field.attr == "href" and len(set(urls)) == len(field.values)
        if own and all(made.value_in(url) for url in urls):
            css = f"{facts.items_css} {field.css}" if field.css else facts.items_css
            return css_target(css, facts.frames)
    return None


def _detailed(page: PageSurvey, facts: ListFacts, made: Template, detail: Draft, links: Target) -> Draft:
    plural = many(made.noun)
    reading = tuple(step for step in detail.steps if step.op in READING)
    each: dict[str, Any] = dict((detail.returns or {}).get("properties", {}))
    schema = {
        "type": "integer",
        "minimum": 1,
        "maximum": MAX_OPENED,
        "default": 5,
        "description": f"how many {words_for(plural)} to open at most",
    }
    loop = Step(
        "for_each",
        {
            "items": links,
            "steps": (Step("goto", {"url": "{{_item.href}}"}), *reading),
            "limit": f"{{{{{LIMIT}}}}}",
            "on_error": "keep",
            "into": plural,
        },
    )
    return Draft(
        name=joined("list", f"{plural}_with_details"),
        description=f"List the {words_for(plural)}, each with what its own page says.",
        kind="list",
        side_effect=detail.side_effect,
        parameters=object_schema({LIMIT: schema}),
        examples={LIMIT: 1},
        others={LIMIT: 2},
        returns=object_schema({plural: {"type": "array", "items": {"type": "object", "properties": each}}}),
        start_url=page.final_url,
        steps=(Step("goto", {"url": page.final_url}), loop),
        reason=f"a list of {facts.total} that leads to pages of one kind, each of which {detail.name} reads",
        page_url=page.final_url,
        box=facts.box,
        submits=2,
    )
