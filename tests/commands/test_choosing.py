"""The answer to "which ones?"."""

from typing import Any

import pytest

from recipes_app.management.choosing import approvable, choose, read_choice
from recipes_app.management.command import Refused
from recipes_app.models import Proposal


@pytest.mark.parametrize(
    ("answer", "numbers"),
    [
        ("", [1, 2, 3]),
        ("all", [1, 2, 3]),
        (" Y ", [1, 2, 3]),
        ("none", []),
        ("n", []),
        ("1,3", [1, 3]),
        ("3 1, 1", [1, 3]),
        ("2,", [2]),
        ("0", None),
        ("4", None),
        ("1,x", None),
        (",", None),
        ("²", None),
        ("-1", None),
    ],
)
def test_answers(answer: str, numbers: list[int] | None) -> None:
    assert read_choice(answer, 3) == numbers


def proposals() -> list[Proposal]:
    shared: dict[str, Any] = {"description": "Do it.", "parameters": {"properties": {"q": {}}}}
    return [
        Proposal(name="search", kind="search", side_effect="read", **shared),
        Proposal(name="order", kind="action", side_effect="write", submits=2, **shared),
        Proposal(name="log_in", kind="login", side_effect="write", **shared),
    ]


def test_it_asks_until_there_is_an_answer() -> None:
    answers = iter(["7", "what", "2"])
    said: list[str] = []
    assert [each.name for each in choose(proposals(), ask=lambda _: next(answers), say=said.append)] == ["order"]
    assert "submits 2 times while it is recorded" in said[1]
    assert said[3] == "'7' is none of: all, none, or numbers from 1 to 3."


def test_nobody_there_is_a_refusal_that_names_the_ways_without_asking() -> None:
    def nobody(_: str) -> str:
        raise EOFError

    with pytest.raises(Refused, match="--auto-approve or --board"):
        choose(proposals(), ask=nobody, say=lambda _: None)


def test_logins_are_never_approved_by_themselves() -> None:
    assert [each.name for each in approvable(proposals())] == ["search", "order"]
