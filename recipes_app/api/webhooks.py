"""Where the team's messages go, and what became of them. An owner's token sets them up."""

from datetime import datetime
from typing import Any

from django.core.paginator import Paginator
from django.http import Http404
from ninja import Field, Query, Router, Schema, Status

from recipes_app.api.auth import TokenRequest, need
from recipes_app.api.body import Given
from recipes_app.api.schemas import REFUSALS, Refusal
from recipes_app.models import ApiToken, Webhook, WebhookDelivery
from recipes_app.models.team import OWNERS
from recipes_app.services import access, webhooks
from recipes_app.services.errors import NotAllowed

router = Router(tags=["webhooks"])
PAGE = 50


class WebhookIn(Given):
    shape = '{"url": "https://…", "events": ["tool.failing", …]}; no events: all'

    url: str = Field(max_length=500)
    events: list[str] = Field(default=[], max_length=50, description=", ".join(webhooks.EVENTS))


class WebhookOut(Schema):
    id: int
    url: str
    events: list[str] = Field(description="Empty: all of them.")
    is_active: bool
    off_because: str
    created_at: datetime


class NewWebhookOut(WebhookOut):
    secret: str = Field(description="Signs the messages, as Standard Webhooks says; given this once.")


class DeliveryOut(Schema):
    id: str = Field(description="The header webhook-id, the same in every try.")
    event: str
    status: str = Field(description="waiting, delivered or given_up")
    attempts: int
    response_status: int | None
    problem: str
    created_at: datetime
    next_at: datetime | None = Field(description="Of one that waits: not before this.")
    payload: dict[str, Any]


@router.get("", response={200: list[WebhookOut], REFUSALS: Refusal})
def list_webhooks(request: TokenRequest) -> list[Webhook]:
    """The webhooks of the token's team. Scope: manage; the token's owner owns the team."""
    return list(owners(request).team.webhooks.all())


@router.post("", response={201: NewWebhookOut, REFUSALS: Refusal})
def add_webhook(request: TokenRequest, given: WebhookIn) -> Status[NewWebhookOut]:
    """Add an address; the secret that signs is in this answer only. Scope: manage; of an owner."""
    token = owners(request)
    hook, secret = webhooks.add(team=token.team, by=token.owner, url=given.url, events=given.events)
    return Status(201, NewWebhookOut(**WebhookOut.from_orm(hook).model_dump(), secret=secret))


@router.delete("/{number}", response={204: None, REFUSALS: Refusal})
def remove_webhook(request: TokenRequest, number: int) -> Status[None]:
    """Remove an address, and the list of what was sent to it. Scope: manage; of an owner."""
    token = owners(request)
    webhooks.remove(webhook=webhook_of(token, number), by=token.owner)
    return Status(204, None)


@router.get("/{number}/deliveries", response={200: list[DeliveryOut], REFUSALS: Refusal})
def list_deliveries(request: TokenRequest, number: int, page: Query[int] = 1) -> list[DeliveryOut]:
    """What was sent, newest first, 50 a page. Scope: manage; of an owner."""
    rows = webhook_of(owners(request), number).deliveries.all()
    return [delivery_out(each) for each in Paginator(rows, PAGE).get_page(page)]


@router.post("/{number}/deliveries/{public_id}/again", response={202: DeliveryOut, REFUSALS: Refusal})
def replay_delivery(request: TokenRequest, number: int, public_id: str) -> Status[DeliveryOut]:
    """Send a message again, under its id. Scope: manage; of an owner."""
    token = owners(request)
    delivery = webhook_of(token, number).deliveries.select_related("webhook__team").filter(public_id=public_id).first()
    if delivery is None:
        raise Http404(f"This webhook has no message {public_id}.")
    return Status(202, delivery_out(webhooks.send_again(delivery=delivery, by=token.owner)))


def owners(request: TokenRequest) -> ApiToken:
    token = need(request, "manage")
    if not access.can(token.owner, token.team, OWNERS):
        raise NotAllowed("Only an owner of the team sets up where its messages go.")
    return token


def webhook_of(token: ApiToken, number: int) -> Webhook:
    if not 0 < number < 2**63 or not (hook := token.team.webhooks.select_related("team").filter(pk=number).first()):
        raise Http404(f"There is no webhook {number}.")
    return hook


def delivery_out(delivery: WebhookDelivery) -> DeliveryOut:
    return DeliveryOut(
        id=delivery.public_id,
        event=delivery.event,
        status=delivery.status,
        attempts=delivery.attempts,
        response_status=delivery.response_status,
        problem=delivery.problem,
        created_at=delivery.created_at,
        next_at=delivery.next_at if delivery.status == "waiting" else None,
        payload=delivery.payload,
    )
