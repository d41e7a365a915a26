"""Mapping with a model behind a real client: what it says is kept, and whatever goes wrong loses nothing."""

import json
import re
from functools import partial
from typing import Any

import pytest
from pytest_django.fixtures import Settings

from recipes_app import model_wiring
from recipes_app.engine.events import Event, Progress
from recipes_app.jobs import agents, running
from recipes_app.llm.model import Manners
from recipes_app.models import Mapping, ModelUse, Proposal, Site, User
from recipes_app.models.mapping import Method
from recipes_app.models.proposal import ProposalOrigin, ProposalStatus
from recipes_app.services import proposals, runs, sites
from tests.desks import QUICK, DeskFaults, DeskScript
from tests.reviews import added, review, said

SERVICES = [Method.OPENAI, Method.ANTHROPIC]
RULES = {"add_to_cart", "list_featured_products"}


def mapped(site: Site, owner: User, method: str = Method.OPENAI, **more: Any) -> Mapping:
    asking = sites.Asking(method, budget_tokens=more.pop("budget_tokens", None))
    mapping = sites.request_map(site=site, by=owner, max_pages=2, asking=asking, **more)
    agents.map_site(mapping.job.pk)
    mapping.refresh_from_db()
    mapping.job.refresh_from_db()
    return mapping


def cart_too(request: dict[str, Any], *more: dict[str, Any]) -> dict[str, Any]:
    """A review that adds what is behind the link to the cart, by the number the question gives it."""
    link = re.search(r"(\d+) Cart \(/cart\)", json.dumps(request))
    assert link is not None
    return review(*more, added("show_cart", page=1, part=f"link {link[1]}", description="Show what is in the cart."))


@pytest.mark.parametrize("method", SERVICES)
def test_what_a_model_says_is_kept_with_what_it_cost(
    method: str, place: running.Place, site: Site, owner: User, desk_script: DeskScript
) -> None:
    desk = desk_script(
        lambda request: {"json": cart_too(request, said("add_to_cart", description="Put a product into the cart."))}
    )
    mapping = mapped(site, owner, method)
    assert (mapping.job.status, mapping.model_said["failure"], mapping.model_said["notes"]) == ("done", "", [])
    assert desk.report()["answered"] == 1
    new = mapping.proposals.get(name="show_cart")
    assert (new.origin, new.side_effect, new.status) == (ProposalOrigin.MODEL, "read", ProposalStatus.PROPOSED)
    assert mapping.proposals.filter(description="Put a product into the cart.").exists()
    assert set(mapping.proposals.values_list("name", flat=True)) > RULES
    use = ModelUse.objects.get(job=mapping.job)
    assert (use.provider, use.purpose, use.requests) == (method, "propose", 1)
    assert use.input_tokens > 500


def test_what_a_model_sets_aside_can_be_taken_back(
    place: running.Place, site: Site, owner: User, desk_script: DeskScript
) -> None:
    desk_script([{"json": review(said("list_featured_products", verdict="drop", why="the home page is no catalogue"))}])
    mapping = mapped(site, owner)
    (aside,) = [each for each in mapping.proposals.all() if each.is_set_aside]
    assert "the home page is no catalogue" in aside.reason
    assert aside not in Proposal.objects.waiting()
    assert "1 more set aside" in mapping.job.note
    assert len(proposals.approve(proposals=[aside], by=owner)) == 1


@pytest.mark.parametrize("method", SERVICES)
def test_without_a_key_the_rules_propose_and_the_row_says_why(
    method: str, place: running.Place, site: Site, owner: User, settings: Settings
) -> None:
    settings.OPENAI_API_KEY = settings.OPENAI_BASE_URL = settings.ANTHROPIC_API_KEY = ""
    mapping = mapped(site, owner, method)
    assert mapping.job.status == "done"
    assert f"{method.upper()}_API_KEY" in mapping.model_said["failure"]
    assert mapping.model_said["failure"].rstrip(".") in mapping.job.note
    assert set(mapping.proposals.values_list("name", flat=True)) >= RULES


# What ends well, by patience or by the repair round; then what a service never stops doing.
PASSING = ["1:429=0.1,2:reset,3:500", "1:529,2:truncated", "1:cut", "1:wrong_type", "1:empty", "1:max_tokens"]
LASTING = [
    "*:429=120",
    "*:529",
    "*:reset",
    "*:cut",
    "*:truncated",
    "*:wrong_type",
    "*:refusal",
    "*:empty",
    "*:max_tokens",
]
FEW = {PASSING[0], PASSING[1], "*:529", "*:wrong_type"}
FAULTS = [pytest.param(each, marks=() if each in FEW else pytest.mark.slow) for each in (*PASSING, *LASTING)]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """As patient as ever, in short."""
    monkeypatch.setattr(model_wiring, "Manners", partial(Manners, retries=QUICK))


@pytest.mark.parametrize("method", SERVICES)
@pytest.mark.parametrize("schedule", FAULTS)
def test_no_fault_of_a_service_loses_the_survey_or_the_rules_proposals(
    method: str, schedule: str, place: running.Place, site: Site, owner: User, desk_faults: DeskFaults, quick: None
) -> None:
    desk_faults(schedule, lambda request: {"json": cart_too(request)})
    mapping = mapped(site, owner, method)
    names = set(mapping.proposals.values_list("name", flat=True))
    assert mapping.job.status == "done"
    assert mapping.pages.count() == (2 if mapping.model_said["failure"] else 3)
    assert names >= RULES
    assert ("show_cart" in names) is not bool(mapping.model_said["failure"])
    failure = mapping.model_said["failure"]
    assert bool(failure) is schedule.startswith("*")
    assert len(failure) < 500
    assert "\n" not in failure


def test_a_budget_too_small_for_one_question_asks_nothing(
    place: running.Place, site: Site, owner: User, desk_script: DeskScript
) -> None:
    desk = desk_script([])
    mapping = mapped(site, owner, budget_tokens=1000)
    assert desk.report()["answered"] == 0
    assert "budget" in mapping.model_said["failure"]
    assert set(mapping.proposals.values_list("name", flat=True)) >= RULES


def test_cancelled_while_the_model_is_asked_the_rules_proposals_are_kept(
    place: running.Place, site: Site, owner: User, desk_script: DeskScript
) -> None:
    def answer(request: dict[str, Any]) -> dict[str, Any]:
        return {"json": review(), "delay": 20}

    desk_script(answer)
    mapping = sites.request_map(site=site, by=owner, max_pages=2, asking=sites.Asking(Method.OPENAI))

    def said(event: Event) -> None:
        if isinstance(event, Progress) and "Asking" in event.note:
            runs.request_cancel(job=mapping.job, by=owner)

    place.said = said
    agents.map_site(mapping.job.pk)
    mapping.job.refresh_from_db()
    assert mapping.job.status == "cancelled"
    assert set(mapping.proposals.values_list("name", flat=True)) >= RULES
