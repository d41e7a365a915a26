"""The practice shop, for teams that have none yet; and a first site by its address."""

import pytest
from django.urls import reverse
from pytest_django import Settings

from recipes_app.models import Mapping, Role, Site
from tests.people import make_team, make_user
from tests.web.conftest import SignIn


@pytest.fixture
def runs(settings: Settings) -> None:
    settings.PRACTICE_RUNS, settings.PRACTICE_PORT = True, 8765


def test_it_is_offered_to_a_new_team_while_it_runs(db: None, signed_in: SignIn, runs: None) -> None:
    client = signed_in(make_user("olga", make_team(), Role.OPERATOR))
    assert "Try the practice shop" in client.get("/").content.decode()
    answer = client.post(reverse("practice_try"))
    mapping = Mapping.objects.get()
    assert answer.headers["Location"] == reverse("mapping_detail", args=[mapping.pk])
    assert mapping.site.is_demo
    page = client.get("/").content.decode()
    assert "Try the practice shop" not in page
    assert "Open the practice shop" in page


def test_it_is_offered_beside_other_sites_too(db: None, signed_in: SignIn, runs: None) -> None:
    team = make_team()
    owner = make_user("olga", team, Role.OWNER)
    Site.objects.create(team=team, slug="s", name="S", base_url="https://example.org/", created_by=owner)
    for page in ("site_list", "site_new"):
        assert "Try the practice shop" in signed_in(owner).get(reverse(page)).content.decode()


def test_it_is_not_offered_where_it_does_not_run_or_to_who_maps_nothing(
    db: None, signed_in: SignIn, settings: Settings
) -> None:
    team = make_team()
    owner, viewer = make_user("olga", team, Role.OWNER), make_user("vic", team)
    assert "practice shop" not in signed_in(owner).get("/").content.decode()
    assert "does not run here" in signed_in(owner).post(reverse("practice_try"), follow=True).content.decode()
    settings.PRACTICE_RUNS = True
    assert "Try the practice shop" not in signed_in(viewer).get("/").content.decode()


@pytest.mark.parametrize("typed", ["http://127.0.0.1:8765", "localhost:8765/products"])
def test_its_address_typed_by_hand_finds_the_same(db: None, signed_in: SignIn, runs: None, typed: str) -> None:
    client = signed_in(make_user("olga", make_team(), Role.OWNER))
    client.post(reverse("practice_try"))
    client.post(reverse("site_new"), {"base_url": typed, "method": "rules"})
    assert Site.objects.get().is_demo


def test_a_word_alone_is_no_address(db: None, signed_in: SignIn) -> None:
    client = signed_in(make_user("olga", make_team(), Role.OWNER))
    answer = client.post(reverse("site_new"), {"base_url": "foo", "method": "rules"})
    assert answer.status_code == 422
    assert "full address" in answer.content.decode()
    assert not Site.objects.exists()
