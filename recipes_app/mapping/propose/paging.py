"""Lists that go on: how many pages of them are read is a parameter, and the result says whether they were all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from recipes_app.engine.document import Condition, Step, Target
from recipes_app.mapping.facts import ButtonFacts, ListFacts, PagerFacts, PageSurvey, TableFacts
from recipes_app.mapping.propose.columns import list_columns, table_columns
from recipes_app.mapping.propose.draft import Draft, object_schema
from recipes_app.mapping.propose.targets import button_target, css_target

PAGES = "pages"
READS_ROWS = frozenset({"extract_list", "extract_table"})
MAX_PAGES = 100
COMPLETE_KEY = "complete"
COMPLETE: dict[str, Any] = {"type": "boolean", "description": "whether that was all"}


def paged(draft: Draft, page: PageSurvey, facts: ListFacts | TableFacts) -> Draft:
    """The draft that reads several pages, where the list has more of them; else the draft itself."""
    pager = page.pager
    if pager is None or draft.steps[-1].op not in READS_ROWS or PAGES in _properties(draft):
        return draft
    key = telling_column(facts)
    if (pager.grows and key is None) or pager.items not in {"", css_of(facts)}:
        return draft
    schema = pages_schema(pager)
    returned = {**_returned(draft), COMPLETE_KEY: COMPLETE}
    return replace(
        draft,
        parameters=object_schema({**_properties(draft), PAGES: schema}, tuple(draft.parameters.get("required", ()))),
        examples={**draft.examples, PAGES: 1},
        others={**draft.others, PAGES: 2},
        returns=object_schema(returned),
        steps=(*draft.steps[:-1], turning(draft.steps[-1], pager, key)),
        description=f"{draft.description.rstrip('.')}, page by page.",
    )


def pages_schema(pager: PagerFacts) -> dict[str, Any]:
    return {
        "type": "integer",
        "minimum": 1,
        "maximum": MAX_PAGES,
        "default": 1,
        "description": f"how many {'times more is loaded, and once' if pager.grows else 'pages'} to read at most",
    }


def paged_results(reading: Step, page: PageSurvey) -> Step | None:
    """The step that reads what a search brought up, page by page; None where the page shows no more of it."""
    pager = page.pager
    if pager is None or reading.op not in READS_ROWS:
        return None
    place = reading.fields.get("items") or reading.fields.get("target")
    rows: list[ListFacts | TableFacts] = [*page.lists, *page.tables]
    facts = next((each for each in rows if isinstance(place, Target) and css_of(each) == place.css), None)
    key = telling_column(facts) if facts is not None else None
    return None if facts is None or (pager.grows and key is None) else turning(reading, pager, key)


def css_of(facts: ListFacts | TableFacts) -> str:
    return facts.items_css if isinstance(facts, ListFacts) else facts.css


def turning(reading: Step, pager: PagerFacts, key: str | None) -> Step:
    """The step that reads, repeated; rows are told apart by `key` where the list grows."""
    known = {"key": key} if pager.grows and key else {}
    rest = {**known, "into": str(reading.fields["key"]), "max_rounds": f"{{{{{PAGES}}}}}"}
    if pager.button is None:
        return Step("repeat", {"steps": (reading, scrolling(pager)), **rest})
    target = next_target(pager, pager.button)
    turn = Step("click", {"target": target}, note="shows the next part of the list")
    return Step("repeat", {"steps": (reading, turn), "while": Condition("element_exists", target=target), **rest})


def scrolling(pager: PagerFacts) -> Step:
    """To the end of what is there so far: what is loaded then makes the list longer."""
    where = {"target": css_target(pager.scroller, ())} if pager.scroller else {}
    return Step("scroll", {"direction": "bottom", **where}, note="shows the next part of the list")


def next_target(pager: PagerFacts, button: ButtonFacts) -> Target:
    """Never by its place: on the next page another number stands there."""
    whole = button_target(button, ())
    ways = tuple(way for way in whole.locators if way.value) if not pager.grows else whole.locators
    return replace(whole, locators=ways)


def telling_column(facts: ListFacts | TableFacts) -> str | None:
    """A column no two rows share, addresses first."""
    columns = _list_values(facts) if isinstance(facts, ListFacts) else _table_values(facts)
    apart = [name for name, values in columns if all(values) and len(set(values)) == len(values)]
    return next((name for name in apart if name.endswith("url")), apart[0] if apart else None)


def _list_values(facts: ListFacts) -> list[tuple[str, Sequence[str | None]]]:
    return [(column.name, column.field.values) for column in list_columns(facts)]


def _table_values(facts: TableFacts) -> list[tuple[str, Sequence[str | None]]]:
    found: list[tuple[str, Sequence[str | None]]] = []
    for name, header, _ in table_columns(facts):
        at = facts.headers.index(header)
        found.append((name, [row[at] if at < len(row) else None for row in facts.rows]))
    return found


def _properties(draft: Draft) -> Mapping[str, Any]:
    properties: Mapping[str, Any] = draft.parameters.get("properties", {})
    return properties


def _returned(draft: Draft) -> Mapping[str, Any]:
    properties: Mapping[str, Any] = (draft.returns or {}).get("properties", {})
    return properties
