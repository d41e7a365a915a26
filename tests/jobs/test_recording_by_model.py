"""A proposal that only a model can record, through the job: a scripted model, a real browser, the practice site."""

from collections.abc import Callable, Collection
from typing import Any

import pytest
from pytest_django.fixtures import Settings

from examples.practice.server import PracticeSite
from recipes_app.jobs import agents, running
from recipes_app.llm.base import Answer, OnUse, Request
from recipes_app.llm.budget import Budget
from recipes_app.llm.errors import NotConfigured
from recipes_app.llm.model import Model
from recipes_app.llm.scripted import Scripted
from recipes_app.models import Mapping, ModelUse, Recording, Site, User
from recipes_app.services import proposals, sites
from recipes_app.services.recordings import FAILED_HINT
from tests.pilot.flying import Script, done, move

Record = Callable[..., Recording]
MOVES = [
    move("type_text", on="Search products", text="{{query}}"),
    move("click", on='"Find"'),
    done(),
]


def draft(start_url: str, **more: Any) -> dict[str, Any]:
    return {
        "name": "search_products",
        "description": "Finds products.",
        "kind": "search",
        "side_effect": "read",
        "parameters": {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
        "examples": {"query": "lamp"},
        "others": {"query": "desk"},
        "start_url": start_url,
        "page_url": start_url,
        "steps": [{"op": "goto", "url": start_url}],
        "origin": "model",
        **more,
    }


@pytest.fixture
def mapping(site: Site, owner: User, place: running.Place) -> Mapping:
    made = sites.request_map(site=site, by=owner, max_pages=1)
    Mapping.objects.filter(pk=made.pk).update(method="openai")
    made.refresh_from_db()
    return made


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[Request]]:
    """`answers(script)` is what every model says; the requests it was asked are returned as they come."""

    def use(script: Callable[[Request], Answer]) -> list[Request]:
        provider = Scripted(script)

        def model_for(_method: str, *, on_use: OnUse, secrets: Collection[str], **_more: Any) -> Model:
            return Model(provider, budget=Budget(), on_use=on_use, secrets=secrets)

        monkeypatch.setattr("recipes_app.model_wiring.model_for", model_for)
        return provider.requests

    return use


@pytest.fixture
def record(mapping: Mapping, owner: User) -> Record:
    def run(document: dict[str, Any], **changes: Any) -> Recording:
        [proposal] = proposals.save_drafts(mapping=mapping, drafts=[document])
        type(proposal).objects.filter(pk=proposal.pk).update(**changes)
        proposal.refresh_from_db()
        [recording] = proposals.approve(proposals=[proposal], by=owner)
        agents.record_recipe(recording.job.pk)
        return Recording.objects.select_related("job", "proposal", "version").get(pk=recording.pk)

    return run


def test_a_proposal_without_a_plan_is_recorded_by_the_model_and_what_that_cost_is_kept(
    record: Record, practice: PracticeSite, answers: Callable[..., list[Request]], settings: Settings
) -> None:
    requests = answers(Script(MOVES))
    finished = record(draft(f"{practice.url}/products"))
    assert (finished.job.status, finished.job.error) == ("done", None)
    assert finished.job.deadline_s == 3 * settings.RECORDING_DEADLINE_S
    assert finished.version is not None
    assert [step["op"] for step in finished.version.document["steps"]] == ["goto", "type", "click", "extract_list"]
    uses = dict(ModelUse.objects.filter(job=finished.job).values_list("purpose", "requests"))
    assert (len(requests), uses) == (4, {"pilot": 3, "name": 1})
    notes = list(finished.job.steps.filter(op="note").values_list("sentence", flat=True))
    assert any("type_text" in note for note in notes)


def test_where_the_rules_have_a_plan_no_model_is_asked(
    record: Record, practice: PracticeSite, answers: Callable[..., list[Request]]
) -> None:
    requests = answers(Script(MOVES))
    url = f"{practice.url}/products"
    steps = [
        {"op": "goto", "url": url},
        {"op": "type", "target": {"role": "searchbox", "name": "Search products"}, "text": "{{query}}"},
        {"op": "click", "target": {"role": "button", "name": "Find"}},
    ]
    finished = record(draft(url, steps=steps, submit_index=2, origin="rules"))
    assert (finished.job.status, requests) == ("done", [])


def test_a_plan_that_fails_is_given_to_the_model_with_the_reason_and_so_is_a_persons_hint(
    record: Record, practice: PracticeSite, answers: Callable[..., list[Request]]
) -> None:
    requests = answers(Script(MOVES))
    url = f"{practice.url}/products"
    steps = [
        {"op": "goto", "url": url},
        {"op": "type", "target": {"role": "searchbox", "name": "Search products"}, "text": "{{query}}"},
        {"op": "click", "target": {"role": "button", "name": "Fly away"}},
    ]
    finished = record(draft(url, steps=steps, submit_index=2, origin="rules"), hint="")
    assert finished.job.status == "done", finished.job.error
    assert "Fly away" in requests[0].messages[0].text
    assert finished.version is not None
    assert "recorded a second time" in str((finished.version.verdict or {})["warnings"])


def test_what_the_last_recording_failed_of_is_told_to_the_model(
    record: Record, practice: PracticeSite, answers: Callable[..., list[Request]]
) -> None:
    requests = answers(Script(MOVES))
    finished = record(draft(f"{practice.url}/products"), hint=f"{FAILED_HINT}the list came too late")
    assert finished.job.status == "done", finished.job.error
    assert "the list came too late" in requests[0].messages[0].text
    assert finished.proposal is not None
    assert finished.proposal.hint == ""


def test_without_a_model_it_fails_in_words_that_say_so(
    record: Record, practice: PracticeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nobody(*_arguments: Any, **_more: Any) -> Model:
        raise NotConfigured("No model is set up: set OPENAI_API_KEY or ANTHROPIC_API_KEY.")

    monkeypatch.setattr("recipes_app.model_wiring.model_for", nobody)
    finished = record(draft(f"{practice.url}/products"))
    assert (finished.job.status, (finished.job.error or {})["kind"]) == ("failed", "not_configured")
    assert "OPENAI_API_KEY" in finished.job.error_text
    assert finished.proposal is not None
    assert finished.proposal.status == "failed"
