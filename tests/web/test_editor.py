"""Editing a recipe in the pages; what is waited for; retiring, rolling back and publishing several."""

import json
from typing import Any

from django.urls import reverse

from recipes_app.models import AuditEntry, RecipeVersion
from recipes_app.models.recipe import VersionStatus
from recipes_app.services import recipes
from tests.people import make_published
from tests.web.conftest import SignIn
from tests.web.scene import DOCUMENT, NAME, SEND, Scene
from tests.web.test_tools import add_version


def given(document: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"document": json.dumps(document), "examples": json.dumps({"q": "lamp"}), **more}


def test_saving_makes_a_draft_that_is_verified_next(scene: Scene, signed_in: SignIn) -> None:
    client, url = signed_in(scene.editor), reverse("recipe_edit", args=[scene.recipe.pk])
    assert "Find products by words." in client.get(url).content.decode()
    page = client.post(url, given({**DOCUMENT, "description": "Other words."}), follow=True).content.decode()
    version = RecipeVersion.objects.get(number=2)
    assert (version.origin, version.status, version.author) == ("edited", "draft", scene.editor)
    assert version.examples == {"q": "lamp"}
    assert reverse("tool_verify", args=[version.pk]) in page
    assert f"from={version.number}" in page
    again = client.post(url, given({**DOCUMENT, "description": "Other words."}), follow=True).content.decode()
    assert "says this already" in again
    assert "Saved as version" not in again


def test_what_is_wrong_is_told_with_its_place_and_nothing_is_lost(scene: Scene, signed_in: SignIn) -> None:
    client, url = signed_in(scene.editor), reverse("recipe_edit", args=[scene.recipe.pk])
    wrong = {**DOCUMENT, "steps": [{"op": "goto", "urll": "/"}]}
    answer = client.post(url, given(wrong))
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "steps[0]" in page
    assert "urll" in page
    assert 'aria-invalid="true"' in page
    assert "line 1" in client.post(url, {"document": "{", "examples": ""}).content.decode()
    assert "callers know it by that name" in client.post(url, given({**DOCUMENT, "name": "b"})).content.decode()
    assert RecipeVersion.objects.count() == 1


def test_a_label_that_says_less_needs_a_tick(scene: Scene, signed_in: SignIn) -> None:
    document = {"name": "send", "description": "", "parameters": NAME, "side_effect": "write", "steps": SEND}
    recipe = make_published(scene.site, document, scene.owner)
    client, url = signed_in(scene.editor), reverse("recipe_edit", args=[recipe.pk])
    refused = client.post(url, given({**document, "side_effect": "read"}))
    assert refused.status_code == 422
    assert "tick that you know better" in refused.content.decode()
    assert client.post(url, given({**document, "side_effect": "read"}, relabel="on")).status_code == 302
    assert AuditEntry.objects.filter(action="version.edited", detail__was="write").exists()


def test_drafts_wait_for_a_person_until_something_newer_came(scene: Scene, signed_in: SignIn) -> None:
    draft = add_version(scene, "imported", passed=None)
    page = signed_in(scene.viewer).get("/").content.decode()
    assert reverse("version_detail", args=[scene.recipe.pk, draft.number]) in page
    assert "1 tool to verify or publish" in page
    add_version(scene, "edited", description="Newer")
    page = signed_in(scene.viewer).get("/").content.decode()
    assert reverse("version_detail", args=[scene.recipe.pk, draft.number]) not in page
    assert "verified, not published yet" in page


def test_a_tool_taken_out_of_use_says_when_by_whom_and_how_to_bring_it_back(scene: Scene, signed_in: SignIn) -> None:
    client = signed_in(scene.editor)
    client.post(reverse("tool_retire", args=[scene.recipe.pk]))
    page = client.get(reverse("tool_detail", args=[scene.recipe.pk])).content.decode()
    assert "taken out of use" in page
    assert "by ed" in page
    assert "Publish version 1 again" in page
    version = RecipeVersion.objects.get()
    client.post(reverse("tool_roll_back", args=[version.pk]))
    version.refresh_from_db()
    assert version.status == VersionStatus.PUBLISHED


def test_after_rolling_back_the_newer_version_is_offered_as_going_on(scene: Scene, signed_in: SignIn) -> None:
    client, old, new = signed_in(scene.editor), scene.recipe.live_version, add_version(scene, "edited")
    recipes.publish(version=new, by=scene.editor)
    assert old
    client.post(reverse("tool_roll_back", args=[old.pk]))
    assert "version 2 was taken back" in client.get(reverse("tool_detail", args=[scene.recipe.pk])).content.decode()
    versions = client.get(reverse("tool_versions", args=[scene.recipe.pk])).content.decode()
    assert "Publish again" in versions
    assert "Roll back to this" not in versions


def test_all_that_passed_is_published_by_one_button_that_lists_it(scene: Scene, signed_in: SignIn) -> None:
    version = add_version(scene, "recorded", name="list_things")
    client = signed_in(scene.editor)
    for page in (reverse("site_detail", args=[scene.site.pk]), reverse("board", args=[scene.mapping.pk])):
        text = client.get(page).content.decode()
        assert f'name="version" value="{version.pk}"' in text
        assert "list_<wbr>things" in text
    url = reverse("site_publish", args=[scene.site.pk])
    assert "Published 1: list_things" in client.post(url, {"version": [version.pk]}, follow=True).content.decode()
    assert "Nothing is left" in client.post(url, {"version": [version.pk]}, follow=True).content.decode()
    assert (
        "Publish it" not in signed_in(scene.operator).get(reverse("site_detail", args=[scene.site.pk])).content.decode()
    )
