"""Mapping a site and deciding about its proposals, as a program."""

from typing import Any

import pytest

from recipes_app.models import Job, Mapping, Proposal, Recording, Role, Site, User
from recipes_app.models.job import JobKind, JobStatus
from recipes_app.services import proposals, sites
from recipes_app.services.wording import submits_in_words
from tests.api.conftest import BASE, Program, program
from tests.people import make_team, make_user
from tests.services.test_proposals import draft

pytestmark = pytest.mark.django_db


@pytest.fixture
def mapping(shop: Site, editor: User) -> Mapping:
    """One that has ended and proposes two tools."""
    mapping = sites.request_map(site=shop, by=editor)
    proposals.save_drafts(mapping=mapping, drafts=[draft(name="find"), draft(name="other")])
    Job.objects.update(status=JobStatus.DONE)
    return mapping


def path_of(mapping: Mapping, rest: str = "") -> str:
    return f"/mappings/{mapping.job.public_id}{rest}"


def test_a_mapping_is_started_and_can_be_looked_at(script: Program, shop: Site) -> None:
    answer = script.post("/sites/shop/mappings", {"start_url": "/deep", "max_pages": 3})
    assert answer.status_code == 202
    made = answer.json()
    assert answer["Location"] == made["url"] == f"{BASE}/mappings/{made['id']}"
    mapping = Mapping.objects.get()
    assert (mapping.start_url, mapping.max_pages, mapping.max_depth) == (f"{shop.base_url}deep", 3, 2)
    seen = script.get(f"/mappings/{made['id']}").json()
    assert (seen["status"], seen["pages"], seen["proposals"]) == ("queued", [], 0)
    assert seen["board"].endswith(f"/mappings/{mapping.pk}/board/")


@pytest.mark.parametrize("body", ["", "{}"])
def test_it_needs_no_body(script: Program, shop: Site, body: str) -> None:
    assert script.post("/sites/shop/mappings", body).status_code == 202
    again = script.post("/sites/shop/mappings", body)
    assert (again.status_code, again.json()["kind"]) == (409, "wrong_state")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"pages": 3}, 'pages is not known here; expected {"start_url"'),
        ({"max_pages": "3"}, "max_pages: must be a whole number"),
        ({"max_pages": 0}, "max_pages: Must be from 1 to 100."),
        ({"method": "magic"}, "method"),
        ({"start_url": "https://elsewhere.example/"}, "start_url"),
    ],
)
def test_what_makes_no_sense_is_said(script: Program, shop: Site, body: object, said: str) -> None:
    answer = script.post("/sites/shop/mappings", body)
    assert answer.status_code == 422
    assert said in answer.json()["error"]
    assert not Mapping.objects.exists()


def test_proposals_say_what_approving_means(script: Program, mapping: Mapping) -> None:
    found = script.get(path_of(mapping, "/proposals")).json()
    assert [(each["name"], each["status"]) for each in found] == [("find", "proposed"), ("other", "proposed")]
    assert found[0]["means"] == submits_in_words(Proposal.objects.get(name="find"))
    assert (found[0]["version"], found[0]["error"]) == (None, None)


def test_proposals_are_approved_and_rejected_by_name(script: Program, mapping: Mapping, editor: User) -> None:
    answer = script.post(path_of(mapping, "/decisions"), {"approve": ["find"], "reject": ["other"]})
    assert answer.status_code == 200, answer.json()
    assert [(each["name"], each["status"]) for each in answer.json()] == [("find", "approved"), ("other", "rejected")]
    assert Job.objects.filter(kind=JobKind.RECORD, requested_by=editor).count() == 1
    error = {"error": "Nothing there.", "kind": "missing"}
    Job.objects.filter(kind=JobKind.RECORD).update(status=JobStatus.FAILED, error=error)
    assert script.get(path_of(mapping, "/proposals")).json()[0]["error"] == error


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({}, 'nothing is decided; expected {"approve"'),
        ({"approve": ["find", "nope"]}, "this mapping proposes no nope"),
        ({"approve": ["find"], "reject": ["find"]}, "find: approved and rejected at once"),
        ({"approve": ["find"], "really": ["other"]}, "really: other not among those approved"),
        ({"approve": "find"}, "approve: must be a valid list"),
    ],
)
def test_a_decision_is_taken_whole_or_not_at_all(script: Program, mapping: Mapping, body: object, said: str) -> None:
    answer = script.post(path_of(mapping, "/decisions"), body)
    assert answer.status_code == 422
    assert said in answer.json()["error"]
    assert Proposal.objects.undecided().count() == 2


def test_what_cannot_be_rejected_any_more_undoes_the_approval_beside_it(script: Program, mapping: Mapping) -> None:
    Proposal.objects.filter(name="other").update(status="rejected")
    answer = script.post(path_of(mapping, "/decisions"), {"approve": ["find"], "reject": ["other"]})
    assert answer.status_code == 409
    assert Proposal.objects.get(name="find").status == "proposed"
    assert not Recording.objects.exists()


def test_what_destroys_needs_to_be_named_twice(script: Program, mapping: Mapping) -> None:
    Proposal.objects.filter(name="find").update(side_effect="destructive", dry_run=False)
    assert script.post(path_of(mapping, "/decisions"), {"approve": ["find"]}).status_code == 422
    answer = script.post(path_of(mapping, "/decisions"), {"approve": ["find"], "really": ["find"]})
    assert answer.status_code == 200


def test_the_role_of_the_owner_decides(mapping: Mapping, shop: Site) -> None:
    body: Any = {"approve": ["find"]}
    operator = program(make_user("oz", shop.team, Role.OPERATOR))
    assert operator.post(path_of(mapping, "/decisions"), body).status_code == 403
    assert operator.post("/sites/shop/mappings", {}).status_code == 202
    Job.objects.update(status=JobStatus.DONE)
    assert Proposal.objects.undecided().count() == 2


def test_the_scope_is_manage_and_the_team_ones_own(mapping: Mapping, editor: User) -> None:
    less = program(editor, "read", "call")
    stranger = program(make_user("stranger", make_team("Red"), Role.OWNER))
    for caller, status in ((less, 403), (stranger, 404)):
        for rest in ("", "/proposals"):
            assert caller.get(path_of(mapping, rest)).status_code == status
        assert caller.post(path_of(mapping, "/decisions"), {"approve": ["find"]}).status_code == status
        assert caller.post(path_of(mapping, "/cancel")).status_code == status
        assert caller.post("/sites/shop/mappings", {}).status_code == status


def test_a_mapping_is_cancelled(script: Program, shop: Site) -> None:
    made = script.post("/sites/shop/mappings", {}).json()
    assert script.post(f"/mappings/{made['id']}/cancel").json()["status"] == "cancelled"
    assert script.post(f"/mappings/{made['id']}/cancel").status_code == 409
