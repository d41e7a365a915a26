"""The op extract_table."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from recipes_app.browser.page import settle
from recipes_app.engine.act import Act
from recipes_app.engine.errors import StepFailure
from recipes_app.engine.naming import normalise
from recipes_app.engine.ops.emptiness import NOTHING, says_nothing
from recipes_app.engine.ops.reading import convert
from recipes_app.engine.scripts import once_styled, script
from recipes_app.engine.shapes import Column
from recipes_app.engine.target import POLL_MS
from recipes_app.engine.values.typed import Read

# As long a table must stay empty before it counts as empty.
STAYS_EMPTY_MS = 1500
Cells = list[dict[str, Any] | None]


def extract_table(act: Act) -> None:
    columns: Mapping[str, Column] | None = act.get("columns")
    code = script("table.js")
    types = {column.header or name: column.type for name, column in (columns or {}).items()}
    table = table_of(act, once_styled(code), types)
    if table is None:
        act.keep([])
        return
    places = places_of(act, table["headers"], columns)
    act.keep([row_of(act, cells, places, index) for index, cells in enumerate(table["rows"])])


def table_of(act: Act, code: str, types: Mapping[str, str]) -> Any:
    """None where the page says in words that there is nothing to show, in place of the table or in it."""
    try:
        found = act.find()
    except StepFailure as failure:
        if failure.kind == "missing" and act.target is not None and says_nothing(act, act.target):
            return None
        raise
    table = found.locator.evaluate(code, {"types": types}, timeout=act.left_ms)
    if table is None:
        raise act.fail("drifted", f"{act.words} is no table")
    waited = 0
    while is_empty(act, table["rows"]):
        if waited >= STAYS_EMPTY_MS or act.left_ms <= POLL_MS:
            return None
        settle(act.session.page, limit_ms=POLL_MS * 4)
        act.session.page.wait_for_timeout(POLL_MS * 4)
        waited += POLL_MS * 4
        table = found.locator.evaluate(code, {"types": types}, timeout=act.left_ms)
    return table


def is_empty(act: Act, rows: list[Cells]) -> bool:
    """Whether the table or the page says so; a page that is still loading says the same for a while."""
    return says_only_nothing(rows) or (not rows and act.target is not None and says_nothing(act, act.target))


def says_only_nothing(rows: list[Cells]) -> bool:
    """One row, the same words in each of its cells, and they say that there is nothing."""
    if len(rows) != 1:
        return False
    said = {normalise(cell["text"] or "") for cell in rows[0] if cell}
    return len(said) == 1 and bool(NOTHING.search(said.pop()))


def places_of(act: Act, headers: list[str], columns: Mapping[str, Column] | None) -> dict[str, tuple[int, Column]]:
    """For each name of the result its column number; without `columns` every column under its own header."""
    if columns is None:
        return {name: (index, Column()) for index, name in enumerate(unique_names(headers))}
    return {name: (place_of(act, headers, column.header or name), column) for name, column in columns.items()}


def unique_names(headers: list[str]) -> list[str]:
    """Empty and repeated headers are numbered: column 2, Total (2)."""
    names: list[str] = []
    for index, header in enumerate(headers, start=1):
        name, number = header or f"column {index}", 2
        while name in names:
            name, number = f"{header} ({number})", number + 1
        names.append(name)
    return names


def without_numbers(header: str) -> str:
    """A header that counts ("Title 1-50 of 90") is the same one with another count."""
    return re.split(r"[\s([]*\d", header.casefold())[0] or header


def place_of(act: Act, headers: list[str], wanted: str) -> int:
    for fold in (str, str.casefold, without_numbers):
        found = [index for index, header in enumerate(headers) if fold(normalise(header)) == fold(normalise(wanted))]
        if len(found) == 1:
            return found[0]
        if found:
            raise act.fail("ambiguous", f"{len(found)} columns are headed “{wanted}”")
    raise act.fail("missing", f"no column is headed “{wanted}”; there are: {', '.join(filter(None, headers))}", headers)


def row_of(act: Act, cells: Cells, places: Mapping[str, tuple[int, Column]], index: int) -> dict[str, Any]:
    return {
        name: cell_value(act, cells[place], column, f"{act.get('key')}[{index}].{name}")
        for name, (place, column) in places.items()
    }


def cell_value(act: Act, cell: dict[str, Any] | None, column: Column, where: str) -> Any:
    return None if cell is None else convert(act, Read(**cell), column.type, where)
