import pytest

from recipes_app.models import AuditEntry, Job, Mapping, Proposal, Site, SurveyPage
from recipes_app.models.proposal import ProposalStatus
from recipes_app.services import proposals, sites
from recipes_app.services.errors import BadInput, NotAllowed, WrongState
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
    people: People, proposal: Proposal, change: dict[str, object]
) -> None:
    with pytest.raises(BadInput):
        proposals.edit(proposal=proposal, by=people.editor, **change)
    proposal.refresh_from_db()
    assert (proposal.name, proposal.examples) == ("search_products", {"q": "pens"})


def test_a_proposal_under_recording_is_not_edited(people: People, proposal: Proposal) -> None:
    proposals.approve(proposals=[proposal], by=people.editor)
    with pytest.raises(WrongState):
        proposals.edit(proposal=proposal, by=people.editor, description="Later.")
