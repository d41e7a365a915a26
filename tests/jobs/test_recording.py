"""Approved proposals of the practice site recorded, verified and published; versions verified again."""

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

from examples.practice.server import PracticeSite
from recipes_app.browser.session import BrowserSession, ContextOptions
from recipes_app.browser.thread import Desk
from recipes_app.jobs import agents, calls, running
from recipes_app.models import JobPicture, Mapping, Proposal, Recipe, RecipeVersion, Recording, Site, User
from recipes_app.models.recipe import Origin, VersionStatus
from recipes_app.services import calls as call_service
from recipes_app.services import proposals, recipes, sites
from tests.jobs.documents import search_products, subscribe

Approve = Callable[..., Recording]


@pytest.fixture
def mapping(site: Site, owner: User, place: running.Place) -> Mapping:
    mapping = sites.request_map(site=site, by=owner, max_pages=1)
    Mapping.objects.filter(pk=mapping.pk).update(method="rules")
    return mapping


@pytest.fixture
def record(mapping: Mapping, owner: User) -> Approve:
    """Save this document as a proposal, approve it and record it."""

    def run(document: dict[str, object], **more: object) -> Recording:
        draft = {"kind": "action", "start_url": mapping.start_url, "page_url": "", **document, **more}
        [proposal] = proposals.save_drafts(mapping=mapping, drafts=[draft])
        if "dry_run" in more:
            proposals.edit(proposal=proposal, by=owner, dry_run=more["dry_run"])
        [recording] = proposals.approve(proposals=[proposal], by=owner)
        agents.record_recipe(recording.job.pk)
        return Recording.objects.select_related("job", "proposal", "version").get(pk=recording.pk)

    return run


def plan_of(document: dict[str, object], steps: int) -> dict[str, object]:
    return {**document, "steps": document["steps"][:steps]}  # type: ignore[index]


def test_a_tool_that_writes_is_recorded_verified_published_and_called(
    record: Approve, site: Site, owner: User, practice: PracticeSite
) -> None:
    plan = plan_of(subscribe(site.base_url), 3)
    done = record(plan, examples={"email": "a@b.test"}, others={"email": "c@d.test"}, submit_index=2)
    assert (done.job.status, done.job.error) == ("done", None)
    assert done.proposal is not None
    assert done.version is not None
    assert done.proposal.status == "recorded"
    assert done.proposal.submits == practice.state.submissions["POST /newsletter/frame"] == 2
    assert (done.version.status, done.version.origin, done.version.author) == ("passed", "recorded", owner)
    assert (done.version.verdict or {})["mode"] == "full"
    recipes.publish(version=done.version, by=owner)
    recipe = Recipe.objects.get(name="subscribe")
    call = call_service.request_call(recipe=recipe, arguments={"email": "e@f.test"}, by=owner)
    calls.run_call(call.job.pk)
    call.refresh_from_db()
    assert (call.result or {})["ok"]
    assert practice.state.submissions["POST /newsletter/frame"] == 3


def test_a_dry_run_submits_nothing(record: Approve, site: Site, practice: PracticeSite) -> None:
    plan = plan_of(subscribe(site.base_url), 3)
    done = record(plan, examples={"email": "a@b.test"}, submit_index=2, dry_run=True)
    assert (done.job.status, done.proposal.submits if done.proposal else None) == ("done", 0)
    assert done.version is not None
    assert (done.version.verdict or {})["mode"] == "dry_run"
    assert "POST /newsletter/frame" not in practice.state.submissions


def test_a_plan_that_does_not_work_fails_with_the_step_and_a_picture(record: Approve, site: Site) -> None:
    plan = plan_of(subscribe(site.base_url), 3)
    plan["steps"][2]["target"]["name"] = "Fly away"  # type: ignore[index]
    done = record(plan, examples={"email": "a@b.test"}, submit_index=2)
    assert done.proposal is not None
    assert (done.job.status, done.proposal.status, done.version) == ("failed", "failed", None)
    assert "Fly away" in done.job.error_text
    assert done.proposal.hint.startswith("The last recording failed: ")
    assert "Fly away" in done.proposal.hint
    assert not Recipe.objects.exists()


def test_a_failed_recording_can_be_recorded_again(record: Approve, site: Site, owner: User) -> None:
    plan = plan_of(subscribe(site.base_url), 3)
    plan["steps"][2]["target"]["name"] = "Fly away"  # type: ignore[index]
    proposal = record(plan, examples={"email": "a@b.test"}, submit_index=2).proposal
    assert proposal is not None
    proposal.steps[2]["target"]["name"] = "Subscribe"
    proposal.save()
    again = proposals.record_again(proposal=proposal, by=owner)
    agents.record_recipe(again.job.pk)
    proposal.refresh_from_db()
    assert (proposal.status, proposal.hint) == ("recorded", "")


def test_a_persons_word_is_not_replaced_by_the_reason_of_a_failure(record: Approve, site: Site, owner: User) -> None:
    plan = plan_of(subscribe(site.base_url), 3)
    plan["steps"][2]["target"]["name"] = "Fly away"  # type: ignore[index]
    proposal = record(plan, examples={"email": "a@b.test"}, submit_index=2).proposal
    assert proposal is not None
    Proposal.objects.filter(pk=proposal.pk).update(hint="press the blue one")
    again = proposals.record_again(proposal=proposal, by=owner)
    assert again is not None
    agents.record_recipe(again.job.pk)
    proposal.refresh_from_db()
    assert (proposal.status, proposal.hint) == ("failed", "press the blue one")


def test_a_tool_is_verified_as_it_is_called(
    record: Approve, site: Site, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without pictures where calls load none: what only a picture makes pressable is found out before it is used."""
    blocked: list[bool] = []
    opened = Desk.session

    def noted(desk: Desk, options: ContextOptions) -> AbstractContextManager[BrowserSession]:
        blocked.append(options.block_media)
        return opened(desk, options)

    monkeypatch.setattr(Desk, "session", noted)
    done = record(plan_of(subscribe(site.base_url), 3), examples={"email": "a@b.test"}, submit_index=2)
    assert (done.job.status, blocked) == ("done", [False, True])
    assert done.version is not None
    recording = recipes.request_verification(version=done.version, by=owner)
    agents.record_recipe(recording.job.pk)
    assert blocked == [False, True, True]


def test_a_bug_in_recording_does_not_leave_the_proposal_hanging(
    record: Approve, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_arguments: object, **_more: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("recipes_app.mapping.attempts.record", broken)
    done = record(plan_of(subscribe(site.base_url), 3), examples={"email": "a@b.test"}, submit_index=2)
    assert (done.job.status, done.proposal.status if done.proposal else "") == ("errored", "failed")
    assert "ZeroDivisionError" in done.job.traceback


def verify(site: Site, owner: User, document: dict[str, object], **examples: object) -> RecipeVersion:
    version = recipes.save_version(
        site=site, document=document, author=owner, origin=Origin.EDITED, examples=dict(examples)
    )
    recording = recipes.request_verification(version=version, by=owner)
    agents.record_recipe(recording.job.pk)
    version.refresh_from_db()
    return version


def test_an_edited_version_passes_its_verification(place: running.Place, site: Site, owner: User) -> None:
    version = verify(site, owner, search_products(site.base_url), q="pen")
    assert version.status == VersionStatus.PASSED
    recipes.publish(version=version, by=owner)
    assert Recipe.objects.published().count() == 1


def test_an_edited_version_that_fails_says_where_and_shows_the_page(
    place: running.Place, site: Site, owner: User
) -> None:
    document = search_products(site.base_url)
    document["steps"].insert(1, {"op": "click", "target": {"role": "button", "name": "Fly"}, "timeout_ms": 300})
    version = verify(site, owner, document, q="pen")
    assert version.status == VersionStatus.FAILED
    job = Recording.objects.get().job
    assert (job.status, (job.error or {})["kind"], (job.error or {})["failed_step"]) == (
        "failed", "verify_failed", "steps[1]",
    )  # fmt: skip
    assert JobPicture.objects.filter(pk=(job.error or {})["screenshot"]).exists()


def test_a_version_without_examples_says_what_it_needs(place: running.Place, site: Site, owner: User) -> None:
    version = verify(site, owner, search_products(site.base_url))
    assert version.status == VersionStatus.DRAFT
    assert "example values" in Recording.objects.get().job.error_text


def test_a_version_is_verified_with_what_its_schema_offers(place: running.Place, site: Site, owner: User) -> None:
    document = search_products(site.base_url)
    document["parameters"]["properties"]["q"]["examples"] = ["pen", "ink"]
    assert verify(site, owner, document).status == VersionStatus.PASSED


def test_proposals_of_the_survey_can_be_recorded(place: running.Place, site: Site, owner: User) -> None:
    mapping = sites.request_map(site=site, by=owner, max_pages=3)
    agents.map_site(mapping.job.pk)
    proposal = Proposal.objects.get(name="list_featured_products")
    [recording] = proposals.approve(proposals=[proposal], by=owner)
    agents.record_recipe(recording.job.pk)
    recording.job.refresh_from_db()
    assert (recording.job.status, recording.job.error) == ("done", None)
