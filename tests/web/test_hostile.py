"""What a person (or a script that is signed in) may send to a page, and gets an answer in words."""

from typing import Any

import pytest
from django.urls import reverse

from recipes_app.models import AuditEntry
from recipes_app.models.recipe import Origin
from recipes_app.services import recipes
from tests.web.conftest import SignIn
from tests.web.scene import DOCUMENT, Scene

HUGE = "9" * 23
BAD_JSON = ["[" * 20_000, "[" * 3000 + "]" * 3000, '{"a": NaN}', "9" * 5000, '{"a": "\\ud800"}', '{"a": 1, "a": 2}']


@pytest.mark.parametrize(
    "address",
    [f"/calls/?tool={HUGE}", f"/calls/?tool={HUGE}&page={HUGE}", "/tools/?q=" + "a+" * 1500, f"/sites/{HUGE}/"],
)
def test_numbers_and_words_without_end_are_no_error(scene: Scene, signed_in: SignIn, address: str) -> None:
    assert signed_in(scene.owner).get(address).status_code in (200, 404)


@pytest.mark.parametrize("address", ["/tools/?q=%00", "/calls/%00/", "/teams/a%00/"])
def test_an_address_with_a_character_no_database_takes_is_404(scene: Scene, signed_in: SignIn, address: str) -> None:
    assert signed_in(scene.owner).get(address).status_code == 404


def test_deciding_about_a_number_without_end_decides_nothing(scene: Scene, signed_in: SignIn) -> None:
    url = reverse("proposal_decide", args=[scene.mapping.pk])
    answer = signed_in(scene.editor).post(url, {"action": "approve", "proposal": [HUGE, "²"]})
    assert answer.status_code == 302
    assert not AuditEntry.objects.filter(action__startswith="proposal").exists()


@pytest.mark.parametrize("start", ["http://[x", "//[x", "\ud800", "/a\x00b"])
def test_a_start_page_that_is_no_address_is_told_beside_its_field(scene: Scene, signed_in: SignIn, start: str) -> None:
    given = {"max_pages": 5, "max_depth": 1, "method": "rules", "start_url": start.encode("utf-8", "replace").decode()}
    answer = signed_in(scene.editor).post(reverse("mapping_start", args=[scene.site.pk]), given)
    assert answer.status_code in (302, 422)


@pytest.mark.parametrize("text", BAD_JSON, ids=lambda text: text[:12])
def test_json_that_could_not_be_kept_is_told_beside_its_field(scene: Scene, signed_in: SignIn, text: str) -> None:
    client = signed_in(scene.editor)
    proposal = {"name": "find", "description": "d", "side_effect": "read", "parameters": text, "examples": "{}"}
    document = {"document": text, "examples": text}
    registry = {"text": text}
    for url, given in (
        (reverse("proposal_edit", args=[scene.search.pk]), proposal),
        (reverse("recipe_edit", args=[scene.recipe.pk]), document),
        (reverse("registry_import"), registry),
    ):
        answer = client.post(url, given)
        assert answer.status_code == 422, url
        assert "errorlist" in answer.content.decode()


PARAMETERS: dict[str, Any] = {
    "anything": {"type": "array", "items": True},
    "nothing": {"type": "array", "items": False},
    "nested": {"type": "array", "items": {"type": "array", "items": True}},
    "object": {"type": "object", "properties": {"a": True}},
    "either": {"type": ["array", "null"], "items": True},
    "login": {"type": "object", "properties": {"password": {"type": "string"}}},
}


def test_every_schema_that_can_be_imported_can_be_shown(scene: Scene, signed_in: SignIn) -> None:
    schema = {"type": "object", "properties": PARAMETERS}
    returns = {"type": "object", "properties": {"a": True, "b": {"type": "array", "items": False}}}
    version = recipes.save_version(
        site=scene.site,
        document={
            **DOCUMENT,
            "name": "strange",
            "parameters": schema,
            "returns": returns,
            "steps": DOCUMENT["steps"][:1],
        },
        author=scene.editor,
        origin=Origin.IMPORTED,
    )
    recipes.accept_unverified(version=version, by=scene.editor, reason="to look at it")
    client, pk = signed_in(scene.operator), version.recipe_id
    for url in (
        reverse("tool_detail", args=[pk]),
        reverse("tool_versions", args=[pk]),
        reverse("version_detail", args=[pk, 1]),
        reverse("tool_list"),
    ):
        assert client.get(url).status_code == 200, url
    for text in BAD_JSON:
        answer = client.post(reverse("tool_call", args=[pk]), {"arg-anything": text, "arg-login": text})
        assert answer.status_code == 422
        assert "This is not JSON" in answer.content.decode()
