"""Signed messages to a team's own addresses: https://www.standardwebhooks.com, sent by a job and tried for a day."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet
from django.urls import reverse
from django.utils import timezone

from recipes_app.browser.policy import Policy, host_and_port, join_port, kind_of_address
from recipes_app.engine.plain_json import clean
from recipes_app.models import Notice, Team, User, Webhook, WebhookDelivery
from recipes_app.models.job import ACTIVE, Job, JobKind
from recipes_app.models.team import OWNERS
from recipes_app.models.webhook import DeliveryStatus
from recipes_app.services import access, audit, dispatch, notices
from recipes_app.services.errors import BadInput, NotAllowed, WrongState

EVENTS = {
    "mapping.finished": "A mapping has ended",
    "proposals.waiting": "Proposals wait for a decision",
    "tool.published": "A version of a tool is live",
    "tool.drifting": "A tool works by less than was recorded",
    "tool.failing": "A tool does not work any more",
    "tool.recovered": "A tool works again",
    "call.failed": "A call has failed",
    "ping": "A test, sent by the button",
}
# Between the first try and the last lies a day.
DELAYS_S = (5, 30, 120, 600, 1800, 3600, 7200, 14400, 21600, 36000)
MOST_A_TEAM, MOST_BYTES, AT_ONCE = 20, 100_000, 50
GONE = 410
DEADLINE_S = 600


@dataclass(frozen=True, slots=True)
class Answer:
    """What a try came to: a status, or why there was none."""

    status: int | None
    problem: str = ""

    @property
    def is_fine(self) -> bool:
        return self.status is not None and 200 <= self.status < 300


@transaction.atomic
def add(*, team: Team, by: User, url: str, events: Collection[str] = ()) -> tuple[Webhook, str]:
    """(the row, the secret that signs, which is shown this once). No events: all of them."""
    _require_owner(team, by)
    if team.webhooks.count() >= MOST_A_TEAM:
        raise WrongState(f"A team has at most {MOST_A_TEAM} webhooks.")
    if unknown := sorted(set(events) - EVENTS.keys()):
        raise BadInput({"events": f"There is no event {', '.join(unknown)}."})
    secret = f"whsec_{base64.b64encode(secrets.token_bytes(24)).decode()}"
    chosen = [name for name in EVENTS if name in events]
    webhook = Webhook.objects.create(
        team=team, url=checked_url(url), sealed={"secret": secret}, events=chosen, created_by=by
    )
    audit.record(team, by, "webhook.added", f"webhook {webhook.pk}", url=webhook.url, events=chosen)
    return webhook, secret


def checked_url(url: str) -> str:
    """BadInput for what is no http(s) address, or one that runs could not reach by name either."""
    url = url.strip()
    try:
        parts = urlsplit(url)
        host, port = host_and_port(url)
    except ValueError as error:
        raise BadInput({"url": f"This is not an address: {error}."}) from error
    if parts.scheme not in ("http", "https") or not host or any(letter.isspace() for letter in url) or len(url) > 500:
        raise BadInput({"url": "Give a full address, such as https://hooks.example.org/agentify."})
    if parts.username or parts.password:
        raise BadInput({"url": "Leave the user name and password out of the address; each message is signed."})
    literal = [host] if kind_of_address(host) not in (None, "malformed") else []
    if why := policy_for(url).refuse(host, port, literal):
        raise BadInput({"url": f"{host} cannot be sent to: {why}."})
    return url


def policy_for(url: str) -> Policy:
    """Any public host; private ones only where the installation opened them for every site."""
    host, port = host_and_port(url)
    own = frozenset({join_port(host, port)})
    return Policy(hosts=own, private=frozenset(settings.ALLOWED_PRIVATE_HOSTS), any_public=True)


@transaction.atomic
def remove(*, webhook: Webhook, by: User) -> None:
    _require_owner(webhook.team, by)
    audit.record(webhook.team, by, "webhook.removed", f"webhook {webhook.pk}", url=webhook.url)
    webhook.delete()


@transaction.atomic
def switch(*, webhook: Webhook, by: User, on: bool) -> Webhook:
    _require_owner(webhook.team, by)
    if Webhook.objects.filter(pk=webhook.pk, is_active=not on).update(is_active=on, off_because="") != 1:
        raise WrongState(f"This webhook is {'on' if on else 'off'} already.")
    audit.record(webhook.team, by, "webhook.switched", f"webhook {webhook.pk}", on=on)
    if on:
        notices.settled(webhook.team, mark_of(webhook))
    webhook.refresh_from_db()
    return webhook


def emit(*, team: Team, event: str, **about: Any) -> list[WebhookDelivery]:
    """One delivery for each webhook that wants this event; a job takes them in a moment."""
    wanting = [hook for hook in team.webhooks.filter(is_active=True) if not hook.events or event in hook.events]
    return [_delivery(hook, event, about) for hook in wanting]


@transaction.atomic
def ping(*, webhook: Webhook, by: User) -> WebhookDelivery:
    _require_owner(webhook.team, by)
    _require_on(webhook)
    return _delivery(webhook, "ping", {"by": str(by)})


@transaction.atomic
def send_again(*, delivery: WebhookDelivery, by: User) -> WebhookDelivery:
    """The same message under the same id: who has had it already can tell."""
    _require_owner(delivery.webhook.team, by)
    _require_on(delivery.webhook)
    ended = WebhookDelivery.objects.filter(pk=delivery.pk).exclude(status=DeliveryStatus.WAITING)
    if ended.update(status=DeliveryStatus.WAITING, attempts=0, next_at=timezone.now(), problem="") != 1:
        raise WrongState("This message is being sent already.")
    audit.record(delivery.webhook.team, by, "webhook.sent_again", f"delivery {delivery.public_id}")
    delivery.refresh_from_db()
    return delivery


def _delivery(webhook: Webhook, event: str, about: dict[str, Any]) -> WebhookDelivery:
    payload = {"type": event, "timestamp": timezone.now().isoformat(), "data": clean(about)}
    if len(json.dumps(payload)) > MOST_BYTES:
        payload["data"] = {"left_out": "too large for a message"}
    return WebhookDelivery.objects.create(
        webhook=webhook, public_id=f"msg_{secrets.token_hex(12)}", event=event, payload=payload
    )


def body_of(delivery: WebhookDelivery) -> bytes:
    return json.dumps(delivery.payload, ensure_ascii=False, separators=(",", ":")).encode()


def headers_for(delivery: WebhookDelivery, body: bytes, now: datetime) -> dict[str, str]:
    stamp = str(int(now.timestamp()))
    return {
        "content-type": "application/json",
        "user-agent": "Agentify-Webhooks/1",
        "webhook-id": delivery.public_id,
        "webhook-timestamp": stamp,
        "webhook-signature": f"v1,{signature(secret_of(delivery.webhook), delivery.public_id, stamp, body)}",
    }


def secret_of(webhook: Webhook) -> str:
    """Empty where no key of this installation opens it any more."""
    return str(webhook.sealed.get("secret", ""))


def signature(secret: str, message_id: str, stamp: str, body: bytes) -> str:
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{message_id}.{stamp}.".encode() + body
    return base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()


def due(team: Team | None = None) -> QuerySet[WebhookDelivery]:
    rows = WebhookDelivery.objects.filter(status=DeliveryStatus.WAITING, next_at__lte=timezone.now())
    return (rows.filter(webhook__team=team) if team else rows).select_related("webhook__team").order_by("next_at", "pk")


def open_due() -> int:
    """A job for each team that has messages or letters to send and no job for that yet; how many were opened."""
    teams = {delivery.webhook.team for delivery in due()[:AT_ONCE]}
    teams |= {notice.team for notice in Notice.objects.filter(wants_mail=True).select_related("team")[:AT_ONCE]}
    return sum(_open_for(team) for team in teams)


@transaction.atomic
def _open_for(team: Team) -> bool:
    if Job.objects.filter(team=team, kind=JobKind.DELIVER, status__in=ACTIVE).exists():
        return False
    sender = _sender(team)
    if sender is None:
        return False
    dispatch.open_job(
        team=team,
        by=sender,
        kind=JobKind.DELIVER,
        title=f"Send messages of {team}",
        deadline_s=DEADLINE_S,
        interactive=False,
    )
    return True


def _sender(team: Team) -> User | None:
    """In whose name: whoever set up the first webhook, else an owner."""
    first = team.webhooks.select_related("created_by").first()
    return first.created_by if first else next(iter(notices.people_of(team, OWNERS)), None)


def take(delivery: WebhookDelivery, now: datetime) -> bool:
    """Whether this try is ours. Written before anything is sent, so that a try that dies is only made later."""
    delay = DELAYS_S[min(delivery.attempts, len(DELAYS_S) - 1)]
    mine = WebhookDelivery.objects.filter(pk=delivery.pk, status=DeliveryStatus.WAITING, attempts=delivery.attempts)
    won = mine.update(attempts=F("attempts") + 1, next_at=now + timedelta(seconds=delay)) == 1
    delivery.refresh_from_db()
    return won


@transaction.atomic
def note(delivery: WebhookDelivery, answer: Answer) -> None:
    """What the try came to. A webhook that kept failing, or says that it is gone, is switched off."""
    said = {"response_status": answer.status, "problem": answer.problem[:300]}
    row = WebhookDelivery.objects.filter(pk=delivery.pk, status=DeliveryStatus.WAITING)
    if answer.is_fine:
        row.update(status=DeliveryStatus.DELIVERED, delivered_at=timezone.now(), **said)
    elif answer.status == GONE or delivery.attempts > len(DELAYS_S):
        row.update(status=DeliveryStatus.GIVEN_UP, **said)
        _consider(delivery, answer)
    else:
        row.update(**said)


def _consider(delivery: WebhookDelivery, answer: Answer) -> None:
    hook = delivery.webhook
    since = hook.deliveries.filter(status=DeliveryStatus.DELIVERED, delivered_at__gte=delivery.created_at)
    if answer.status == GONE:
        _switch_off(hook, "it answered 410: it is gone")
    elif not since.exists():
        _switch_off(hook, f"nothing arrived for a day; the last try: {answer.problem or answer.status}")


def _switch_off(webhook: Webhook, why: str) -> None:
    if Webhook.objects.filter(pk=webhook.pk, is_active=True).update(is_active=False, off_because=why[:300]) != 1:
        return
    webhook.deliveries.filter(status=DeliveryStatus.WAITING).update(status=DeliveryStatus.GIVEN_UP)
    audit.record(webhook.team, None, "webhook.switched_off", f"webhook {webhook.pk}", why=why)
    host = urlsplit(webhook.url).netloc
    notices.tell(
        team=webhook.team,
        people=notices.people_of(webhook.team, OWNERS),
        news=notices.News(
            event="webhook.off",
            text=f"The webhook to {host} was switched off: {why}.",
            path=reverse("webhook_detail", args=[webhook.pk]),
            mark=mark_of(webhook),
            by_mail=True,
        ),
    )


def mark_of(webhook: Webhook) -> str:
    return f"webhook:{webhook.pk}"


def _require_owner(team: Team, by: User) -> None:
    if not access.can(by, team, OWNERS):
        raise NotAllowed("Only an owner of the team sets up where its messages go.")


def _require_on(webhook: Webhook) -> None:
    if not webhook.is_active:
        raise WrongState("This webhook is off. Switch it on first.")
