"""Three tools of the practice shop, mapped, recorded and verified, with a model and without, counted at a desk.

The answers in the cassettes were written by a person who saw nothing but the questions. A token is what the desk
counts: four characters of all that is sent and answered, instructions and schema included.
"""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest

from recipes_app.jobs import agents, running
from recipes_app.models import Mapping, ModelUse, Proposal, Recording, Site, User
from recipes_app.models.mapping import Method
from recipes_app.services import model_use, proposals, sites
from tests.desks import DeskReplay

THREE = {("search", "/products"), ("action", "/contact"), ("list", "/products")}
MOST_REQUESTS, MOST_TOKENS = 7, 8300


def mapped(site: Site, owner: User, method: str) -> Mapping:
    mapping = sites.request_map(site=site, by=owner, asking=sites.Asking(method))
    agents.map_site(mapping.job.pk)
    mapping.refresh_from_db()
    return mapping


def three_of(mapping: Mapping) -> list[Proposal]:
    """Search with filters, contact form, product list, whatever they are called."""
    waiting = mapping.proposals.undecided()
    found = [each for each in waiting if (each.kind, urlsplit(each.start_url).path) in THREE]
    return [each for each in found if each.kind != "list" or "product" in each.name]


def recorded(chosen: list[Proposal], owner: User) -> list[Recording]:
    recordings = proposals.approve(proposals=chosen, by=owner)
    for recording in recordings:
        agents.record_recipe(recording.job.pk)
        recording.refresh_from_db()
    return recordings


def test_three_tools_cost_nothing_with_rules(place: running.Place, site: Site, owner: User) -> None:
    chosen = three_of(mapped(site, owner, Method.RULES))
    assert len(chosen) == 3
    for recording in recorded(chosen, owner):
        assert recording.version is not None
        assert recording.version.verdict is not None
        assert recording.version.verdict["passed"], recording.version.verdict
    assert not ModelUse.objects.exists()


@pytest.mark.parametrize("method", [Method.OPENAI, Method.ANTHROPIC])
def test_three_tools_cost_little_with_a_model(
    method: str, place: running.Place, site: Site, owner: User, desk_replay: DeskReplay
) -> None:
    desk = desk_replay(f"map_practice_{method}", loose=True)
    mapping = mapped(site, owner, method)
    assert mapping.model_said["failure"] == ""
    chosen = three_of(mapping)
    assert len(chosen) == 3
    assert any("price range" in each.description for each in chosen)
    for recording in recorded(chosen, owner):
        assert recording.version is not None
        assert recording.version.verdict is not None
        assert recording.version.verdict["passed"], recording.version.verdict
    total, report = model_use.of_mapping(mapping), desk.report()
    assert total.requests == report["answered"] <= MOST_REQUESTS
    assert total.tokens == report["tokens"]["total"] <= MOST_TOKENS
