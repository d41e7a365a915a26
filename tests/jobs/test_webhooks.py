"""Signed messages, sent to a real web server."""

import base64
import hashlib
import hmac
import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.utils import timezone
from pytest_django.fixtures import Settings

from recipes_app.jobs import running
from recipes_app.jobs.inline import run_with
from recipes_app.jobs.posting import post
from recipes_app.models import Job, Notice, Site, Team, User, Webhook, WebhookDelivery
from recipes_app.services import notices, webhooks
from recipes_app.services.errors import BadInput, NotAllowed, WrongState
from tests.jobs.receiver import Receiver
from tests.people import make_user


@pytest.fixture
def receiver(settings: Settings) -> Iterator[Receiver]:
    server = Receiver()
    server.start()
    settings.ALLOWED_PRIVATE_HOSTS = [server.host]
    yield server
    server.stop()


@pytest.fixture
def team(site: Site) -> Team:
    return site.team


@pytest.fixture
def hook(team: Team, owner: User, receiver: Receiver) -> tuple[Webhook, str]:
    return webhooks.add(team=team, by=owner, url=receiver.url)


def send_due(place: running.Place) -> None:
    """As upkeep and the worker of `packs` do."""
    webhooks.open_due()
    for job in Job.objects.filter(kind="deliver", status="queued"):
        assert run_with(place, job).status == "done"


def make_due() -> None:
    WebhookDelivery.objects.filter(status="waiting").update(next_at=timezone.now() - timedelta(seconds=1))


def test_a_message_arrives_signed(
    hook: tuple[Webhook, str], receiver: Receiver, team: Team, place: running.Place
) -> None:
    [delivery] = webhooks.emit(team=team, event="tool.failing", tool="search", detail="Zürich")
    send_due(place)
    [(headers, body)] = receiver.got
    assert receiver.paths == ["/hook?x=1"]
    assert json.loads(body)["type"] == "tool.failing"
    assert json.loads(body)["data"] == {"tool": "search", "detail": "Zürich"}
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    key = base64.b64decode(hook[1].removeprefix("whsec_"))
    mac = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    assert headers["webhook-signature"] == f"v1,{mac}"
    assert abs(int(headers["webhook-timestamp"]) - timezone.now().timestamp()) < 60
    delivery.refresh_from_db()
    assert (headers["webhook-id"], delivery.status, delivery.attempts) == (delivery.public_id, "delivered", 1)
    assert delivery.response_status == 200


def test_what_fails_is_tried_again_later_under_the_same_id(
    hook: tuple[Webhook, str], receiver: Receiver, team: Team, place: running.Place
) -> None:
    receiver.answers = [500, 503, 204]
    [delivery] = webhooks.emit(team=team, event="tool.published")
    for _ in range(3):
        send_due(place)
        delivery.refresh_from_db()
        if delivery.status == "waiting":
            assert delivery.next_at > timezone.now()
            send_due(place)  # not due yet, so nothing is sent
        make_due()
    assert (delivery.status, delivery.attempts, len(receiver.got)) == ("delivered", 3, 3)
    assert len({headers["webhook-id"] for headers, _ in receiver.got}) == 1


def test_the_tries_grow_rarer_over_a_day() -> None:
    assert sum(webhooks.DELAYS_S) == pytest.approx(24 * 3600, rel=0.1)
    assert list(webhooks.DELAYS_S) == sorted(webhooks.DELAYS_S)


def test_after_a_day_of_failing_it_is_switched_off_and_the_owners_are_told(
    hook: tuple[Webhook, str], receiver: Receiver, team: Team, owner: User, place: running.Place
) -> None:
    receiver.answers = [500]
    webhooks.emit(team=team, event="tool.published")
    WebhookDelivery.objects.update(attempts=len(webhooks.DELAYS_S))
    send_due(place)
    row = Webhook.objects.get()
    assert not row.is_active
    assert "nothing arrived for a day" in row.off_because
    assert WebhookDelivery.objects.get().status == "given_up"
    told = Notice.objects.get(event="webhook.off")
    assert (told.user, told.path) == (owner, f"/teams/webhooks/{row.pk}/")
    assert webhooks.emit(team=team, event="tool.published") == []
    webhooks.switch(webhook=row, by=owner, on=True)
    told.refresh_from_db()
    assert told.read_at
    with pytest.raises(WrongState):
        webhooks.switch(webhook=row, by=owner, on=True)


def test_one_that_got_others_meanwhile_stays_on(
    hook: tuple[Webhook, str], receiver: Receiver, team: Team, place: running.Place
) -> None:
    receiver.answers = [400, 200]
    webhooks.emit(team=team, event="tool.published")
    WebhookDelivery.objects.update(attempts=3)
    send_due(place)
    webhooks.emit(team=team, event="tool.drifting")
    send_due(place)
    receiver.answers = [400]
    WebhookDelivery.objects.filter(status="waiting").update(attempts=len(webhooks.DELAYS_S))
    make_due()
    send_due(place)
    assert Webhook.objects.get().is_active
    assert set(WebhookDelivery.objects.values_list("status", flat=True)) == {"given_up", "delivered"}


def test_an_address_that_says_it_is_gone_is_believed(
    hook: tuple[Webhook, str], receiver: Receiver, team: Team, place: running.Place
) -> None:
    receiver.answers = [410]
    webhooks.emit(team=team, event="tool.published")
    send_due(place)
    assert not Webhook.objects.get().is_active


def test_redirects_are_not_followed(
    hook: tuple[Webhook, str], receiver: Receiver, team: Team, place: running.Place
) -> None:
    receiver.answers = [302]
    webhooks.emit(team=team, event="tool.published")
    send_due(place)
    assert receiver.paths == ["/hook?x=1"]
    assert "redirects are not followed" in WebhookDelivery.objects.get().problem


def test_a_message_is_sent_again_by_an_owner_under_its_id(
    hook: tuple[Webhook, str], receiver: Receiver, team: Team, owner: User, place: running.Place
) -> None:
    [delivery] = webhooks.emit(team=team, event="tool.published")
    with pytest.raises(WrongState):
        webhooks.send_again(delivery=delivery, by=owner)
    send_due(place)
    with pytest.raises(NotAllowed):
        webhooks.send_again(delivery=delivery, by=make_user("sam"))
    webhooks.send_again(delivery=delivery, by=owner)
    send_due(place)
    assert [headers["webhook-id"] for headers, _ in receiver.got] == [delivery.public_id] * 2


def test_only_events_that_were_chosen_are_sent(team: Team, owner: User, receiver: Receiver) -> None:
    webhooks.add(team=team, by=owner, url=receiver.url, events=["tool.failing"])
    assert webhooks.emit(team=team, event="tool.published") == []
    assert len(webhooks.emit(team=team, event="tool.failing")) == 1


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("hooks.example.org", "full address"),
        ("ftp://example.org/", "full address"),
        ("https://user:pw@example.org/", "user name"),
        ("http://127.0.0.1:9/", "loopback"),
        ("http://10.1.2.3/", "private"),
        ("http://169.254.169.254/latest", "metadata"),
        ("http://[::1]/", "loopback"),
        ("https://metadata.google.internal/", "metadata"),
    ],
)
def test_where_nothing_may_be_sent(team: Team, owner: User, url: str, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        webhooks.add(team=team, by=owner, url=url)


def test_a_name_that_leads_to_a_private_address_is_refused_when_it_is_sent(receiver: Receiver) -> None:
    url = receiver.url.replace("127.0.0.1", "localhost")
    answer = post(url, b"{}", {}, webhooks.policy_for(url))
    assert (answer.status, receiver.got) == (None, [])
    assert "loopback address" in answer.problem


def test_nobody_there_is_an_answer_too(receiver: Receiver) -> None:
    receiver.stop()
    answer = post(receiver.url, b"{}", {}, webhooks.policy_for(receiver.url))
    receiver.start()
    assert (answer.status, answer.is_fine) == (None, False)
    assert answer.problem.startswith("no connection")


@pytest.mark.parametrize("configured", [True, False])
def test_a_letter_goes_once_where_there_is_a_mail_server(
    team: Team, owner: User, place: running.Place, settings: Settings, configured: bool
) -> None:
    settings.EMAIL_IS_CONFIGURED = configured
    news = notices.News(event="tool.failing", text="search fails.", path="/tools/1/", mark="tool:1", by_mail=True)
    for _ in range(2):
        notices.tell(team=team, people=[owner], news=news)
    send_due(place)
    send_due(place)
    letters: list[Any] = mail.outbox
    assert [(each.to, each.subject) for each in letters] == ([([owner.email], "[Blue] search fails.")] * configured)
    assert all(f"{settings.PUBLIC_URL}/tools/1/" in each.body for each in letters)
    assert Notice.objects.filter(read_at=None).count() == 1
