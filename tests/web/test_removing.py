"""Removing a site from its settings; where a mapping may start; what a refused start page is called."""

import pytest
from django.urls import reverse

from recipes_app.models import Job, Mapping, Site
from recipes_app.models.job import JobStatus
from tests.web.conftest import SignIn
from tests.web.scene import Scene, make_call, make_mapping


def test_an_owner_is_told_what_goes_and_types_the_short_name(scene: Scene, signed_in: SignIn) -> None:
    make_call(scene, JobStatus.DONE, {"ok": True, "data": {}})
    running = make_call(scene, JobStatus.RUNNING)
    client, url = signed_in(scene.owner), reverse("site_remove", args=[scene.site.pk])
    assert url in client.get(reverse("site_settings", args=[scene.site.pk])).content.decode()
    page = client.get(url).content.decode()
    assert all(
        words in page for words in ("1 tool with 1 version", "2 calls", "3 proposals", "1 job that runs or waits")
    )
    wrong = client.post(url, {"typed": "shoop"})
    assert (wrong.status_code, "That is not shop" in wrong.content.decode()) == (422, True)
    assert "Shop is removed" in client.post(url, {"typed": " shop "}, follow=True).content.decode()
    assert not Site.objects.filter(pk=scene.site.pk).exists()
    assert not Job.objects.filter(pk=running.job_id).exists()


def test_an_editor_is_not_offered_to_remove_it(scene: Scene, signed_in: SignIn) -> None:
    page = signed_in(scene.editor).get(reverse("site_settings", args=[scene.site.pk])).content.decode()
    assert "Remove this site" not in page


@pytest.mark.parametrize("start", ["https://elsewhere.example.org/", "foo bar"])
def test_a_mapping_elsewhere_is_refused_beside_its_field(scene: Scene, signed_in: SignIn, start: str) -> None:
    given = {"max_pages": 5, "max_depth": 1, "method": "rules", "start_url": start}
    answer = signed_in(scene.operator).post(reverse("mapping_start", args=[scene.site.pk]), given)
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == ["start_url"]
    assert Mapping.objects.count() == 1


def test_a_public_host_that_was_refused_is_never_called_private(scene: Scene, signed_in: SignIn) -> None:
    said = "shop.example.com: this host is not one the run may reach"
    error = {"error": said, "kind": "blocked_by_policy", "host": "shop.example.com"}
    mapping, _ = make_mapping(scene.site, scene.owner, JobStatus.FAILED, error=error)
    url = reverse("mapping_detail", args=[mapping.pk])
    page = signed_in(scene.editor).get(url).content.decode()
    assert "private address" not in page
    assert "Let runs reach shop.example.com" in page
    assert "Ask an editor" in signed_in(scene.operator).get(url).content.decode()
    signed_in(scene.editor).post(reverse("host_allow", args=[scene.site.pk]), {"host": "shop.example.com"})
    scene.site.refresh_from_db()
    assert scene.site.allowed_hosts == ["shop.example.com"]
    assert "shop.example.com</span>, which" not in signed_in(scene.editor).get(url).content.decode()
