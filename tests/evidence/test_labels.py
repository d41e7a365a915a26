"""Of several places of a value the one beside the field's label is shown; where none is, the field says so."""

from typing import Any

import pytest

from evidence_app.agent.completeness import Verdict
from evidence_app.agent.layout import Layout, Piece
from evidence_app.agent.outcome import End, FieldSeen, judge_end
from evidence_app.agent.progress import Progress
from evidence_app.spec.parse import parse_spec

SPEC = parse_spec({"task_id": "t", "goal": "g", "output_schema": {"last_day": "date", "account_disabled": "date"}})
DAY = "2026-09-30"


def ended(extracted: dict[str, Any], *rows: tuple[str, str]) -> dict[str, FieldSeen]:
    """A page of labels, each with its value right of it."""
    pieces = [
        piece
        for at, (label, value) in enumerate(rows)
        for piece in (Piece(label, (10, 30.0 * at, 120, 18)), Piece(value, (200, 30.0 * at, 90, 18)))
    ]
    progress = Progress(extracted=extracted)
    progress.saw(Layout("https://a.example/", tuple(pieces), "c1"))
    fields = judge_end(SPEC, progress, End("done", "", Verdict(extracted)))[2]
    return {each.path: each for each in fields}


def test_two_fields_of_one_date_are_each_shown_beside_their_label() -> None:
    seen = ended({"last_day": DAY, "account_disabled": DAY}, ("Last day", DAY), ("Account disabled", "30 Sep 2026"))
    assert [each.problem for each in seen.values()] == ["", ""]
    seen = ended({"last_day": DAY, "account_disabled": DAY}, ("Last day", DAY), ("Account disabled", DAY))
    assert [(each.box or ())[1] for each in seen.values()] == [0, 30]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([("Last day", DAY), ("Account disabled", "Not yet")], "found beside “Last day”, not beside its label"),
        ([("Last day:", DAY)], "found beside “Last day”, not beside its label"),
        ([("Last day", DAY), ("Left on", DAY), ("Manager", "Bo")], "found 2 times, not beside its label"),
        ([("Account disabled on", DAY), ("Last day", DAY)], ""),
    ],
)
def test_a_value_that_stands_only_beside_other_labels_says_so(rows: list[tuple[str, str]], said: str) -> None:
    assert ended({"account_disabled": DAY}, *rows)["account_disabled"].problem == said


@pytest.mark.parametrize(
    ("label", "said"),
    [("Account disabled", "none, says the agent; the page says “Account disabled: Not yet”"), ("Manager", "")],
)
def test_none_where_the_page_shows_the_label_is_said_with_what_stands_there(label: str, said: str) -> None:
    seen = ended({"account_disabled": None}, (label, "Not yet"))["account_disabled"]
    assert (seen.grounding, seen.problem) == ("unchecked", said)
