"""Repeated structures and tables become tools that list them; what can be done with one row, tools that do it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from recipes_app.engine.document import Locator, Step, Target
from recipes_app.mapping.facts import Box, FrameFacts, ListFacts, PageSurvey, RowAction, TableFacts
from recipes_app.mapping.propose.columns import (
    extract_list,
    extract_table,
    list_columns,
    list_schema,
    table_columns,
    table_schema,
)
from recipes_app.mapping.propose.draft import Draft, object_schema
from recipes_app.mapping.propose.names import (
    form_name,
    joined,
    listed,
    many,
    noun_from,
    one,
    page_noun,
    place_noun,
    plain_verb,
    words_for,
)
from recipes_app.mapping.propose.paging import paged
from recipes_app.mapping.propose.targets import button_target, css_target, frame_refs
from recipes_app.mapping.propose.templates import Template
from recipes_app.mapping.propose.words import is_destructive, is_leaving, verb_in
from recipes_app.mapping.propose.worth import good_lists, good_tables, is_bare, is_index

READ_SUBMITS = 2
MAX_ROW_TEXT = 80


@dataclass(frozen=True, slots=True)
class Rows:
    """A list or table as rows: what a row is called by, and how to name one row apart from the others."""

    noun: str
    texts: tuple[str, ...]
    keys: tuple[str, ...]
    key_name: str
    within: Target
    actions: tuple[RowAction, ...]
    frames: tuple[FrameFacts, ...]
    box: Box
    where: str


def list_drafts(page: PageSurvey, *, is_menu: Callable[[ListFacts], bool]) -> Iterator[Draft]:
    """What one page lists."""
    taken: set[str] = set()
    for table in good_tables(page):
        noun = _fresh(_shown_by(table, many(place_noun(table.context, page))), taken, page)
        yield _complete(draft_of_table(table, page, noun), page, table)
    for facts in good_lists(page):
        if is_menu(facts):
            continue
        noun = _fresh(_shown_by(facts, many(_list_noun(facts, page))), taken, page)
        yield _complete(draft_of_list(facts, page, noun), page, facts)


def _shown_by(facts: ListFacts | TableFacts, noun: str) -> str:
    """What a tab or a button shows is called by that too."""
    own = noun_from(facts.opener.name) if facts.opener else ""
    return joined(own, noun) if own else noun


def _complete(draft: Draft, page: PageSurvey, facts: ListFacts | TableFacts) -> Draft:
    """With the button that shows the list, or page by page."""
    if facts.opener is None:
        return paged(draft, page, facts)
    press = Step("click", {"target": button_target(facts.opener, ())}, note="shows the list")
    return replace(draft, steps=(draft.steps[0], press, *draft.steps[1:]))


def _list_noun(facts: ListFacts, page: PageSurvey) -> str:
    """A page that mostly is its list is called by the page; one list of several by its heading."""
    return "page" if is_index(facts, page) and is_bare(facts) else place_noun(facts.context, page)


def _fresh(noun: str, taken: set[str], page: PageSurvey) -> str:
    other = joined(page_noun(page), noun) if noun in taken else noun
    taken.add(other)
    return other


def draft_of_list(facts: ListFacts, page: PageSurvey, noun: str) -> Draft:
    names = [column.name for column in list_columns(facts)]
    what = "questions" if facts.tag == "details" else "items of the same make"
    return _read_draft(
        page,
        noun,
        names,
        extract_list(facts, noun),
        {noun: list_schema(facts)},
        reason=f"{facts.total} {what}{_under(facts.context.heading)}, each with {listed(names)}",
        box=facts.box,
    )  # fmt: skip


def draft_of_table(facts: TableFacts, page: PageSurvey, noun: str) -> Draft:
    names = [name for name, _, _ in table_columns(facts)]
    return _read_draft(
        page,
        noun,
        names,
        extract_table(facts, noun),
        {noun: table_schema(facts)},
        reason=f"a table of {facts.total} rows{_under(facts.context.heading)} with the columns {listed(names)}",
        box=facts.box,
    )


def _under(heading: str) -> str:
    return f" under “{heading}”" if heading else ""


def _read_draft(  # noqa: PLR0913 - the parts of one draft
    page: PageSurvey, noun: str, names: Iterable[str], step: Step, returns: dict[str, object], reason: str, box: Box
) -> Draft:
    return Draft(
        name=f"list_{noun}",
        description=f"List the {words_for(noun)} with {listed(names)}.",
        kind="list",
        side_effect="read",
        parameters=object_schema({}),
        examples={},
        returns=object_schema(returns),
        start_url=page.final_url,
        steps=(Step("goto", {"url": page.final_url}), step),
        reason=reason,
        page_url=page.final_url,
        box=box,
        submits=READ_SUBMITS,
    )


def row_drafts(page: PageSurvey, templates: tuple[Template, ...]) -> Iterator[Draft]:
    """Buttons and changing links that stand in every row: one tool each, the row named by what tells it apart."""
    for rows in (*map_tables(page), *map_lists(page)):
        for action in rows.actions:
            if _changes(action, templates):
                yield _row_action(action, rows, page)


def _changes(action: RowAction, templates: tuple[Template, ...]) -> bool:
    if is_leaving(action.name):
        return False
    if action.role != "link":
        return verb_in(action.name) is not None
    return is_destructive(action.name) and not any(t.value_in(action.href) for t in templates)


def map_tables(page: PageSurvey) -> Iterator[Rows]:
    for facts in good_tables(page):
        found = _telling_column(facts)
        if found is None or not facts.actions:
            continue
        name, keys = found
        texts = tuple(" ".join(row) for row in facts.rows)
        noun = one(place_noun(facts.context, page))
        within = Target(locators=(Locator("css", f"{facts.css} tr"),), frames=frame_refs(facts.frames))
        yield Rows(
            noun, texts, keys, name, within, facts.actions, facts.frames, facts.box, _under(facts.context.heading)
        )


def _telling_column(facts: TableFacts) -> tuple[str, tuple[str, ...]] | None:
    """The first column whose value picks exactly one row of the page, links and short texts first."""
    ranked: list[tuple[int, int, str, tuple[str, ...]]] = []
    texts = [" ".join(row) for row in facts.rows]
    for name, header, kind in table_columns(facts):
        index = facts.headers.index(header)
        cells = tuple(row[index] if index < len(row) else "" for row in facts.rows)
        if _tells_apart(cells, texts):
            linked = index < len(facts.links) and bool(facts.links[index])
            ranked.append((0 if kind == "string" and linked else 1, index, name, cells))
    if not ranked:
        return None
    _, _, name, cells = min(ranked)
    return name, cells


def _tells_apart(keys: Iterable[str], texts: list[str]) -> bool:
    """Every value is in the text of its own row only: "1" would be in "10" too."""
    values = list(keys)
    if any(not value or len(value) > MAX_ROW_TEXT for value in values):
        return False
    return all(sum(value in text for text in texts) == 1 for value in values)


def map_lists(page: PageSurvey) -> Iterator[Rows]:
    for facts in good_lists(page):
        if not facts.actions:
            continue
        telling = [c for c in list_columns(facts) if c.field.attr == "text" and _column_tells(c.field.values, facts)]
        if not telling:
            continue
        column = min(telling, key=lambda c: (not c.field.heading, not c.field.link, c.type != "string"))
        within = css_target(facts.items_css, facts.frames)
        keys = tuple(value or "" for value in column.field.values)
        noun = one(place_noun(facts.context, page))
        yield Rows(
            noun,
            facts.texts,
            keys,
            column.name,
            within,
            facts.actions,
            facts.frames,
            facts.box,
            _under(facts.context.heading),
        )


def _column_tells(values: Iterable[str | None], facts: ListFacts) -> bool:
    return _tells_apart((value or "" for value in values), list(facts.texts))


def _row_action(action: RowAction, rows: Rows, page: PageSurvey) -> Draft:
    destructive = is_destructive(action.name)
    param = rows.noun if rows.noun != plain_verb(action.name) else "row"
    within = Target(
        css=rows.within.css, locators=rows.within.locators, frames=rows.within.frames, text=f"{{{{{param}}}}}"
    )
    target = Target(role=action.role or "button", name=action.name, within=within, frames=frame_refs(rows.frames))
    name = form_name(action.name, rows.noun)
    called = f"the {words_for(rows.noun)} named by its {words_for(rows.key_name)}"
    last, before = rows.keys[-1], rows.keys[-2]
    return Draft(
        name=name,
        description=f"{plain_verb(action.name).capitalize()} {called}.",
        kind="action",
        side_effect="destructive" if destructive else "write",
        parameters=object_schema({param: {"type": "string", "minLength": 1, "description": called}}, (param,)),
        examples={param: last},
        others={param: before},
        start_url=page.final_url,
        steps=(Step("goto", {"url": page.final_url}), Step("click", {"target": target})),
        submit_index=1,
        reason=f"a {action.role} “{action.name}” in each of {len(rows.keys)} rows{rows.where}",
        page_url=page.final_url,
        box=rows.box,
        submits=1 if destructive else 2,
    )


def why_no_action(page: PageSurvey, templates: tuple[Template, ...]) -> Iterator[tuple[str, str]]:
    """Actions that stand in every row and are no tool: which, and why not."""
    reachable = {id(actions) for actions in (rows.actions for rows in (*map_tables(page), *map_lists(page)))}
    structures: list[ListFacts | TableFacts] = [*good_tables(page), *good_lists(page)]
    for facts in structures:
        for action in facts.actions:
            if _changes(action, templates) and id(facts.actions) not in reachable:
                yield action.name, "no cell or text tells one row apart from all others"
