"""The pages of healing: what a lost element's tool and call show, and what an editor decides."""

from copy import deepcopy
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from recipes_app.models import Call, Healing, Job, RecipeVersion
from recipes_app.models.job import JobStatus
from recipes_app.services import healings
from tests.web.conftest import SignIn
from tests.web.scene import Scene

LOST = {"error": "searchbox “Search” is not there", "kind": "missing", "failed_step": "steps[1]", "op": "type"}
NEW = {"role": "searchbox", "name": "Find a product"}


def failed_call(scene: Scene, **error: Any) -> Call:
    job = Job.objects.create(
        team=scene.team, kind="call", title="Call", queue="calls", requested_by=scene.operator,
        status=JobStatus.FAILED, error=LOST | error,
    )  # fmt: skip
    assert scene.recipe.live_version is not None
    steps = [{"path": "steps[0]", "op": "goto", "ms": 1, "matched": "", "status": "done"}]
    return Call.objects.create(
        job=job, recipe=scene.recipe, version=scene.recipe.live_version, arguments={"q": "x"},
        result={"ok": False, "data": {}, "steps": steps},
    )  # fmt: skip


@pytest.fixture
def proposed(scene: Scene) -> Healing:
    assert scene.recipe.live_version is not None
    healing = healings.request_healing(
        version=scene.recipe.live_version, path="steps[1]", by=scene.editor, call=failed_call(scene)
    )
    Job.objects.filter(pk=healing.job_id).update(status=JobStatus.DONE)
    Healing.objects.filter(pk=healing.pk).update(
        status="proposed", new_target=NEW, found="searchbox “Find a product”", score=0.71,
        runner_up="textbox “Email” (40 %)", runner_up_score=0.4, reasons=["role: the same, weight 15"],
    )  # fmt: skip
    healing.refresh_from_db()
    return healing


def text(client: Client, url_name: str, *args: Any) -> str:
    return client.get(reverse(url_name, args=args)).content.decode()


def test_a_call_that_lost_its_element_offers_healing_to_editors(scene: Scene, signed_in: SignIn) -> None:
    call = failed_call(scene)
    shown = {who: text(signed_in(who), "call_detail", call.job.public_id) for who in (scene.editor, scene.operator)}
    assert ["Propose healing" in page for page in shown.values()] == [True, False]
    other = failed_call(scene, kind="navigation")
    assert "Propose healing" not in text(signed_in(scene.editor), "call_detail", other.job.public_id)
    answer = signed_in(scene.editor).post(
        reverse("healing_start", args=[scene.recipe.pk]), {"call": call.job.public_id}
    )
    healing = Healing.objects.get()
    assert answer.headers["Location"] == reverse("healing_detail", args=[healing.pk])
    assert (healing.path, healing.call, healing.old_target["name"]) == ("steps[1]", call, "Search")
    assert signed_in(scene.operator).post(reverse("healing_start", args=[scene.recipe.pk])).status_code == 403
    assert signed_in(scene.stranger).get(reverse("healing_detail", args=[healing.pk])).status_code == 404


def test_a_tool_says_how_it_is_and_which_step_drifts(scene: Scene, signed_in: SignIn) -> None:
    call = failed_call(scene)
    Job.objects.filter(pk=call.job_id).update(status=JobStatus.DONE, error=None)
    rows = [{"path": "steps[1]", "op": "type", "ms": 1, "matched": "place and wording; lost: #q", "status": "done"}]
    Call.objects.filter(pk=call.pk).update(result={"ok": True, "data": {}, "steps": rows})
    page = text(signed_in(scene.editor), "tool_detail", scene.recipe.pk)
    assert "drifting" in page
    assert "Step 2" in page
    assert "not found any more by #q" in page
    assert "Propose healing" in page
    assert "Propose healing" not in text(signed_in(scene.viewer), "tool_detail", scene.recipe.pk)


def test_a_row_the_caller_named_wrongly_does_not_make_the_tool_drift(scene: Scene, signed_in: SignIn) -> None:
    failed_call(scene)
    assert "drifting" in text(signed_in(scene.editor), "tool_detail", scene.recipe.pk)
    assert scene.recipe.live_version is not None
    document = deepcopy(scene.recipe.live_version.document)
    document["steps"][1]["target"]["name"] = "{{q}}"
    RecipeVersion.objects.filter(pk=scene.recipe.live_version.pk).update(document=document)
    assert "drifting" not in text(signed_in(scene.editor), "tool_detail", scene.recipe.pk)


def test_the_page_shows_scores_reasons_and_the_difference(scene: Scene, signed_in: SignIn, proposed: Healing) -> None:
    page = text(signed_in(scene.editor), "healing_detail", proposed.pk)
    for words in (
        "Score 71 %",
        "The runner-up is textbox “Email” (40 %)",
        "role: the same, weight 15",
        "Find a product",
    ):
        assert words in page
    assert "No picture was kept" not in page
    assert "Accept and verify" in page
    seen = text(signed_in(scene.operator), "healing_detail", proposed.pk)
    assert "Accept and verify" not in seen
    assert "An editor accepts or rejects this." in seen
    assert "See the proposal" in text(signed_in(scene.editor), "tool_detail", scene.recipe.pk)


def test_an_accepted_proposal_is_a_version_that_is_being_verified(
    scene: Scene, signed_in: SignIn, proposed: Healing
) -> None:
    url = reverse("healing_accept", args=[proposed.pk])
    assert signed_in(scene.operator).post(url).status_code == 403
    answer = signed_in(scene.editor).post(url)
    proposed.refresh_from_db()
    version = proposed.healed
    assert version is not None
    assert (version.origin, version.author, version.status) == ("healed", scene.editor, "verifying")
    assert version.document["steps"][1]["target"] == NEW
    assert answer.headers["Location"] == reverse("recording_detail", args=[version.recordings.get().pk])
    assert f"Version {version.number}" in text(signed_in(scene.viewer), "healing_detail", proposed.pk)


def test_a_rejection_needs_a_reason_and_keeps_it(scene: Scene, signed_in: SignIn, proposed: Healing) -> None:
    url = reverse("healing_reject", args=[proposed.pk])
    bare = signed_in(scene.editor).post(url, {"reason": ""})
    assert (bare.status_code, "Say why this is not the element." in bare.content.decode()) == (422, True)
    signed_in(scene.editor).post(url, {"reason": "The other one."})
    page = text(signed_in(scene.viewer), "healing_detail", proposed.pk)
    assert f"Rejected by {scene.editor}" in page
    assert "The other one." in page
    assert scene.recipe.versions.count() == 1
