"""What the rows of a page show of a form's choices, and whether it has rows at all."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from urllib.parse import urlsplit

from recipes_app.engine.ops.emptiness import NOTHING
from recipes_app.mapping.facts import FormFacts, PageSurvey
from recipes_app.mapping.propose.columns import table_columns
from recipes_app.mapping.propose.examples import Values
from recipes_app.mapping.propose.fields import Param
from recipes_app.mapping.propose.words import NOTHING_FOUND, says
from recipes_app.mapping.propose.worth import good_lists, good_tables
from recipes_app.mapping.risks import words_of

# Of a page that has no rows: "no pages have been submitted yet", "you haven't uploaded any images".
NOT_YET = re.compile(
    r"\b(?:no|none) [^.!?]{1,80}\byet\b|\bnoch kein|\b(?:have|has)(?:n['\u2019]t| not) (?:yet )?\w+ any\b",
    re.IGNORECASE,
)
MAX_CELL = 60
MIN_CELLS = 2


def in_sight(params: Iterable[Param], page: PageSurvey) -> tuple[Param, ...]:
    """Choices tried with what some rows of the page have and others have not, texts with what their column has."""
    rows = list(map(_spaced, _rows(page)))
    cells = _cells(page)
    return tuple(_tried_with_cells(_tried_with_seen(param, rows), cells) for param in params)


def _cells(page: PageSurvey) -> dict[str, list[str]]:
    """What stands in the columns of the page's tables, by their names."""
    found: dict[str, list[str]] = {}
    for table in good_tables(page):
        for name, header, _ in table_columns(table):
            at = table.headers.index(header)
            found.setdefault(name, list(dict.fromkeys(row[at] for row in table.rows if at < len(row) and row[at])))
    return found


def _tried_with_cells(param: Param, cells: Mapping[str, list[str]]) -> Param:
    found = [text for text in cells.get(param.name, ()) if len(text) <= MAX_CELL]
    if not param.is_text or param.schema.get("format") or param.schema.get("pattern") or len(found) < MIN_CELLS:
        return param
    return replace(param, values=Values(found[0], found[1]))


def is_in_sight(param: Param, page: PageSurvey) -> bool:
    """Whether what it is tried with stands in some row."""
    words = _spaced(str(param.values.first))
    return any(words in _spaced(text) for text in _rows(page))


def _spaced(text: str) -> str:
    """Its words between spaces, so that whole words are found in it."""
    return f" {' '.join(words_of(text))} "


def _tried_with_seen(param: Param, rows: list[str]) -> Param:
    choices = param.schema.get("enum")
    if not choices or not rows:
        return param
    counts = {choice: sum(_spaced(choice) in row for row in rows) for choice in choices if words_of(choice)}
    if not any(counts.values()):
        return param
    usual = param.schema.get("default")
    ranked = sorted(counts, key=lambda choice: (choice == usual, not counts[choice], counts[choice] == len(rows)))
    return replace(param, values=Values(ranked[0], ranked[1])) if len(ranked) > 1 else param


def _rows(page: PageSurvey) -> Iterator[str]:
    for table in good_tables(page):
        yield from (" ".join(row) for row in table.rows)
    for facts in good_lists(page, strict=False):
        yield from facts.texts


def is_of_an_empty_list(form: FormFacts, page: PageSurvey) -> bool:
    """Of a list that is empty, as the page itself says: nothing could show that it works."""
    if not _is_of_the_page(form, page) or any(True for _ in _rows(page)):
        return False
    return says(NOTHING_FOUND, page.text) or any(said.search(page.text) for said in (NOTHING, NOT_YET))


def _is_of_the_page(form: FormFacts, page: PageSurvey) -> bool:
    """Sent to the page itself or to an address right below it, or answered where it stands."""
    here, action = urlsplit(page.final_url).path, urlsplit(form.action).path
    deep = len([part for part in here.split("/") if part]) > 1
    below = deep and here.endswith("/") and action.startswith(here) and "/" not in action.removeprefix(here).strip("/")
    return not form.is_form or bool(form.panels) or action == here or below
