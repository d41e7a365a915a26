"""From a sentence to a task and its samples; from a discovered list to samples, as many out as in."""

from typing import Any

import pytest

from evidence_app.planning.discover import samples_from
from evidence_app.planning.planner import Plan, plan
from evidence_app.spec.samples import SamplesRefused
from recipes_app.llm.base import Answer
from recipes_app.llm.budget import Budget
from recipes_app.llm.errors import BadAnswer
from recipes_app.llm.model import Model
from recipes_app.llm.scripted import Scripted

SENTENCE = "Go to https://people.example/ and take down name and title of Ann (https://people.example/ann)."
SPEC: dict[str, Any] = {
    "task_id": "People Audit!",
    "goal": "Open the page and take down name and title.",
    "start_url": "https://people.example/",
    "output_schema": {"name": "string", "title": "string | null"},
    "required_fields": ["name"],
    "required_artifacts": ["profile_page"],
    "max_steps": 4000,
    "judgment_required": False,
    "judgment_question": "",
}
SAMPLES: list[dict[str, str]] = [{"sample_id": "ann", "url": "https://people.example/ann"}]


WRONG: list[dict[str, Any]] = [
    {"task_spec": {**SPEC, "required_fields": ["nope"]}, "samples": SAMPLES},
    {"task_spec": SPEC, "samples": []},
    {"task_spec": SPEC, "samples": [*SAMPLES, *SAMPLES]},
    {"task_spec": {**SPEC, "start_url": "javascript:x"}, "samples": SAMPLES},
]


def planned(*answers: dict[str, Any], sentence: str = SENTENCE) -> tuple[Plan, Scripted]:
    provider = Scripted([Answer(data=answer) for answer in answers])
    return plan(Model(provider, budget=Budget()), sentence), provider


def test_a_sentence_becomes_a_spec_and_samples() -> None:
    got, provider = planned({"task_spec": SPEC, "samples": SAMPLES})
    assert (got.spec.task_id, got.spec.max_steps, got.spec.judgment) == ("people_audit", 200, None)
    assert [each.sample_id for each in got.samples] == ["ann"]
    assert got.discovery is None
    assert got.warnings == ()
    assert len(provider.requests) == 1


def test_samples_that_have_to_be_found_first_make_a_discovery() -> None:
    got, _ = planned(
        {
            "task_spec": SPEC,
            "samples": [],
            "discovery_url": "https://people.example/all",
            "discovery_items": "each person",
        }
    )
    assert got.discovery is not None
    assert (got.discovery.phase, got.discovery.start_url) == ("discovery", "https://people.example/all")
    assert "each person" in got.discovery.goal


def test_a_host_that_the_request_does_not_name_is_pointed_out() -> None:
    got, _ = planned({"task_spec": SPEC, "samples": [{"sample_id": "x", "url": "https://evil.test/x"}]})
    assert got.warnings == ("evil.test is not named in the request.",)


@pytest.mark.parametrize("wrong", WRONG)
def test_what_makes_no_task_goes_back_once_with_the_reason(wrong: dict[str, Any]) -> None:
    got, provider = planned(wrong, {"task_spec": SPEC, "samples": SAMPLES})
    assert len(provider.requests) == 2
    assert got.spec.task_id == "people_audit"
    with pytest.raises(BadAnswer):
        planned(wrong, wrong)


class TestDiscovered:
    def test_as_many_out_as_in_with_whole_addresses(self) -> None:
        found = samples_from(
            {"items": [{"sample_id": "a", "url": "/p/a", "team": "x"}, {"name": "Bo", "href": "https://o.example/b"}]},
            "https://p.example/all",
        )
        assert [(each.sample_id, each.url) for each in found] == [
            ("a", "https://p.example/p/a"),
            ("Bo", "https://o.example/b"),
        ]
        assert found[0].extra["team"] == "x"

    def test_addresses_alone_are_named_by_their_end(self) -> None:
        found = samples_from({"urls": ["/p/a", "/p?id=2"]}, "https://p.example/")
        assert [each.sample_id for each in found] == ["a", "p?id=2"]

    @pytest.mark.parametrize(
        ("items", "problem"),
        [
            ([{"url": "/a"}, {"url": "/a"}], "item 2: 'a' stands there twice"),
            ([{"name": "x"}, {"name": ""}], "item 2: the sample_id is blank"),
            ([{"id": "007"}, {"id": "7"}], "can be taken for one another"),
        ],
    )
    def test_what_cannot_be_told_apart_is_refused(self, items: list[Any], problem: str) -> None:
        with pytest.raises(SamplesRefused, match=problem):
            samples_from({"items": items}, "https://p.example/")

    def test_no_list_is_said(self) -> None:
        with pytest.raises(SamplesRefused, match="no list"):
            samples_from({"note": "none"}, "https://p.example/")
