"""What somebody may try with nothing but a browser or a website of their own, and what comes of it."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from recipes_app.models import Site, SurveyPage
from recipes_app.models.job import JobStatus
from tests.people import PASSWORD
from tests.web.conftest import SignIn
from tests.web.scene import Scene, make_call

MARKUP = '"><img src=x onerror=alert(1)></script><script>alert(2)</script>'


@pytest.mark.parametrize("host", ["evil.test", "testserver.evil.test", "testserver@evil.test", "127.0.0.1.evil.test"])
def test_another_host_than_ones_own_is_refused(db: None, host: str) -> None:
    """So that no link of a mail leads elsewhere, and no name that turns to this machine reads its pages."""
    assert Client().get(reverse("login"), headers={"host": host}).status_code == 400


def test_pages_are_kept_by_nobody_but_the_browser_they_were_for(scene: Scene, signed_in: SignIn) -> None:
    client = signed_in(scene.viewer)
    for address in (reverse("home"), reverse("site_detail", args=[scene.site.pk]), "/api/v1/sites"):
        assert "private" in client.get(address).headers["Cache-Control"], address
    client.post(reverse("logout"))
    assert client.get(reverse("site_detail", args=[scene.site.pk])).status_code == 302


def test_the_cookie_of_a_session_is_out_of_reach_of_scripts_and_of_other_sites(scene: Scene) -> None:
    client = Client()
    client.cookies["sessionid"] = "a" * 32  # as somebody else would have planted it
    client.post(reverse("login"), {"username": scene.owner.username, "password": PASSWORD})
    cookie = client.cookies["sessionid"]
    assert cookie.value != "a" * 32
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")


def test_what_a_website_says_is_text_on_every_page(scene: Scene, signed_in: SignIn) -> None:
    """Titles, what was extracted, and the words of an error."""
    SurveyPage.objects.filter(mapping=scene.mapping).update(title=MARKUP)
    Site.objects.filter(pk=scene.site.pk).update(name=MARKUP)
    done = make_call(scene, JobStatus.DONE, {"ok": True, "data": {MARKUP: [{MARKUP: MARKUP}], "said": MARKUP}})
    failed = make_call(
        scene, JobStatus.FAILED, {"ok": False, "error": MARKUP, "kind": "missing", "failed_step": MARKUP}
    )
    client, shown = signed_in(scene.owner), 0
    for address in (
        reverse("home"), reverse("site_list"), reverse("site_detail", args=[scene.site.pk]),
        reverse("mapping_detail", args=[scene.mapping.pk]), reverse("board", args=[scene.mapping.pk]),
        reverse("call_detail", args=[done.job.public_id]), reverse("call_detail", args=[failed.job.public_id]),
        reverse("tool_detail", args=[scene.recipe.pk]),
    ):  # fmt: skip
        answer = client.get(address)
        text = answer.content.decode()
        assert "<img src=x" not in text, address
        assert "<script>alert" not in text, address
        assert "script-src 'self';" in answer.headers["Content-Security-Policy"]
        shown += escape(MARKUP) in text
    assert shown >= 4


@pytest.mark.parametrize("method", ["put", "delete", "patch", "trace"])
def test_a_method_that_no_page_takes_changes_nothing(scene: Scene, signed_in: SignIn, method: str) -> None:
    client = signed_in(scene.owner)
    address = reverse("site_remove", args=[scene.site.pk])
    assert client.generic(method.upper(), address).status_code == 405
    assert Site.objects.filter(pk=scene.site.pk).exists()


@pytest.mark.parametrize("name", ["a.json\r\nX-Evil: 1", '../../etc/x".json', "\x00.json", "a" * 3000])
def test_the_name_of_a_file_that_is_sent_in_reaches_no_header_and_no_path(
    scene: Scene, signed_in: SignIn, name: str
) -> None:
    body = (f'--b\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n{{\r\n--b--\r\n').encode()
    answer = signed_in(scene.editor).post(
        reverse("registry_import"), body, content_type="multipart/form-data; boundary=b"
    )
    assert answer.status_code in (400, 422)
    assert "X-Evil" not in answer.headers


def test_no_other_site_can_frame_read_or_send(scene: Scene, signed_in: SignIn) -> None:
    answer = signed_in(scene.owner).get(reverse("home"), headers={"origin": "https://evil.test"})
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
    assert "Access-Control-Allow-Origin" not in answer.headers
    careful = Client(enforce_csrf_checks=True)
    careful.force_login(scene.owner)
    api = careful.post("/api/v1/sites", "{}", content_type="text/plain", headers={"origin": "https://evil.test"})
    assert api.status_code in (401, 403, 405)
