"""Where a team's messages go: its webhooks, and what became of each delivery."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from recipes_app.forms.problems import show_refusal
from recipes_app.forms.team import WebhookForm
from recipes_app.models.team import OWNERS
from recipes_app.services import access
from recipes_app.services import webhooks as service
from recipes_app.services.errors import ServiceError
from recipes_app.views.signed_in import SignedIn, refusals_told

PAGE = 25


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def webhook_list(request: SignedIn, slug: str) -> HttpResponse:
    """The key that signs is shown in the one response that makes it."""
    team = access.get_team_for(request.user, slug, OWNERS)
    form = WebhookForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            webhook, secret = service.add(team=team, by=request.user, **form.cleaned_data)
        except ServiceError as error:
            show_refusal(form, error)
        else:
            return render(request, "team/webhook_secret.html", {"team": team, "webhook": webhook, "secret": secret})
    context = {"team": team, "form": form, "webhooks": team.webhooks.all()}
    return render(request, "team/webhook_list.html", context, status=422 if form.errors else 200)


@login_required
@require_safe
def webhook_detail(request: SignedIn, pk: int) -> HttpResponse:
    webhook = access.get_webhook_for(request.user, pk)
    page = Paginator(webhook.deliveries.all(), PAGE).get_page(request.GET.get("page"))
    context = {"team": webhook.team, "webhook": webhook, "page": page, "events": service.EVENTS}
    return render(request, "team/webhook_detail.html", context)


@login_required
@require_POST
def webhook_do(request: SignedIn, pk: int) -> HttpResponse:
    """`action` is on, off, ping or remove."""
    webhook, action = access.get_webhook_for(request.user, pk), request.POST.get("action", "")
    with refusals_told(request):
        if action == "remove":
            service.remove(webhook=webhook, by=request.user)
            messages.success(request, "The webhook is removed.")
            return redirect("webhook_list", webhook.team.slug)
        if action == "ping":
            service.ping(webhook=webhook, by=request.user)
            messages.success(request, "A test message is on its way; what became of it stands below in a moment.")
        elif action in ("on", "off"):
            service.switch(webhook=webhook, by=request.user, on=action == "on")
            messages.success(request, f"The webhook is switched {action}.")
    return redirect("webhook_detail", webhook.pk)


@login_required
@require_POST
def delivery_again(request: SignedIn, pk: int) -> HttpResponse:
    delivery = access.get_delivery_for(request.user, pk)
    with refusals_told(request):
        service.send_again(delivery=delivery, by=request.user)
        messages.success(request, "It is sent again, under the same id.")
    return redirect("webhook_detail", delivery.webhook_id)
