"""Webhooks set up and looked at by a program."""

import pytest

from recipes_app.models import Membership, Proposal, Role, Site, User, Webhook, WebhookDelivery
from recipes_app.services import webhooks
from tests.api.conftest import program
from tests.people import make_team, make_user

pytestmark = pytest.mark.django_db
URL = "https://hooks.example.org/in"


@pytest.fixture
def owner(editor: User) -> User:
    return make_user("olga", Membership.objects.get(user=editor).team, Role.OWNER)


def test_an_owners_program_adds_lists_and_removes_a_webhook(owner: User) -> None:
    machine = program(owner, "manage")
    made = machine.post("/webhooks", {"url": URL, "events": ["tool.failing"]})
    assert made.status_code == 201
    assert made.json()["secret"].startswith("whsec_")
    [listed] = machine.get("/webhooks").json()
    assert (listed["url"], listed["events"], listed["is_active"]) == (URL, ["tool.failing"], True)
    assert "secret" not in listed
    gone = machine.client.delete(f"/api/v1/webhooks/{listed['id']}", headers=machine.headers)
    assert gone.status_code == 204
    assert machine.get("/webhooks").json() == []
    assert machine.client.delete(f"/api/v1/webhooks/{listed['id']}", headers=machine.headers).status_code == 404


def test_messages_are_listed_and_sent_again(owner: User) -> None:
    hook, _ = webhooks.add(team=Membership.objects.get(user=owner).team, by=owner, url=URL)
    message = webhooks.ping(webhook=hook, by=owner)
    machine = program(owner, "manage")
    [listed] = machine.get(f"/webhooks/{hook.pk}/deliveries").json()
    assert (listed["id"], listed["status"], listed["payload"]["type"]) == (message.public_id, "waiting", "ping")
    again = f"/webhooks/{hook.pk}/deliveries/{message.public_id}/again"
    assert machine.post(again).status_code == 409
    WebhookDelivery.objects.update(status="given_up", attempts=11)
    assert (machine.post(again).status_code, WebhookDelivery.objects.get().attempts) == (202, 0)
    assert machine.post(f"/webhooks/{hook.pk}/deliveries/msg_none/again").status_code == 404
    assert machine.get("/webhooks/99999999999999999999/deliveries").status_code in (404, 422)


@pytest.mark.parametrize(
    ("given", "said"), [({"url": "http://10.0.0.1/"}, "private"), ({"url": URL, "events": ["x"]}, "x")]
)
def test_what_cannot_be_is_refused_in_words(owner: User, given: dict[str, object], said: str) -> None:
    answer = program(owner, "manage").post("/webhooks", given)
    assert answer.status_code == 422
    assert said in answer.json()["error"]


def test_webhooks_are_the_owners(owner: User, editor: User) -> None:
    hook, _ = webhooks.add(team=Membership.objects.get(user=owner).team, by=owner, url=URL)
    assert program(owner, "read", "call").get("/webhooks").status_code == 403
    assert program(editor, "manage").get("/webhooks").status_code == 403
    stranger = make_user("sam", make_team("Red"), Role.OWNER)
    assert program(stranger, "manage").get("/webhooks").json() == []
    assert program(stranger, "manage").get(f"/webhooks/{hook.pk}/deliveries").status_code == 404
    assert Webhook.objects.count() == 1


def test_two_programs_of_two_editors_approve_what_is_destructive(owner: User, editor: User, shop: Site) -> None:
    team = shop.team
    team.two_approvers = True
    team.save()
    made = program(editor, "manage").post(f"/sites/{shop.slug}/mappings").json()
    site = Site.objects.get(pk=shop.pk)
    Proposal.objects.create(
        site=site, mapping=site.mappings.get(), name="wipe", description="Wipe.", kind="action",
        start_url=site.base_url, side_effect="destructive", dry_run=True, steps=[{"op": "goto", "url": site.base_url}],
    )  # fmt: skip
    path = f"/mappings/{made['id']}/decisions"
    [first] = program(editor, "manage").post(path, {"approve": ["wipe"]}).json()
    assert (first["status"], first["waits_for_second"]) == ("proposed", True)
    assert program(editor, "manage").post(path, {"approve": ["wipe"]}).status_code == 409
    [second] = program(owner, "manage").post(path, {"approve": ["wipe"]}).json()
    assert (second["status"], second["waits_for_second"]) == ("approved", False)
