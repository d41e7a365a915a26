"""The combined table: what a spreadsheet would take for a formula is harmless, and everything else is what it was."""

from typing import Any

import pytest

from evidence_app.models import Attempt
from evidence_app.services.specs import spec_of
from evidence_app.services.tables import combined_csv, safe_cell
from tests.evidence_web.conftest import Room, evidence_root, room
from tests.ledger.vault import collect

__all__ = ["evidence_root", "room"]


@pytest.mark.parametrize(
    "text",
    ['=HYPERLINK("http://x?"&A1)', "+cmd|' /C calc'!A0", "@x", " =1+1", "\t=1", "\r=1", "-2+3", "\uff1d1", "\uff0b1",
     "\xa0=1", "\u3000=1", "\ufeff=1", "\x0b=1", "\u200b@x"],
)  # fmt: skip
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


def test_names_of_columns_are_cells_too(room: Room) -> None:
    run = collect(room, "ann")
    Attempt.objects.filter(sample__run=run).update(extracted={"=HYPERLINK(1)": "a", "@x": "b", "+1+cmd": "c"})
    assert run.version is not None
    head = combined_csv(run, spec_of(run.version)).splitlines()[0]
    assert {"'=HYPERLINK(1)", "'@x", "'+1+cmd"} <= set(head.split(","))
