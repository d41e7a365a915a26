"""The answer to "which ones?"."""

from typing import Any

import pytest

from recipes_app.management.choosing import approvable, choose, question, read_choice
from recipes_app.management.plain import Refused
from recipes_app.models import Proposal
from recipes_app.services.wording import submits_in_words


def proposals() -> list[Proposal]:
    shared: dict[str, Any] = {"description": "Do it.", "parameters": {"properties": {"q": {}}}}
    return [
        Proposal(name="search", kind="search", side_effect="read", submits=2, **shared),
        Proposal(name="order", kind="action", side_effect="write", submits=2, **shared),
        Proposal(name="log_in", kind="login", side_effect="write", **shared),
        Proposal(name="log_in_to_look", kind="login", side_effect="read", **shared),
        Proposal(name="relabelled", kind="action", side_effect="read", proposed_effect="write", submits=2, **shared),
        Proposal(name="delete_order", kind="action", side_effect="destructive", dry_run=True, **shared),
    ]


@pytest.mark.parametrize(
    ("answer", "names"),
    [
        ("", ["search"]),
        ("read", ["search"]),
        ("all", ["search", "order", "relabelled"]),
        (" A ", ["search", "order", "relabelled"]),
        ("none", []),
        ("n", []),
        ("1,3", ["search", "log_in"]),
        ("6", ["delete_order"]),
        ("delete_order Search", ["search", "delete_order"]),
        ("3 1, 1", ["search", "log_in"]),
        ("2,", ["order"]),
        ("y", None),
        ("yes", None),
        ("0", None),
        ("7", None),
        ("1,x", None),
        (",", None),
        ("²", None),
        ("-1", None),
    ],
)
def test_answers(answer: str, names: list[str] | None) -> None:
    chosen = read_choice(answer, proposals())
    assert (None if chosen is None else [each.name for each in chosen]) == names


def test_the_question_says_what_enter_takes() -> None:
    assert "Enter takes the 1 that only read" in question(proposals())
    assert "Enter takes none" in question(proposals()[1:])


def test_it_asks_until_there_is_an_answer() -> None:
    answers = iter(["9", "what", "2"])
    said: list[str] = []
    assert [each.name for each in choose(proposals(), ask=lambda _: next(answers), say=said.append)] == ["order"]
    assert said[-1] == "'what' is none of: all, none, names, or numbers from 1 to 6."


def test_what_is_sent_while_recording_is_said_in_the_words_of_the_board() -> None:
    said: list[str] = []
    choose(proposals(), ask=lambda _: "none", say=said.append)
    search, order, sends, *_ = said
    assert search == "  1  search(q)  [read-only]  Do it."
    assert "submit" not in search
    assert order.startswith("  2  order(q)  [")
    assert (
        sends.strip()
        == submits_in_words(proposals()[1])
        == ("This will really submit twice: to record it, and to verify it with other values.")
    )


def test_what_all_leaves_out_is_said() -> None:
    said: list[str] = []
    choose(proposals(), ask=lambda _: "all", say=said.append)
    assert [line.split(":")[0] for line in said[-3:]] == [
        "left out log_in",
        "left out log_in_to_look",
        "left out delete_order",
    ]


def test_nobody_there_is_a_refusal_that_names_the_ways_without_asking() -> None:
    def nobody(_: str) -> str:
        raise EOFError

    with pytest.raises(Refused, match="--auto-approve or --board"):
        choose(proposals(), ask=nobody, say=lambda _: None)


def test_logins_are_never_approved_by_themselves() -> None:
    assert [each.name for each in approvable(proposals())] == ["search", "order", "relabelled", "delete_order"]
