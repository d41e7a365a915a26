"""The benches of the evidence agent: their goals name what is there, and a figure that is not met is said."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bench import chaos, observe
from bench.chaos import clerk
from bench.frame import NotReady, Options

FIGURES: dict[str, Any] = {
    "samples": 2, "complete": 2, "duplicated": 0, "repeated": 0, "never sent": 0, "rows without file": 0,
    "files without row": 0, "longest resume s": 31.0,
}  # fmt: skip


def test_there_are_forty_goals_and_each_needs_something() -> None:
    goals = observe.goals()
    assert len(goals) == 40
    assert all(goal.needs and goal.goal and goal.path.startswith("/") for goal in goals)


def test_what_is_not_shown_of_a_page_lowers_the_recall() -> None:
    lost = {"recall": 0.9, "not shown": ["link Next"]}
    assert observe.result_of({}, lost).met is False
    assert observe.result_of({}, {**lost, "recall": 0.95}).met is True


def test_a_page_that_takes_more_than_its_share_of_time_is_not_met() -> None:
    sizes = {size: {"ms": {"ours": ours, "playwright": 100.0}} for size, ours in ((300, 90.0), (3_000, 26.0))}
    result = observe.result_of(sizes, None)
    assert (result.value, result.met) == (0.26, False)


@pytest.mark.parametrize("site", ["http://127.0.0.1:1", "nobody=http://x", "wiki=ftp"])
def test_a_site_is_named_as_the_goals_name_it(site: str) -> None:
    with pytest.raises(NotReady, match="NAME=URL"):
        observe.named([site])


@pytest.mark.slow
def test_a_small_page_is_shown_in_forty_elements_and_the_goals_of_the_practice_site_are_met() -> None:
    result = observe.run(Options(rounds=1, only=("300", "recall")))
    assert result.detail["300 controls"]["elements"] == 40
    assert result.detail["recall"]["recall"] == 1.0


@pytest.mark.parametrize("name", ["duplicated", "repeated", "never sent", "rows without file", "files without row"])
def test_one_of_anything_that_must_not_be_is_not_met(name: str) -> None:
    assert chaos.result_of(FIGURES).met
    assert not chaos.result_of({**FIGURES, name: 1}).met


def test_an_incomplete_sample_or_a_late_one_is_not_met() -> None:
    assert not chaos.result_of({**FIGURES, "complete": 1}).met
    assert not chaos.result_of({**FIGURES, "longest resume s": 91.0}).met


@pytest.mark.parametrize("only", [("0",), ("x",), ("1", "2")])
def test_the_seconds_between_two_kills_are_one_number(only: tuple[str, ...]) -> None:
    with pytest.raises(NotReady):
        chaos.seconds_between(only)
    assert chaos.seconds_between(("60",)) == 60


SAMPLE = {"sample_id": "r1", "employee": "e1003", "reason": "review number 001"}
FORM = 'http://x/office/access/new\n1 textbox "Employee number"\n2 button "Send request"'
LIST = "http://x/office/access?person=e1003\nText:\nAR-4 | e1003 | ledger | 2026-06-30 | review number 001"


def question(page: str, note: str = "") -> clerk.Question:
    return clerk.Question(f"Sample: {json.dumps(SAMPLE)}\n\n{note}\n\nThe page now:\n{page}")


def test_the_scripted_clerk_looks_at_the_list_before_it_sends_anything_again() -> None:
    note = "Note: You were interrupted after step 6 and go on now."
    assert clerk.move(question(FORM, note)) == ("goto", {"url": "http://x/office/access?person=e1003"})
    assert clerk.move(question(FORM)) == ("type", {"element": 1, "text": "e1003"})
    assert clerk.move(question(LIST)) == ("goto", {"url": "http://x/office/access/4"})
    other = LIST.replace("001", "002")
    assert clerk.move(question(other)) == ("goto", {"url": "http://x/office/access/new"})
