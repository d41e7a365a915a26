"""Tools, their versions, calls, jobs and registry files."""

import json
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from recipes_app.models import AuditEntry, Call, Job, RecipeVersion
from recipes_app.models.job import JobStatus
from recipes_app.models.recipe import VersionStatus
from recipes_app.services import recipes
from tests.people import make_published
from tests.web.conftest import SignIn
from tests.web.scene import DOCUMENT, SEND, Scene, make_call


def add_version(scene: Scene, origin: str, *, passed: bool | None = True, **changes: Any) -> RecipeVersion:
    verdict = None if passed is None else {"passed": passed, "mode": "full", "checks": []}
    document = {**DOCUMENT, "description": "Changed words.", **changes}
    return recipes.save_version(site=scene.site, document=document, author=scene.editor, origin=origin, verdict=verdict)


def test_the_form_is_made_from_the_parameters(scene: Scene, signed_in: SignIn) -> None:
    page = signed_in(scene.operator).get(reverse("tool_detail", args=[scene.recipe.pk])).content.decode()
    assert 'name="arg-q"' in page
    assert '<option value="Chairs">' in page
    assert 'type="date" name="arg-since"' in page or 'name="arg-since"' in page
    assert 'value="20"' in page
    assert "curl" in page
    assert "./agentify call --site shop --tool find_products" in page


def test_a_call_takes_what_was_given_and_leaves_the_rest_out(scene: Scene, signed_in: SignIn) -> None:
    given = {"arg-q": "lamp", "arg-limit": "5", "arg-in_stock": "false", "arg-tags": "red\nblue\n", "arg-category": ""}
    response = signed_in(scene.operator).post(reverse("tool_call", args=[scene.recipe.pk]), given)
    call = Call.objects.get()
    assert call.arguments == {"q": "lamp", "limit": 5, "in_stock": False, "tags": ["red", "blue"]}
    assert f"call={call.job.public_id}" in response.headers["Location"]
    assert "Waiting for a worker" in signed_in(scene.operator).get(response.headers["Location"]).content.decode()


def test_wrong_arguments_are_told_beside_their_fields_and_nothing_is_lost(scene: Scene, signed_in: SignIn) -> None:
    given = {"arg-q": "lamp", "arg-limit": "500", "arg-since": "soon", "arg-tags": "red\nblue"}
    response = signed_in(scene.operator).post(reverse("tool_call", args=[scene.recipe.pk]), given)
    page = response.content.decode()
    assert response.status_code == 422
    assert set(response.context["form"].errors) == {"limit", "since"}
    assert 'value="500"' in page
    assert "red\nblue" in page
    assert not Call.objects.exists()


def test_a_secret_is_sealed_and_never_shown(scene: Scene, signed_in: SignIn) -> None:
    secret = {"type": "object", "properties": {"password": {"type": "string", "format": "password"}}}
    steps = [*SEND[:1], {**SEND[1], "text": "{{password}}"}]
    document = {"name": "log_in", "description": "", "parameters": secret, "side_effect": "write", "steps": steps}
    recipe = make_published(scene.site, document, scene.owner)
    client = signed_in(scene.operator)
    response = client.post(reverse("tool_call", args=[recipe.pk]), {"arg-password": "hunter2"}, follow=True)
    assert "hunter2" not in response.content.decode()
    assert "hunter2" not in json.dumps(Call.objects.get().arguments)


def test_publishing_swaps_the_live_version_and_rolling_back_returns(scene: Scene, signed_in: SignIn) -> None:
    client, old, new = signed_in(scene.editor), scene.recipe.live_version, add_version(scene, "edited")
    assert old
    client.post(reverse("tool_publish", args=[new.pk]))
    scene.recipe.refresh_from_db()
    assert scene.recipe.live_version == new
    again = client.post(reverse("tool_publish", args=[new.pk]), follow=True).content.decode()
    assert "cannot be published" in again
    client.post(reverse("tool_roll_back", args=[old.pk]))
    scene.recipe.refresh_from_db()
    assert scene.recipe.live_version == old


def test_an_unverified_version_is_not_published(scene: Scene, signed_in: SignIn) -> None:
    version = add_version(scene, "edited", passed=None)
    page = signed_in(scene.editor).post(reverse("tool_publish", args=[version.pk]), follow=True).content.decode()
    assert "has not passed a verification" in page


def test_an_imported_version_is_accepted_only_with_a_reason(scene: Scene, signed_in: SignIn) -> None:
    client, version = signed_in(scene.editor), add_version(scene, "imported", passed=None)
    url = reverse("tool_accept", args=[version.pk])
    refused = client.post(url, {"reason": "  "})
    assert refused.status_code == 422
    assert "Say why" in refused.content.decode()
    client.post(url, {"reason": "Used since May"})
    version.refresh_from_db()
    assert version.status == VersionStatus.PUBLISHED
    assert AuditEntry.objects.filter(action="version.accepted_unverified", detail__reason="Used since May").exists()


def test_verifying_shows_the_run_and_not_twice_at_once(scene: Scene, signed_in: SignIn) -> None:
    client, version = signed_in(scene.operator), add_version(scene, "edited", passed=None)
    first = client.post(reverse("tool_verify", args=[version.pk]))
    assert first.headers["Location"].startswith("/recordings/")
    second = client.post(reverse("tool_verify", args=[version.pk]), follow=True).content.decode()
    assert "being verified already" in second


def test_two_versions_are_compared_line_by_line(scene: Scene, signed_in: SignIn) -> None:
    add_version(scene, "edited")
    url = reverse("tool_versions", args=[scene.recipe.pk])
    lines = signed_in(scene.viewer).get(url, {"from": "1", "to": "2"}).context["diff"]
    changed = {(line.kind, line.text.strip()) for line in lines if line.kind in ("added", "removed")}
    assert ("removed", '"description": "Find products by words.",') in changed
    assert ("added", '"description": "Changed words.",') in changed


def test_a_result_is_a_table_and_a_failure_says_what_was_found(scene: Scene, signed_in: SignIn) -> None:
    client = signed_in(scene.viewer)
    done = make_call(scene, JobStatus.DONE, {"ok": True, "data": {"products": [{"name": "<b>Lamp</b>", "price": 4}]}})
    page = client.get(reverse("call_detail", args=[done.job.public_id])).content.decode()
    assert '<th scope="col">price</th>' in page
    assert "&lt;b&gt;Lamp&lt;/b&gt;" in page
    error = {"error": "Two buttons.", "kind": "ambiguous", "looked_for": "button Find", "found": ["a", "b"]}
    failed = make_call(scene, JobStatus.FAILED, {"ok": False, "data": {}}, error={**error, "partial": {"count": 3}})
    page = client.get(reverse("call_detail", args=[failed.job.public_id])).content.decode()
    assert all(text in page for text in ("Two buttons.", "button Find", "Found instead", "What it had read by then"))


def test_an_address_in_a_result_is_a_link_only_if_it_is_one_of_the_web(scene: Scene, signed_in: SignIn) -> None:
    data = {"a": "https://example.org/x", "b": "javascript:alert(1)"}
    call = make_call(scene, JobStatus.DONE, {"ok": True, "data": data})
    page = signed_in(scene.viewer).get(reverse("call_detail", args=[call.job.public_id])).content.decode()
    assert 'href="https://example.org/x"' in page
    assert 'href="javascript' not in page


def test_jobs_are_filtered_and_cancelled_by_who_may(scene: Scene, signed_in: SignIn) -> None:
    running = make_call(scene, JobStatus.RUNNING).job
    url = reverse("job_cancel", args=[running.public_id])
    assert "Call find_products" in signed_in(scene.viewer).get("/jobs/", {"status": "running"}).content.decode()
    refused = signed_in(scene.viewer).post(url, follow=True).content.decode()
    assert "does not let you cancel" in refused
    assert signed_in(scene.stranger).post(url).status_code == 404
    signed_in(scene.operator).post(url, {"next": "https://evil.example/"})
    assert Job.objects.get(pk=running.pk).cancel_requested_at
    assert "already" in signed_in(scene.operator).post(url, follow=True).content.decode()


def test_cancelling_never_leads_to_another_site(scene: Scene, signed_in: SignIn) -> None:
    running = make_call(scene, JobStatus.RUNNING).job
    url = reverse("job_cancel", args=[running.public_id])
    assert signed_in(scene.operator).post(url, {"next": "https://evil.example/"}).headers["Location"] == "/jobs/"


def test_a_registry_goes_out_and_in_again(scene: Scene, signed_in: SignIn) -> None:
    client = signed_in(scene.editor)
    exported = client.get(reverse("registry_export", args=[scene.site.pk]))
    assert exported.headers["Content-Disposition"] == 'attachment; filename="shop.tools.json"'
    registry = json.loads(exported.content)
    registry["tools"][0]["name"] = "found_again"
    file = SimpleUploadedFile("shop.tools.json", json.dumps(registry).encode())
    page = client.post(reverse("registry_import"), {"file": file}, follow=True).content.decode()
    assert "Imported 1: found_again" in page
    assert RecipeVersion.objects.get(recipe__name="found_again").status == VersionStatus.DRAFT


def test_a_wrong_registry_is_reported_with_the_path_and_kept(scene: Scene, signed_in: SignIn) -> None:
    client = signed_in(scene.editor)
    wrong = {"format": 2, "site": "s", "base_url": "https://s.example/", "tools": [{"name": "t", "stepz": []}]}
    response = client.post(reverse("registry_import"), {"text": json.dumps(wrong)})
    assert response.status_code == 422
    assert "tools[0]" in response.content.decode()
    assert "&quot;stepz&quot;" in response.content.decode()
    broken = client.post(reverse("registry_import"), {"text": '{"a": }'}).content.decode()
    assert "line 1: no valid JSON" in broken
    assert "Choose a file" in client.post(reverse("registry_import"), {}).content.decode()


def test_a_draft_that_reads_does_not_say_it_writes(scene: Scene, signed_in: SignIn) -> None:
    draft = add_version(scene, "edited", passed=None)
    scene.recipe.live_version = None
    scene.recipe.save()
    url = reverse("tool_detail", args=[scene.recipe.pk])
    page = signed_in(scene.editor).get(url).content.decode()
    assert draft.is_doubted
    assert "Read-only, once verified" in page
    assert ">Writes<" not in page
