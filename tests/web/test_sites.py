"""Adding, mapping and setting up sites."""

import pytest
from django.urls import reverse
from pytest_django.fixtures import Settings

from recipes_app.models import Mapping, Role, Site
from recipes_app.models.job import JobStatus
from tests.people import make_site, make_team, make_user
from tests.web.conftest import SignIn
from tests.web.scene import Scene, make_mapping


def test_an_empty_installation_asks_for_one_address(db: None, signed_in: SignIn) -> None:
    page = signed_in(make_user("olga", make_team(), Role.OWNER)).get("/").content.decode()
    assert "Map your first website" in page
    assert 'name="base_url"' in page
    assert "practice shop" not in page


def test_the_practice_shop_is_offered_when_there_is_one(db: None, signed_in: SignIn) -> None:
    team = make_team()
    owner = make_user("olga", team, Role.OWNER)
    Site.objects.create(team=team, slug="p", name="P", base_url="http://x/", is_demo=True, created_by=owner)
    assert "practice shop" in signed_in(owner).get("/").content.decode()


def test_models_without_a_key_are_shown_as_not_ready_and_refused(scene: Scene, signed_in: SignIn) -> None:
    client = signed_in(scene.editor)
    page = client.get(reverse("site_new")).content.decode()
    assert "No key is set (OPENAI_API_KEY)" in page
    response = client.post(reverse("site_new"), {"base_url": "example.org", "method": "openai"})
    assert response.status_code == 422
    assert "choose Rules" in response.content.decode()
    assert not Site.objects.filter(base_url__contains="example.org").exists()


def test_one_form_makes_the_site_and_maps_it(scene: Scene, signed_in: SignIn) -> None:
    response = signed_in(scene.editor).post(reverse("site_new"), {"base_url": "shop.example.org", "method": "rules"})
    mapping = Mapping.objects.get(site__base_url="https://shop.example.org/")
    assert response.headers["Location"] == reverse("mapping_detail", args=[mapping.pk])
    assert mapping.job.status == JobStatus.QUEUED


def test_a_wrong_address_is_told_beside_its_field_and_kept(scene: Scene, signed_in: SignIn) -> None:
    response = signed_in(scene.editor).post(reverse("site_new"), {"base_url": "ftp://x y/", "method": "rules"})
    page = response.content.decode()
    assert response.status_code == 422
    assert 'value="ftp://x y/"' in page
    assert 'aria-invalid="true"' in page


def test_mapping_twice_at_once_is_refused_in_words(scene: Scene, signed_in: SignIn) -> None:
    client, url = signed_in(scene.operator), reverse("mapping_start", args=[scene.site.pk])
    given = {"max_pages": 5, "max_depth": 1, "method": "rules", "start_url": "/products"}
    assert client.post(url, given).status_code == 302
    second = client.post(url, given)
    assert second.status_code == 422
    assert "being mapped already" in second.content.decode()
    assert 'value="/products"' in second.content.decode()


def test_an_editor_changes_settings_but_not_private_addresses(
    scene: Scene, signed_in: SignIn, settings: Settings
) -> None:
    settings.OWNERS_MAY_OPEN_PRIVATE_HOSTS = True
    given = {
        "name": "Renamed",
        "time_zone": "Europe/Berlin",
        "locale": "de-DE",
        "viewport_width": 1000,
        "viewport_height": 700,
        "canary_hours": 6,
        "allowed_hosts": "cdn.example.org\n*.example.net",
        "private_hosts": "10.0.0.5:80",
    }
    before = scene.site.private_hosts
    assert signed_in(scene.editor).post(reverse("site_settings", args=[scene.site.pk]), given).status_code == 302
    scene.site.refresh_from_db()
    assert (scene.site.name, scene.site.allowed_hosts) == ("Renamed", ["cdn.example.org", "*.example.net"])
    assert scene.site.private_hosts == before
    assert signed_in(scene.owner).post(reverse("site_settings", args=[scene.site.pk]), given).status_code == 302
    scene.site.refresh_from_db()
    assert scene.site.private_hosts == ["10.0.0.5:80"]


def test_wrong_settings_keep_what_was_typed(scene: Scene, signed_in: SignIn) -> None:
    given = {
        "name": "N",
        "time_zone": "UTC",
        "locale": "en",
        "viewport_width": 900,
        "viewport_height": 700,
        "canary_hours": 0,
    }
    url = reverse("site_settings", args=[scene.site.pk])
    response = signed_in(scene.editor).post(url, {**given, "allowed_hosts": "not a host"})
    assert response.status_code == 422
    assert "not a host" in response.content.decode()
    scene.site.refresh_from_db()
    assert scene.site.name != "N"


def test_a_refused_host_is_allowed_by_one_button_and_no_other_host_is(scene: Scene, signed_in: SignIn) -> None:
    client, url = signed_in(scene.editor), reverse("host_allow", args=[scene.site.pk])
    assert "cdn.example.org" in client.get(reverse("site_detail", args=[scene.site.pk])).content.decode()
    assert client.post(url, {"host": "evil.example"}).status_code == 403
    assert client.post(url, {"host": "cdn.example.org"}).status_code == 302
    scene.site.refresh_from_db()
    assert scene.site.allowed_hosts == ["cdn.example.org"]
    assert client.post(url, {"host": "cdn.example.org"}).status_code == 403


@pytest.mark.parametrize("owners_may", [False, True])
def test_a_private_start_page_is_offered_to_whoever_may_open_it(
    scene: Scene, signed_in: SignIn, settings: Settings, owners_may: bool
) -> None:
    settings.OWNERS_MAY_OPEN_PRIVATE_HOSTS = owners_may
    opener = scene.owner if owners_may else make_user("root", is_superuser=True)
    others = [scene.editor] if owners_may else [scene.editor, scene.owner]
    scene.site.private_hosts = []
    scene.site.save()
    refusal = {"error": "127.0.0.1 is a loopback address", "kind": "blocked_by_policy"}
    mapping, _ = make_mapping(scene.site, scene.owner, JobStatus.FAILED, error=refusal)
    url = reverse("mapping_detail", args=[mapping.pk])
    given = {"host": "127.0.0.1:1", "private": "1"}
    for person in others:
        page = signed_in(person).get(url).content.decode()
        assert "Let runs reach" not in page
        assert f"Ask an {'owner' if owners_may else 'administrator'}" in page
        signed_in(person).post(reverse("host_allow", args=[scene.site.pk]), given)
        scene.site.refresh_from_db()
        assert scene.site.private_hosts == []
    assert "Let runs reach 127.0.0.1:1" in signed_in(opener).get(url).content.decode()
    signed_in(opener).post(reverse("host_allow", args=[scene.site.pk]), given)
    scene.site.refresh_from_db()
    assert scene.site.private_hosts == ["127.0.0.1:1"]


def test_a_running_mapping_answers_polls_only_when_something_changed(scene: Scene, signed_in: SignIn) -> None:
    mapping, _ = make_mapping(scene.site, scene.owner, JobStatus.RUNNING, phase="crawl")
    client, url = signed_in(scene.viewer), reverse("mapping_live", args=[mapping.pk])
    first = client.get(url, headers={"HX-Request": "true"})
    mark = first.context["mark"]
    assert b"its name says it ends the session" in first.content
    assert client.get(url, {"seen": mark}, headers={"HX-Request": "true"}).status_code == 204
    mapping.job.phase = "propose"
    mapping.job.save()
    assert client.get(url, {"seen": mark}, headers={"HX-Request": "true"}).status_code == 200


def test_the_board_opens_itself_when_proposals_are_there(scene: Scene, signed_in: SignIn) -> None:
    response = signed_in(scene.viewer).get(reverse("mapping_live", args=[scene.mapping.pk]))
    assert response.headers["HX-Redirect"] == reverse("board", args=[scene.mapping.pk])


def test_what_a_model_would_cost_is_said_before_it_is_asked(
    scene: Scene, signed_in: SignIn, settings: Settings
) -> None:
    client, site = signed_in(scene.editor), make_site(scene.team, scene.editor, slug="new-one")
    settings.OPENAI_API_KEY, settings.ANTHROPIC_API_KEY, settings.AGENTIFY_MODEL = "sk-test", "", "gpt-5.4-mini"
    page = client.get(reverse("mapping_start", args=[site.pk])).content.decode()
    assert "gpt-5.4-mini reviews what the rules propose" in page
    assert "About 1 request and" in page
    assert "about $0.0" in page
    assert "No key is set (ANTHROPIC_API_KEY)" in page
    more = client.get(reverse("mapping_start", args=[site.pk]), {"max_pages": "40", "method": "openai"})
    assert "tokens for 40 pages" in more.content.decode()
    settings.AGENTIFY_MODEL = "a-model-of-ones-own"
    assert "price not known" in client.get(reverse("mapping_start", args=[site.pk])).content.decode()


def test_a_mapping_by_model_keeps_its_limit(scene: Scene, signed_in: SignIn, settings: Settings) -> None:
    settings.OPENAI_API_KEY = "sk-test"
    given = {"max_pages": 5, "max_depth": 1, "method": "openai", "budget_tokens": 9000}
    signed_in(scene.editor).post(reverse("mapping_start", args=[scene.site.pk]), given)
    mapping = Mapping.objects.latest("pk")
    assert (mapping.method, mapping.budget_tokens) == ("openai", 9000)
