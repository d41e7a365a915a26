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
from recipes_app.mapping.propose.telling import Telling, tells_apart, what_tells
from recipes_app.mapping.propose.templates import Template
from recipes_app.mapping.propose.words import is_destructive, is_leaving, verb_in
from recipes_app.mapping.propose.worth import good_lists, good_tables, is_bare, is_index

READ_SUBMITS = 2


@dataclass(frozen=True, slots=True)
class Rows:
    """A list or table as rows: what a row is called by, and how to name one row apart from the others."""

    noun: str
    texts: tuple[str, ...]
    told: Telling
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
        told = what_tells(facts)
        if told is None or not facts.actions:
            continue
        texts = tuple(" ".join(row) for row in facts.rows)
        noun = one(place_noun(facts.context, page))
        within = Target(locators=(Locator("css", f"{facts.css} tr"),), frames=frame_refs(facts.frames))
        yield Rows(noun, texts, told, within, facts.actions, facts.frames, facts.box, _under(facts.context.heading))


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
            Telling(column.name, keys),
            within,
            facts.actions,
            facts.frames,
            facts.box,
            _under(facts.context.heading),
        )


def _column_tells(values: Iterable[str | None], facts: ListFacts) -> bool:
    return tells_apart((value or "" for value in values), list(facts.texts))


def _row_action(action: RowAction, rows: Rows, page: PageSurvey) -> Draft:
    destructive = is_destructive(action.name)
    param = rows.noun if rows.noun != plain_verb(action.name) else "row"
    named = rows.told.parameters(param)
    called = f"the {words_for(rows.noun)} named by its {' and its '.join(map(words_for, rows.told.columns))}"
    presses = _presses(action, _one_row(rows, list(named)), rows.frames)
    described = {name: {"type": "string", "minLength": 1, "description": words} for name, words in named.items()}
    return Draft(
        name=form_name(action.name, rows.noun),
        description=f"{plain_verb(action.name).capitalize()} {called}.",
        kind="action",
        side_effect="destructive" if destructive else "write",
        parameters=object_schema(described, tuple(described)),
        examples=dict(zip(named, rows.told.values_at(-1), strict=True)),
        others=dict(zip(named, rows.told.values_at(-2), strict=True)),
        start_url=page.final_url,
        steps=(Step("goto", {"url": page.final_url}), *presses),
        submit_index=len(presses),
        reason=f"a {action.role} “{action.name}” in each of {len(rows.told.keys)} rows{rows.where}",
        page_url=page.final_url,
        box=rows.box,
        submits=1 if destructive else 2,
    )


def _presses(action: RowAction, row: Target, frames: tuple[FrameFacts, ...]) -> list[Step]:
    """The button in the row; or the one that opens the row's menu, and the menu's entry, wherever it is shown."""
    refs = frame_refs(frames)
    if not action.opener:
        target = Target(role=action.role or "button", name=action.name, within=row, frames=refs)
        return [Step("click", {"target": target})]
    opener = Target(role="button", name=action.opener, within=row, frames=refs)
    entry = Target(role="menuitem", name=action.name, frames=refs)
    return [Step("click", {"target": opener}, note="opens the row's menu"), Step("click", {"target": entry})]


def _one_row(rows: Rows, names: list[str]) -> Target:
    """The row whose text has the first value; of several such rows the one that also has the second."""
    more = tuple(Locator("role", "row", f"{{{{{name}}}}}", exact=False) for name in names[1:])
    ways = (*rows.within.locators, *more)
    return Target(css=rows.within.css, locators=ways, frames=rows.within.frames, text=f"{{{{{names[0]}}}}}")


def why_no_action(page: PageSurvey, templates: tuple[Template, ...]) -> Iterator[tuple[str, str]]:
    """Actions that stand in every row and are no tool: which, and why not."""
    reachable = {id(actions) for actions in (rows.actions for rows in (*map_tables(page), *map_lists(page)))}
    structures: list[ListFacts | TableFacts] = [*good_tables(page), *good_lists(page)]
    for facts in structures:
        for action in facts.actions:
            if _changes(action, templates) and id(facts.actions) not in reachable:
                yield action.name, "no cell or text tells one row apart from all others"
