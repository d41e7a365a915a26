"""Every page: it works for a member, a stranger gets 404, a team-mate without the role 403, nobody signs in first."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from recipes_app.models.job import JobStatus
from tests.web.conftest import SignIn
from tests.web.scene import Scene, make_call, make_recording


def addresses(scene: Scene) -> dict[str, str]:
    call, recording = make_call(scene, JobStatus.DONE, {"ok": True, "data": {}}), make_recording(scene, JobStatus.DONE)
    version = scene.recipe.live_version
    assert version
    keys: dict[str, list[Any]] = {
        "site_detail": [scene.site.pk],
        "mapping_detail": [scene.mapping.pk],
        "mapping_live": [scene.mapping.pk],
        "board": [scene.mapping.pk],
        "board_states": [scene.mapping.pk],
        "recording_detail": [recording.pk],
        "recording_live": [recording.pk],
        "tool_detail": [scene.recipe.pk],
        "tool_versions": [scene.recipe.pk],
        "version_detail": [scene.recipe.pk, 1],
        "call_detail": [call.job.public_id],
        "call_live": [call.job.public_id],
        "picture": [scene.picture.pk],
        "registry_export": [scene.site.pk],
        "site_export": [scene.site.pk],
        "sdk_export": [scene.site.pk, "openapi"],
        "tool_export": [scene.recipe.pk],
        "script_export": [scene.recipe.pk],
    }
    return {name: reverse(name, args=args) for name, args in keys.items()}


LISTS = ("home", "site_list", "tool_list", "call_list", "job_list")


def test_a_viewer_sees_every_page_of_the_team(scene: Scene, signed_in: SignIn) -> None:
    client = signed_in(scene.viewer)
    statuses = {name: client.get(url).status_code for name, url in addresses(scene).items()}
    statuses |= {name: client.get(reverse(name)).status_code for name in LISTS}
    assert set(statuses.values()) == {200}, statuses


def test_a_stranger_finds_none_of_them(scene: Scene, signed_in: SignIn) -> None:
    client = signed_in(scene.stranger)
    statuses = {name: client.get(url).status_code for name, url in addresses(scene).items()}
    assert set(statuses.values()) == {404}, statuses


def test_a_strangers_lists_show_nothing_of_this_team(scene: Scene, signed_in: SignIn) -> None:
    make_call(scene, JobStatus.DONE, {"ok": True, "data": {}})
    client = signed_in(scene.stranger)
    for name in LISTS:
        text = client.get(reverse(name)).content.decode()
        assert "find_products" not in text
        assert scene.site.base_url not in text


def test_nobody_is_sent_to_sign_in(scene: Scene) -> None:
    for url in [*addresses(scene).values(), *map(reverse, LISTS)]:
        response = Client().get(url)
        assert response.status_code == 302
        assert response.headers["Location"].startswith("/login/")


MUTATIONS = {
    "site_new": ("operator", []),
    "practice_try": ("operator", []),
    "site_remove": ("owner", ["site"]),
    "site_publish": ("editor", ["site"]),
    "recipe_edit": ("editor", ["recipe"]),
    "registry_import": ("editor", []),
    "site_settings": ("editor", ["site"]),
    "host_allow": ("editor", ["site"]),
    "mapping_start": ("operator", ["site"]),
    "proposal_decide": ("editor", ["mapping"]),
    "proposal_edit": ("editor", ["search"]),
    "proposal_dry_run": ("editor", ["search"]),
    "proposal_record_again": ("editor", ["search"]),
    "tool_retire": ("editor", ["recipe"]),
    "tool_publish": ("editor", ["version"]),
    "tool_roll_back": ("editor", ["version"]),
    "tool_accept": ("editor", ["version"]),
    "tool_verify": ("operator", ["version"]),
}


def target(scene: Scene, name: str) -> str:
    rows: dict[str, Any] = {**vars(scene), "version": scene.recipe.live_version}
    return reverse(name, args=[rows[row].pk for row in MUTATIONS[name][1]])


@pytest.mark.parametrize("name", MUTATIONS)
def test_a_team_mate_without_the_role_may_not(scene: Scene, signed_in: SignIn, name: str) -> None:
    needed = MUTATIONS[name][0]
    without = {"owner": scene.editor, "editor": scene.operator, "operator": scene.reviewer}[needed]
    assert signed_in(without).post(target(scene, name)).status_code == 403
    if MUTATIONS[name][1]:
        assert signed_in(scene.stranger).post(target(scene, name)).status_code == 404


@pytest.mark.parametrize("name", MUTATIONS)
def test_no_mutation_happens_without_the_csrf_token(scene: Scene, name: str) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(scene.owner)
    assert client.post(target(scene, name)).status_code == 403


@pytest.mark.parametrize("name", ["proposal_decide", "tool_publish", "tool_roll_back", "tool_verify", "tool_retire"])
def test_reading_an_address_changes_nothing(scene: Scene, signed_in: SignIn, name: str) -> None:
    assert signed_in(scene.owner).get(target(scene, name)).status_code == 405


def test_viewers_are_shown_no_buttons_they_may_not_press(scene: Scene, signed_in: SignIn) -> None:
    client = signed_in(scene.viewer)
    board = client.get(reverse("board", args=[scene.mapping.pk])).content.decode()
    assert 'value="approve"' not in board
    assert "Map again" not in client.get(reverse("site_detail", args=[scene.site.pk])).content.decode()


def test_a_picture_is_an_image_or_nothing(scene: Scene, signed_in: SignIn) -> None:
    response = signed_in(scene.viewer).get(reverse("picture", args=[scene.picture.pk]))
    assert response.headers["Content-Type"] == "image/png"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert "sandbox" in response.headers["Content-Security-Policy"]
    scene.picture.media_type = "image/svg+xml"
    scene.picture.save()
    assert signed_in(scene.viewer).get(reverse("picture", args=[scene.picture.pk])).status_code == 404
