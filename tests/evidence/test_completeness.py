"""`done` is checked by machine: fields, artifacts, items, milestones and the judgment."""

from typing import Any

import pytest

from evidence_app.agent.completeness import Collected, artifact_matches, check_done
from evidence_app.spec.parse import parse_spec

SPEC = {
    "task_id": "t",
    "goal": "g",
    "output_schema": {"name": "string", "age": "integer | null", "rows": "list[object]", "notes": "list[string]"},
    "required_fields": ["name"],
    "required_artifacts": ["person page"],
}
GOOD = {"name": "Ann", "age": "41", "rows": [{"a": 1}], "notes": []}
JUDGMENT = {"answer": "yes", "confidence": 0.9, "reasoning": "It says so.", "references": ["person page"]}


def codes(collected: Collected, **more: Any) -> list[str]:
    return [reason.code for reason in check_done(parse_spec({**SPEC, **more}), collected).reasons]


def collected(**more: Any) -> Collected:
    return Collected(**{"extracted": GOOD, "artifacts": frozenset({"person page"}), **more})


def test_what_is_complete_is_done_and_typed() -> None:
    verdict = check_done(parse_spec(SPEC), collected())
    assert verdict.complete
    assert verdict.extracted["age"] == 41


@pytest.mark.parametrize("value", ["", "  ", None, [], {}])
def test_an_empty_required_field_is_missing(value: object) -> None:
    assert codes(collected(extracted={**GOOD, "name": value})) == ["missing_field"]


def test_a_value_of_another_type_is_reported() -> None:
    assert codes(collected(extracted={**GOOD, "age": "old"})) == ["wrong_type"]


@pytest.mark.parametrize(
    ("label", "wanted", "same"), [("person page", "person_page", True), ("a.png", "png", False), ("10", "0", False)]
)
def test_artifacts_match_by_their_whole_label(label: str, wanted: str, same: bool) -> None:
    assert artifact_matches(label, wanted) is same


def test_expected_items_are_those_of_the_named_list() -> None:
    """A longer list of something else does not make up for it."""
    data = {**GOOD, "rows": [{"a": 1}], "notes": ["x"] * 9}
    verdict = check_done(parse_spec({**SPEC, "expected_items": 3}), collected(extracted=data))
    assert [reason.text for reason in verdict.reasons] == ["rows has 1 of 3 expected items."]
    assert verdict.only_few
    assert codes(collected(extracted=data), expected_items=3, expected_items_field="notes") == []


def test_milestones_that_are_required_must_be_marked() -> None:
    more = {"milestones": ["signed in", {"id": "seen help", "required": False}]}
    assert codes(collected(), **more) == ["missing_milestone"]
    assert codes(collected(milestones=frozenset({"signed in"})), **more) == []


@pytest.mark.parametrize(
    "change",
    [
        {"answer": "maybe"},
        {"confidence": 3},
        {"confidence": True},
        {"reasoning": " "},
        {"references": []},
        {"removed": "?"},
    ],
)
def test_a_judgment_that_lacks_something_is_incomplete(change: dict[str, Any]) -> None:
    more = {
        "judgment_required": True,
        "judgment_question": "Removed?",
        "judgment_output_schema": {"removed": "boolean"},
    }
    whole = {**JUDGMENT, "removed": True}
    assert codes(collected(judgment=whole), **more) == []
    assert codes(collected(judgment={**whole, **change}), **more) == ["judgment_incomplete"]
    assert codes(collected(judgment=None), **more) == ["judgment_incomplete"]
