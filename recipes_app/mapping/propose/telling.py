"""What tells the rows of a table apart: one column, or two together where many rows have one subject."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from recipes_app.mapping.facts import TableFacts
from recipes_app.mapping.propose.columns import table_columns
from recipes_app.mapping.propose.names import words_for

MAX_ROW_TEXT = 80
MAX_COLUMNS = 5


@dataclass(frozen=True, slots=True)
class Telling:
    """The column a row is called by with its value in each row, and a second one where it takes two."""

    column: str
    keys: tuple[str, ...]
    second: str = ""
    second_keys: tuple[str, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        return (self.column, self.second) if self.second else (self.column,)

    def parameters(self, noun: str) -> dict[str, str]:
        """The names of the parameters that say which row is meant, and what they are."""
        if not self.second:
            return {noun: f"the {words_for(noun)} named by its {words_for(self.column)}"}
        other = self.second if self.second != noun else f"{noun}_{self.second}"
        return {
            noun: f"the {words_for(self.column)} of the {words_for(noun)}",
            other: f"its {words_for(self.second)}, for several have the same {words_for(self.column)}",
        }

    def values_at(self, row: int) -> tuple[str, ...]:
        return (self.keys[row], self.second_keys[row]) if self.second else (self.keys[row],)


def what_tells(facts: TableFacts) -> Telling | None:
    """None where not even two columns together pick exactly one row of the page."""
    texts = [" ".join(row) for row in facts.rows]
    columns = list(_columns(facts))
    alone = [(rank, Telling(name, cells)) for rank, name, cells in columns if tells_apart(cells, texts)]
    if alone:
        return min(alone, key=lambda found: found[0])[1]
    telling = [
        Telling(name, cells, other, others)
        for (_, name, cells), (_, other, others) in combinations(sorted(columns)[:MAX_COLUMNS], 2)
        if _tell_apart(cells, others, texts)
    ]
    return next(iter(telling), None)


def _columns(facts: TableFacts) -> Iterator[tuple[tuple[int, int], str, tuple[str, ...]]]:
    """(rank, name, cells), links and short texts first."""
    for name, header, kind in table_columns(facts):
        index = facts.headers.index(header)
        cells = tuple(row[index] if index < len(row) else "" for row in facts.rows)
        linked = index < len(facts.links) and bool(facts.links[index])
        yield (0 if kind == "string" and linked else 1, index), name, cells


def tells_apart(keys: Iterable[str], texts: Sequence[str]) -> bool:
    """Every value is in the text of its own row only: "1" would be in "10" too."""
    values = list(keys)
    if any(not value or len(value) > MAX_ROW_TEXT for value in values):
        return False
    return all(sum(value in text for text in texts) == 1 for value in values)


def _tell_apart(keys: Sequence[str], others: Sequence[str], texts: Sequence[str]) -> bool:
    pairs = list(zip(keys, others, strict=True))
    if any(not value or len(value) > MAX_ROW_TEXT for pair in pairs for value in pair):
        return False
    return all(sum(one in text and two in text for text in texts) == 1 for one, two in pairs)
