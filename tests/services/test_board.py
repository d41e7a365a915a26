"""Proposals merged, split, copied, taken back, and approved by two."""

from typing import Any

import pytest
from pytest_django.fixtures import Settings

from recipes_app.models import AuditEntry, Job, Mapping, Notice, Proposal, Site, SurveyPage
from recipes_app.models.proposal import ProposalStatus
from recipes_app.services import board, proposals, sites
from recipes_app.services import people as teams
from recipes_app.services import recipes as service
from recipes_app.services.errors import BadInput, NotAllowed, WrongState
from tests.people import make_user
from tests.services.conftest import People
from tests.services.documents import search
from tests.services.test_proposals import draft

CHOICE: dict[str, Any] = {
    "type": "object",
    "properties": {"q": {"type": "string"}, "sort": {"type": "string", "enum": ["Price", "Name"]}},
    "required": ["q", "sort"],
}


@pytest.fixture
def mapping(people: People, site: Site) -> Mapping:
    mapping = sites.request_map(site=site, by=people.operator)
    SurveyPage.objects.create(mapping=mapping, url="https://shop.example.test/")
    return mapping


@pytest.fixture
def two(mapping: Mapping) -> tuple[Proposal, Proposal]:
    one, other = proposals.save_drafts(mapping=mapping, drafts=[draft("one"), draft("other")])
    return one, other


def test_one_is_merged_into_the_other_and_taken_back(people: People, two: tuple[Proposal, Proposal]) -> None:
    one, other = two
    board.merge(keep=one, other=other, by=people.editor)
    other.refresh_from_db()
    assert (other.status, other.merged_into) == ("rejected", one)
    with pytest.raises(WrongState):
        board.merge(keep=one, other=other, by=people.editor)
    board.take_back(proposal=other, by=people.editor)
    assert (other.status, other.merged_into, other.decided_by) == ("proposed", None, None)
    with pytest.raises(WrongState):
        board.take_back(proposal=other, by=people.editor)


def test_what_is_merged_fits_together(people: People, two: tuple[Proposal, Proposal], site: Site) -> None:
    one, other = two
    with pytest.raises(BadInput):
        board.merge(keep=one, other=one, by=people.editor)
    proposals.reject(proposals=[one], by=people.editor)
    with pytest.raises(WrongState):
        board.merge(keep=one, other=other, by=people.editor)


@pytest.mark.parametrize("who", ["operator", "viewer", "stranger"])
def test_who_is_no_editor_changes_no_board(people: People, two: tuple[Proposal, Proposal], who: str) -> None:
    person, (one, other) = getattr(people, who), two
    for act in (
        lambda: board.merge(keep=one, other=other, by=person),
        lambda: board.take_back(proposal=one, by=person),
        lambda: board.copy(proposal=one, by=person),
        lambda: board.split(proposal=one, by=person, parameter="q"),
    ):
        with pytest.raises(NotAllowed):
            act()


def test_a_copy_has_a_name_and_a_life_of_its_own(people: People, two: tuple[Proposal, Proposal]) -> None:
    one, _ = two
    proposals.approve(proposals=[one], by=people.editor)
    made = board.copy(proposal=one, by=people.editor)
    assert (made.name, made.status, made.decided_by, made.steps) == ("one_2", "proposed", None, one.steps)
    proposals.edit(proposal=made, by=people.editor, name="one_by_hand", description="Mine.")
    one.refresh_from_db()
    assert (one.name, one.status) == ("one", "approved")


def test_a_proposal_is_split_by_the_choices_of_a_parameter(people: People, mapping: Mapping) -> None:
    chosen = {"op": "select", "target": {"role": "combobox", "name": "Sort"}, "value": "{{sort}}"}
    plan = [*search()["steps"][:1], chosen, *search()["steps"][1:]]
    given = draft("find", parameters=CHOICE, examples={"q": "pens", "sort": "Name"}, steps=plan)
    [one] = proposals.save_drafts(mapping=mapping, drafts=[given])
    made = board.split(proposal=one, by=people.editor, parameter="sort")
    assert [each.name for each in made] == ["find_price", "find_name"]
    assert [each.steps[1]["value"] for each in made] == ["Price", "Name"]
    assert [(list(each.parameters["properties"]), each.parameters["required"]) for each in made] == [(["q"], ["q"])] * 2
    one.refresh_from_db()
    assert (one.status, one.merged_into) == ("rejected", made[0])
    with pytest.raises(WrongState):
        board.split(proposal=one, by=people.editor, parameter="sort")
    with pytest.raises(BadInput):
        board.split(proposal=made[0], by=people.editor, parameter="q")


@pytest.fixture
def strict(people: People) -> People:
    people.team.two_approvers = True
    people.team.save()
    return people


@pytest.fixture
def risky(mapping: Mapping, strict: People) -> Proposal:
    [one] = proposals.save_drafts(mapping=mapping, drafts=[draft("wipe", side_effect="destructive")])
    return Proposal.objects.select_related("site__team").get(pk=one.pk)


def test_what_is_destructive_waits_for_a_second_editor(strict: People, risky: Proposal) -> None:
    assert proposals.approve(proposals=[risky], by=strict.editor) == []
    risky.refresh_from_db()
    assert (risky.status, risky.first_approved_by) == ("proposed", strict.editor)
    assert not Job.objects.filter(kind="record").exists()
    told = Notice.objects.get(event="proposal.second")
    assert (told.user, told.path.endswith(f"?p={risky.pk}")) == (strict.owner, True)
    with pytest.raises(WrongState, match="another editor decides"):
        proposals.approve(proposals=[risky], by=strict.editor)
    [recording] = proposals.approve(proposals=[risky], by=strict.owner)
    risky.refresh_from_db()
    assert (risky.status, risky.decided_by, risky.seconded_by) == ("approved", strict.editor, strict.owner)
    assert recording.job.status == "queued"
    told.refresh_from_db()
    assert told.read_at


def test_an_edit_or_a_rejection_undoes_the_first_approval(strict: People, risky: Proposal) -> None:
    proposals.approve(proposals=[risky], by=strict.editor)
    proposals.edit(proposal=risky, by=strict.editor, description="Now it says something else.")
    risky.refresh_from_db()
    assert risky.first_approved_by is None
    assert proposals.approve(proposals=[risky], by=strict.owner) == []
    proposals.reject(proposals=[risky], by=strict.editor)
    risky.refresh_from_db()
    assert (risky.status, risky.first_approved_by) == ("rejected", None)


def test_two_that_approve_first_are_the_first_and_the_second(strict: People, risky: Proposal) -> None:
    again = Proposal.objects.select_related("site__team").get(pk=risky.pk)
    proposals.approve(proposals=[risky], by=strict.editor)
    with pytest.raises(WrongState):  # the row it holds is older than the first approval: nothing is decided by mistake
        proposals.approve(proposals=[again], by=strict.owner)
    assert not Job.objects.filter(kind="record").exists()


def test_what_only_reads_never_waits_for_a_second(strict: People, mapping: Mapping) -> None:
    made = proposals.save_drafts(mapping=mapping, drafts=[draft("one"), draft("send", side_effect="write")])
    assert len(proposals.approve(proposals=made, by=strict.editor)) == 2


def test_only_an_owner_sets_how_many_approve(people: People) -> None:
    with pytest.raises(NotAllowed):
        teams.want_two_approvers(team=people.team, by=people.editor, wanted=True)
    for _ in range(2):
        assert teams.want_two_approvers(team=people.team, by=people.owner, wanted=True).two_approvers
    assert AuditEntry.objects.filter(action="team.two_approvers", actor=people.owner).count() == 1


def test_recording_again_takes_a_word_along(people: People, two: tuple[Proposal, Proposal]) -> None:
    one, _ = two
    Proposal.objects.update(status=ProposalStatus.FAILED)
    recording = proposals.record_again(proposal=one, by=people.editor, hint="  wait for the list\nfirst ")
    one.refresh_from_db()
    assert recording
    assert one.hint == "wait for the list first"


def publish(site: Site, document: dict[str, Any], people: People) -> None:
    """As a recording of the proposal of that name would have made it."""
    version = service.save_version(
        site=site, document=document, author=people.editor, origin="recorded", verdict={"passed": True, "checks": []}
    )
    job = Job.objects.create(
        team=people.team, kind="record", title="Record", queue="agents", requested_by=people.editor
    )
    proposal = Proposal.objects.filter(name=document["name"]).latest("pk")
    version.recordings.create(job=job, proposal=proposal)
    service.publish(version=version, by=people.editor)


@pytest.fixture
def published(people: People, site: Site, mapping: Mapping) -> Mapping:
    """`search_products` and `list_orders` came of the first mapping; the second one is given."""
    proposals.save_drafts(mapping=mapping, drafts=[draft(), draft("list_orders")])
    publish(site, search(), people)
    publish(site, search("list_orders"), people)
    Job.objects.update(status="done")
    later = sites.request_map(site=site, by=people.operator)
    SurveyPage.objects.create(mapping=later, url="https://shop.example.test/")
    return later


def test_a_second_mapping_says_what_is_new_the_same_changed_and_gone(people: People, published: Mapping) -> None:
    more = {"type": "object", "properties": {**search()["parameters"]["properties"], "shop": {"type": "string"}}}
    more["required"] = ["q"]
    made = proposals.save_drafts(mapping=published, drafts=[draft(parameters=more), draft("find_shops", kind="list")])
    published.refresh_from_db()
    assert [(each.name, each.change) for each in made] == [("search_products", "changed"), ("find_shops", "new")]
    assert "1 in its parameters" in made[0].change_note
    assert published.gone == ["list_orders"]


def test_what_is_published_just_so_waits_for_nobody(people: People, published: Mapping) -> None:
    made = proposals.save_drafts(mapping=published, drafts=[draft(), draft("list_orders")])
    assert {each.change for each in made} == {"same"}
    assert not Proposal.objects.waiting().exists()
    published.refresh_from_db()
    assert published.gone == []


def test_a_tool_that_a_person_renamed_is_known_again_by_what_it_does(people: People, published: Mapping) -> None:
    steps = search()["steps"]
    steps[1] = {**steps[1], "text": "{{words}}"}
    words = {"type": "object", "properties": {"words": {"type": "string"}}, "required": ["words"]}
    given = draft("query_things", parameters=words, examples={"words": "pens"}, steps=steps)
    [made] = proposals.save_drafts(mapping=published, drafts=[given])
    assert (made.name, made.change) == ("list_orders", "same")


def test_a_changed_one_becomes_a_version_and_leaves_the_published_one_alone(people: People, published: Mapping) -> None:
    [made] = proposals.save_drafts(
        mapping=published,
        drafts=[
            draft(
                steps=search()["steps"][:1],
                submit_index=None,
                parameters={"type": "object", "properties": {}},
                examples={},
            )
        ],
    )
    assert made.change == "changed"
    recipe = made.site.recipes.get(name="search_products")
    live = recipe.live_version
    proposals.approve(proposals=[made], by=people.editor)
    document = {**search(), "steps": search()["steps"][:1], "parameters": {"type": "object", "properties": {}}}
    service.save_version(
        site=made.site,
        document=document,
        author=people.editor,
        origin="recorded",
        verdict={"passed": False, "checks": []},
    )
    recipe.refresh_from_db()
    assert (recipe.live_version, recipe.versions.count()) == (live, 2)
    with pytest.raises(WrongState):
        service.publish(version=recipe.versions.first(), by=people.editor)  # type: ignore[arg-type]


def test_a_first_approval_is_told_to_editors_with_an_address(
    strict: People, risky: Proposal, settings: Settings
) -> None:
    settings.EMAIL_IS_CONFIGURED = True
    make_user("nobody", strict.team)
    proposals.approve(proposals=[risky], by=strict.editor)
    assert set(Notice.objects.values_list("user__username", "wants_mail")) == {("owner", True)}
