"""Proposals: looked at, edited and decided."""

import json
from functools import partial
from typing import Any

from django.test import Client
from django.urls import reverse

from recipes_app.models import JobStep, Proposal, Recording
from recipes_app.models.job import JobStatus, StepState
from recipes_app.models.proposal import ProposalStatus
from tests.web.conftest import SignIn
from tests.web.scene import Scene, make_recording


def decide(client: Client, scene: Scene, action: str, *chosen: Proposal, **more: str) -> str:
    """The page that follows."""
    given: dict[str, Any] = {"action": action, "proposal": [each.pk for each in chosen], **more}
    return client.post(reverse("proposal_decide", args=[scene.mapping.pk]), given, follow=True).content.decode()


def state(proposal: Proposal) -> str:
    return Proposal.objects.get(pk=proposal.pk).status


def test_the_board_shows_what_one_needs_to_decide(scene: Scene, signed_in: SignIn) -> None:
    url = reverse("board", args=[scene.mapping.pk])
    page = signed_in(scene.editor).get(url, {"p": scene.send.pk}).content.decode()
    assert "Type {{name}} into the Name field" in page
    assert "A form with one field." in page
    assert "This will really submit twice" in page
    assert '<rect class="outline" x="100" y="200" width="400" height="80"' in page
    assert all(word in page for word in ("Read-only", "Writes", "Destructive"))


def test_a_filter_shows_one_kind_only(scene: Scene, signed_in: SignIn) -> None:
    page = signed_in(scene.viewer).get(reverse("board", args=[scene.mapping.pk]), {"show": "write"}).content.decode()
    assert "send_message" in page
    assert "search_products" not in page


def test_approving_starts_a_recording_and_moves_on_to_the_next(scene: Scene, signed_in: SignIn) -> None:
    page = decide(signed_in(scene.editor), scene, "approve", scene.search)
    assert "Approved search_products" in page
    assert 'id="proposal-name" class="name">send_<wbr>message' in page
    assert state(scene.search) == ProposalStatus.APPROVED
    assert Recording.objects.get(proposal=scene.search).job.status == JobStatus.QUEUED


def test_approving_twice_records_once(scene: Scene, signed_in: SignIn) -> None:
    client = signed_in(scene.editor)
    decide(client, scene, "approve", scene.search)
    assert "Nothing to record" in decide(client, scene, "approve", scene.search)
    assert Recording.objects.filter(proposal=scene.search).count() == 1


def test_all_safe_means_the_reading_ones(scene: Scene, signed_in: SignIn) -> None:
    decide(signed_in(scene.editor), scene, "approve_safe")
    assert state(scene.search) == ProposalStatus.APPROVED
    assert state(scene.send) == state(scene.delete) == ProposalStatus.PROPOSED


def test_what_destroys_needs_its_own_tick(scene: Scene, signed_in: SignIn) -> None:
    client = signed_in(scene.editor)
    assert "Not approved: delete_ticket" in decide(client, scene, "approve_all")
    assert state(scene.send) == ProposalStatus.APPROVED
    assert state(scene.delete) == ProposalStatus.PROPOSED
    decide(client, scene, "approve", scene.delete, sure="1")
    assert state(scene.delete) == ProposalStatus.APPROVED


def test_selected_ones_are_rejected_together(scene: Scene, signed_in: SignIn) -> None:
    page = decide(signed_in(scene.editor), scene, "reject", scene.search, scene.send)
    assert "Rejected 2 proposals" in page
    assert state(scene.send) == ProposalStatus.REJECTED
    assert "Nothing was chosen" in decide(signed_in(scene.editor), scene, "reject")


def test_proposals_of_another_mapping_are_out_of_reach(scene: Scene, signed_in: SignIn) -> None:
    url = reverse("proposal_decide", args=[scene.mapping.pk])
    signed_in(scene.editor).post(url, {"action": "approve", "proposal": ["999", "x"]})
    assert not Recording.objects.exists()


def edited(scene: Scene, **changes: Any) -> dict[str, Any]:
    proposal = scene.search
    fields = {"name": proposal.name, "description": proposal.description, "side_effect": proposal.side_effect}
    stored = {"parameters": json.dumps(proposal.parameters), "examples": json.dumps(proposal.examples)}
    return {**fields, **stored, **changes}


def test_an_edit_is_saved(scene: Scene, signed_in: SignIn) -> None:
    url = reverse("proposal_edit", args=[scene.search.pk])
    response = signed_in(scene.editor).post(url, edited(scene, name="find_things", description="Finds."))
    assert response.status_code == 302
    scene.search.refresh_from_db()
    assert (scene.search.name, scene.search.description) == ("find_things", "Finds.")


def test_a_wrong_edit_says_where_and_loses_nothing(scene: Scene, signed_in: SignIn) -> None:
    client, url = signed_in(scene.editor), reverse("proposal_edit", args=[scene.search.pk])
    wrong = {"{broken": "This is not JSON", '{"type": "array"}': "parameters", "[1]": "must be a JSON object"}
    for text, told in wrong.items():
        response = client.post(url, edited(scene, parameters=text, description="Kept words"))
        page = response.content.decode()
        assert response.status_code == 422
        assert told in page
        assert "Kept words" in page
        assert text.replace('"', "&quot;") in page
    page = client.post(url, edited(scene, examples='{"q": 5}')).content.decode()
    assert "q must be of type string" in page


def test_the_edit_form_is_checked_while_typing_and_saves_nothing(scene: Scene, signed_in: SignIn) -> None:
    client, url = signed_in(scene.editor), reverse("proposal_edit", args=[scene.search.pk])
    fine = client.post(url, edited(scene, name="other_name"), headers={"HX-Request": "true"})
    assert "fit together" in fine.content.decode()
    wrong = client.post(url, edited(scene, examples="{"), headers={"HX-Request": "true"})
    assert "This is not JSON" in wrong.content.decode()
    scene.search.refresh_from_db()
    assert scene.search.name == "search_products"


def test_a_proposal_under_way_cannot_be_edited(scene: Scene, signed_in: SignIn) -> None:
    client = signed_in(scene.editor)
    decide(client, scene, "approve", scene.search)
    response = client.post(reverse("proposal_edit", args=[scene.search.pk]), edited(scene, description="Late"))
    assert response.status_code == 422
    assert "wait until it has ended" in response.content.decode()


def test_a_dry_run_is_chosen_on_the_board(scene: Scene, signed_in: SignIn) -> None:
    url = reverse("proposal_dry_run", args=[scene.send.pk])
    page = signed_in(scene.editor).post(url, {"dry_run": "1"}, follow=True).content.decode()
    assert "Dry run: it is recorded" in page
    scene.send.refresh_from_db()
    assert scene.send.dry_run


def test_the_list_is_told_new_states_once(scene: Scene, signed_in: SignIn) -> None:
    client, url = signed_in(scene.editor), reverse("board_states", args=[scene.mapping.pk])
    mark = client.get(url).context["mark"]
    assert client.get(url, {"seen": mark}).status_code == 204
    decide(client, scene, "approve", scene.search)
    answer = client.get(url, {"seen": mark})
    assert f'id="state-{scene.search.pk}" hx-swap-oob="true"' in answer.content.decode()
    assert "every 1s" in answer.content.decode()


def test_each_state_of_a_recording_reaches_the_list_and_the_one_shown(scene: Scene, signed_in: SignIn) -> None:
    client, url = signed_in(scene.editor), reverse("board_states", args=[scene.mapping.pk])
    recording = make_recording(scene, JobStatus.RUNNING)
    live = reverse("recording_live", args=[recording.pk])
    seen: dict[str, str] = {url: "", live: ""}
    for status in (ProposalStatus.APPROVED, ProposalStatus.RECORDING, ProposalStatus.RECORDED):
        Proposal.objects.filter(pk=scene.search.pk).update(status=status)
        for address in seen:
            answer = client.get(address, {"seen": seen[address]})
            assert f"{status.label}</span>" in answer.content.decode(), (address, status)
            seen[address] = answer.context["mark"]


def test_what_runs_says_that_a_step_of_it_has_failed_until_it_goes_on(scene: Scene, signed_in: SignIn) -> None:
    recording = make_recording(scene, JobStatus.RUNNING)
    url, client = reverse("recording_live", args=[recording.pk]), signed_in(scene.viewer)
    add = partial(JobStep.objects.create, job=recording.job, op="click", path="steps[1]", sentence="Click Find")
    add(seq=1, state=StepState.FAILED)
    add(seq=2, state=StepState.NOTE)
    page = client.get(url).content.decode()
    assert "A step failed</span>" in page
    assert "Running</span>" not in page
    add(seq=3, state=StepState.ABOUT)
    assert "Running</span>" in client.get(url).content.decode()


def test_a_recording_ends_with_its_verdict_and_the_way_to_the_tool(scene: Scene, signed_in: SignIn) -> None:
    recording = make_recording(scene, JobStatus.DONE)
    recording.version = scene.recipe.live_version
    recording.save()
    assert recording.version
    recording.version.verdict = {"passed": True, "mode": "full", "checks": [{"name": "replayed", "ok": True}]}
    recording.version.save()
    page = signed_in(scene.viewer).get(reverse("recording_live", args=[recording.pk])).content.decode()
    assert "Verified" in page
    assert reverse("tool_detail", args=[scene.recipe.pk]) in page
    assert "hx-trigger" not in page
