"""Rows as a table that fits the terminal: wide columns wrap, nothing is lost."""

import shutil
import textwrap
from collections.abc import Iterator, Sequence
from itertools import zip_longest

WIDEST = 100
LEAST = 12  # no column is made narrower for the sake of the others
GAP = "  "


def table(head: Sequence[str], rows: Sequence[Sequence[str]], *, width: int = 0) -> Iterator[str]:
    """Lines; `width` is the terminal's, 100 at most, if it is not given."""
    cells = [list(head), *(list(row) for row in rows)]
    widths = fitting(cells, width or min(WIDEST, shutil.get_terminal_size((WIDEST, 24)).columns))
    for row in cells:
        wrapped = [textwrap.wrap(cell, wide, break_on_hyphens=False) for cell, wide in zip(row, widths, strict=True)]
        for line in zip_longest(*wrapped, fillvalue=""):
            yield GAP.join(part.ljust(wide) for part, wide in zip(line, widths, strict=True)).rstrip()


def fitting(cells: Sequence[Sequence[str]], width: int) -> list[int]:
    """The natural widths, the widest made narrower until they fit."""
    widths = [min(width, max(1, *(len(row[at]) for row in cells))) for at in range(len(cells[0]))]
    room = width - len(GAP) * (len(widths) - 1)
    while sum(widths) > room and max(widths) > LEAST:
        widths[widths.index(max(widths))] -= 1
    return widths
