"""Names that are taken in the very moment: refused in words, by nobody as a fault of ours."""

from collections.abc import Callable

import pytest

from recipes_app.models import Mapping, Team
from recipes_app.services import people as service
from recipes_app.services import proposals, sites
from recipes_app.services.errors import WrongState
from tests.services.conftest import People
from tests.services.test_proposals import draft, mapping  # noqa: F401


def test_a_team_a_site_and_a_proposal_whose_name_was_just_taken(
    people: People,
    mapping: Mapping,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one, _ = proposals.save_drafts(mapping=mapping, drafts=[draft("one"), draft("two")])
    monkeypatch.setattr(service, "_free_slug", lambda name: people.team.slug)
    monkeypatch.setattr(sites, "_free_slug", lambda team, stem: mapping.site.slug)
    monkeypatch.setattr(proposals, "_check_name", lambda proposal: None)
    attempts: list[Callable[[], object]] = [
        lambda: service.create_team(name="Blue", owner=people.stranger),
        lambda: sites.create_site(team=people.team, by=people.owner, base_url="https://example.org/"),
        lambda: proposals.edit(proposal=one, by=people.editor, name="two"),
    ]
    for attempt in attempts:
        with pytest.raises(WrongState):
            attempt()
    assert Team.objects.count() == 2
