"""Tables in the terminal."""

import pytest

from recipes_app.management.acting import known
from recipes_app.management.table import table

HEAD = ["tool", "effect", "arguments", "what it does"]
ROW = ["search_products_by_category", "read", "(query*, sort, page, category, most, least)", "Search the shop. " * 12]


def test_short_rows_stand_as_they_are() -> None:
    lines = list(table(["site", "tools"], [["shop", "3"], ["a", "12"]]))
    assert lines == ["site  tools", "shop  3", "a     12"]


def test_what_is_wide_wraps_within_100_columns_and_nothing_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    lines = list(table(HEAD, [ROW, ["x", "write", "()", "-"]]))
    assert max(map(len, lines)) <= 100
    assert "search_products_by_category" in lines[1]
    assert " ".join(" ".join(line[-40:] for line in lines).split()).count("Search") == 12


def test_a_narrow_terminal_and_words_without_end_are_kept_within_it() -> None:
    lines = list(table(["a", "b"], [["x" * 300, "y" * 300]], width=60))
    assert max(map(len, lines)) <= 60
    assert "".join(lines).count("x") == 300


def test_known_names_are_each_said_once_and_the_rest_is_counted() -> None:
    assert known(["b", "a", "b"]) == "; known: a, b."
    assert known([]) == "."
    assert known(f"site-{number:02}" for number in range(14)).endswith("site-11 and 2 more.")
