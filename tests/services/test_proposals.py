from typing import Any

import pytest

from recipes_app.models import AuditEntry, Job, Mapping, Proposal, Site, SurveyPage
from recipes_app.models.proposal import ProposalStatus
from recipes_app.services import proposals, sites
from recipes_app.services.errors import BadInput, NotAllowed, WrongState
from recipes_app.services.wording import submits_in_words
from tests.services.conftest import People
from tests.services.documents import search


def draft(name: str = "search_products", **more: object) -> dict[str, object]:
    document = search(name)
    return {
        "name": name,
        "description": document["description"],
        "kind": "search",
        "side_effect": "read",
        "parameters": document["parameters"],
        "examples": {"q": "pens"},
        "start_url": "https://shop.example.test/",
        "steps": document["steps"],
        "submit_index": 1,
        "page_url": "https://shop.example.test/",
        **more,
    }


@pytest.fixture
def mapping(people: People, site: Site) -> Mapping:
    mapping = sites.request_map(site=site, by=people.operator)
    SurveyPage.objects.create(mapping=mapping, url="https://shop.example.test/")
    return mapping


@pytest.fixture
def proposal(mapping: Mapping) -> Proposal:
    return proposals.save_drafts(mapping=mapping, drafts=[draft()])[0]


def test_drafts_become_proposals_on_their_page_with_names_of_their_own(mapping: Mapping) -> None:
    first, second = proposals.save_drafts(mapping=mapping, drafts=[draft(), draft()])
    assert (first.name, second.name) == ("search_products", "search_products_2")
    assert (first.status, first.page) == ("proposed", mapping.pages.get())


def test_a_destructive_draft_is_recorded_dry_unless_an_editor_says_otherwise(people: People, mapping: Mapping) -> None:
    [proposal] = proposals.save_drafts(mapping=mapping, drafts=[draft(side_effect="destructive")])
    assert proposal.dry_run
    assert not proposals.edit(proposal=proposal, by=people.editor, dry_run=False).dry_run


def test_approving_opens_one_recording_job_each(people: People, mapping: Mapping) -> None:
    made = proposals.save_drafts(mapping=mapping, drafts=[draft("one"), draft("two")])
    recordings = proposals.approve(proposals=made, by=people.editor)
    assert [each.proposal.name for each in recordings if each.proposal] == ["one", "two"]
    assert set(Proposal.objects.values_list("status", flat=True)) == {ProposalStatus.APPROVED}
    assert Job.objects.filter(kind="record", status="queued", queue="agents").count() == 2
    assert AuditEntry.objects.filter(action="proposal.approved", actor=people.editor).count() == 2


def test_approving_twice_records_once(people: People, proposal: Proposal) -> None:
    proposals.approve(proposals=[proposal], by=people.editor)
    with pytest.raises(WrongState):
        proposals.approve(proposals=[proposal], by=people.owner)
    assert Job.objects.filter(kind="record").count() == 1


def test_of_several_only_the_undecided_are_approved(people: People, mapping: Mapping) -> None:
    one, two = proposals.save_drafts(mapping=mapping, drafts=[draft("one"), draft("two")])
    proposals.approve(proposals=[one], by=people.editor)
    assert [each.proposal for each in proposals.approve(proposals=[one, two], by=people.editor)] == [two]


@pytest.mark.parametrize("who", ["operator", "viewer", "stranger"])
def test_who_is_no_editor_decides_nothing(people: People, proposal: Proposal, who: str) -> None:
    person = getattr(people, who)
    for decide in (
        lambda: proposals.approve(proposals=[proposal], by=person),
        lambda: proposals.reject(proposals=[proposal], by=person),
        lambda: proposals.edit(proposal=proposal, by=person, description="Mine."),
    ):
        with pytest.raises(NotAllowed):
            decide()
    proposal.refresh_from_db()
    assert proposal.status == "proposed"


def test_a_rejected_proposal_may_be_approved_after_all(people: People, proposal: Proposal) -> None:
    proposals.reject(proposals=[proposal], by=people.editor)
    with pytest.raises(WrongState):
        proposals.reject(proposals=[proposal], by=people.editor)
    assert len(proposals.approve(proposals=[proposal], by=people.editor)) == 1


def test_recording_again_needs_a_recording_that_has_ended(people: People, proposal: Proposal) -> None:
    with pytest.raises(WrongState):
        proposals.record_again(proposal=proposal, by=people.editor)
    Proposal.objects.update(status=ProposalStatus.FAILED)
    assert proposals.record_again(proposal=proposal, by=people.editor).job.status == "queued"


@pytest.mark.parametrize(
    "change",
    [
        {"name": "Not Snake"},
        {"examples": {}},
        {"examples": {"q": "pens", "colour": "red"}},
        {"parameters": {"type": "nonsense"}},
        {"status": "recorded"},
    ],
)
def test_an_edit_that_does_not_fit_the_plan_is_refused(
    people: People, proposal: Proposal, change: dict[str, Any]
) -> None:
    with pytest.raises(BadInput):
        proposals.edit(proposal=proposal, by=people.editor, **change)
    proposal.refresh_from_db()
    assert (proposal.name, proposal.examples) == ("search_products", {"q": "pens"})


def test_a_proposal_under_recording_is_not_edited(people: People, proposal: Proposal) -> None:
    proposals.approve(proposals=[proposal], by=people.editor)
    with pytest.raises(WrongState):
        proposals.edit(proposal=proposal, by=people.editor, description="Later.")


def test_two_proposals_of_a_mapping_never_share_a_name(people: People, mapping: Mapping) -> None:
    one, _two = proposals.save_drafts(mapping=mapping, drafts=[draft("one"), draft("two")])
    with pytest.raises(BadInput) as refused:
        proposals.edit(proposal=one, by=people.editor, name="two")
    assert list(refused.value.by_path) == ["name"]


def test_a_label_that_says_less_than_the_plan_needs_a_tick_and_is_never_safe(people: People, mapping: Mapping) -> None:
    sent, read = proposals.save_drafts(mapping=mapping, drafts=[draft("a", side_effect="write"), draft("b")])
    with pytest.raises(BadInput) as refused:
        proposals.edit(proposal=sent, by=people.editor, side_effect="read")
    assert list(refused.value.by_path) == ["side_effect"]
    sent.refresh_from_db()
    proposals.edit(proposal=sent, by=people.editor, side_effect="read", relabel=True)
    assert AuditEntry.objects.filter(detail__plan="write", detail__label="read", actor=people.editor).exists()
    assert list(Proposal.objects.safe()) == [read]
    assert (sent.submits, "really" in submits_in_words(sent)) == (3, True)
    assert proposals.edit(proposal=sent, by=people.editor, description="Later, no second tick.").side_effect == "read"


@pytest.mark.parametrize("label", ["destructive", "write"])
def test_what_destroys_is_recorded_by_its_own_tick_only(people: People, mapping: Mapping, label: str) -> None:
    [one] = proposals.save_drafts(mapping=mapping, drafts=[draft(side_effect="destructive")])
    proposals.edit(proposal=one, by=people.editor, dry_run=False, side_effect=label, relabel=True)
    with pytest.raises(BadInput, match="its own tick"):
        proposals.approve(proposals=[one], by=people.editor)
    assert not Job.objects.filter(kind="record").exists()
    assert proposals.approve(proposals=[one], by=people.editor, really={one.pk})
    Proposal.objects.update(status=ProposalStatus.FAILED)
    with pytest.raises(BadInput, match="its own tick"):
        proposals.record_again(proposal=one, by=people.editor)
    assert proposals.record_again(proposal=one, by=people.editor, really=True)


def test_the_plan_follows_parameters_that_are_renamed_or_taken_out(people: People, proposal: Proposal) -> None:
    text = {"type": "object", "properties": {"words": {"type": "string"}}, "required": ["words"]}
    proposals.edit(
        proposal=proposal, by=people.editor, parameters=text, examples={"words": "pens"}, renamed={"q": "words"}
    )
    proposal.refresh_from_db()
    assert proposal.steps[1]["text"] == "{{words}}"
    nothing = {"type": "object", "properties": {}}
    with pytest.raises(BadInput):  # the step that submits is never left out
        proposals.edit(proposal=proposal, by=people.editor, parameters=nothing, examples={})
    press = {"op": "press_enter", "target": {"role": "searchbox", "name": "Search"}}
    Proposal.objects.filter(pk=proposal.pk).update(steps=[*proposal.steps, press], submit_index=2)
    proposal.refresh_from_db()
    proposals.edit(proposal=proposal, by=people.editor, parameters=nothing, examples={})
    proposal.refresh_from_db()
    assert ([step["op"] for step in proposal.steps], proposal.submit_index) == (["goto", "press_enter"], 1)


def test_only_the_newest_mapping_that_proposed_something_waits(people: People, site: Site, mapping: Mapping) -> None:
    proposals.save_drafts(mapping=mapping, drafts=[draft("old")])
    Job.objects.update(status="done")
    later = sites.request_map(site=site, by=people.operator)
    assert [each.name for each in Proposal.objects.waiting()] == ["old"]
    proposals.save_drafts(mapping=later, drafts=[draft("new")])
    assert [each.name for each in Proposal.objects.waiting()] == ["new"]
