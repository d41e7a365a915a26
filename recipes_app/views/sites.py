"""Sites: list, add, look at, settings, and hosts their pages asked for."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Q, QuerySet
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from recipes_app.forms.problems import show_refusal
from recipes_app.forms.sites import NewSiteForm, SiteSettingsForm
from recipes_app.models import Mapping, Site, Team
from recipes_app.models.team import EDITORS, OWNERS
from recipes_app.services import access
from recipes_app.services import sites as service
from recipes_app.services.errors import ServiceError
from recipes_app.views.allowed import allowed
from recipes_app.views.refusals import own_address, refused_hosts
from recipes_app.views.signed_in import SignedIn, refusals_told


@login_required
@require_safe
def site_list(request: SignedIn) -> HttpResponse:
    team = access.current_team(request)
    if team is None:
        return redirect("team_new")
    return render(request, "sites/list.html", {"sites": with_counts(team), **allowed(request.user, team)})


def with_counts(team: Team) -> QuerySet[Site]:
    waiting = Count("proposals", filter=Q(proposals__status="proposed"), distinct=True)
    tools = Count("recipes", filter=Q(recipes__live_version__isnull=False), distinct=True)
    return Site.objects.of(team).annotate(waiting=waiting, tools=tools)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def site_new(request: SignedIn) -> HttpResponse:
    """One step for a person: the site and its first mapping."""
    team = access.current_team(request)
    if team is None:
        return redirect("team_new")
    access.require(request.user, team, EDITORS)
    form = NewSiteForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            mapping = add_and_map(team, request, form)
        except ServiceError as error:
            show_refusal(form, error)
        else:
            return redirect("mapping_detail", mapping.pk)
    return render(request, "sites/new.html", {"form": form, "team": team}, status=422 if form.errors else 200)


def add_and_map(team: Team, request: SignedIn, form: NewSiteForm) -> Mapping:
    site = service.create_site(team=team, by=request.user, base_url=form.cleaned_data["base_url"])
    return service.request_map(site=site, by=request.user, method=form.cleaned_data["method"])


@login_required
@require_safe
def site_detail(request: SignedIn, pk: int) -> HttpResponse:
    site = access.get_site_for(request.user, pk)
    mappings = site.mappings.select_related("job__requested_by").annotate(
        waiting=Count("proposals", filter=Q(proposals__status="proposed"), distinct=True),
        proposed=Count("proposals", distinct=True),
        seen=Count("pages", distinct=True),
    )
    context = {
        "site": site,
        "mappings": mappings[:10],
        "latest": mappings.first(),
        "boards": [mapping for mapping in mappings if mapping.waiting],
        "recipes": site.recipes.select_related("live_version", "site"),
        "refused": refused_hosts(site),
        "own_address": own_address(site),
        **allowed(request.user, site.team),
    }
    return render(request, "sites/detail.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def site_settings(request: SignedIn, pk: int) -> HttpResponse:
    site = access.get_site_for(request.user, pk, EDITORS)
    form = SiteSettingsForm(
        site, request.POST if request.method == "POST" else None, is_owner=access.can(request.user, site.team, OWNERS)
    )
    if request.method == "POST" and form.is_valid():
        try:
            service.update_site(site=site, by=request.user, **form.cleaned_data)
        except ServiceError as error:
            show_refusal(form, error)
        else:
            messages.success(request, "Saved.")
            return redirect("site_detail", site.pk)
    context = {"site": access.get_site_for(request.user, pk), "form": form, **allowed(request.user, site.team)}
    return render(request, "sites/settings.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def host_allow(request: SignedIn, pk: int) -> HttpResponse:
    """Allow one host that the last mapping was refused; a private one ("host:port") takes more, see private_hosts."""
    site = access.get_site_for(request.user, pk, EDITORS)
    host = request.POST.get("host", "")
    private = bool(request.POST.get("private"))
    offered = [*refused_hosts(site), *([own_address(site)] if private else [])]
    if host not in offered:
        raise PermissionDenied
    column = "private_hosts" if private else "allowed_hosts"
    with refusals_told(request):
        service.update_site(site=site, by=request.user, **{column: [*getattr(site, column), host]})
        messages.success(request, f"Pages of {site.name} may now load from {host}. Map again to see the difference.")
    return redirect("site_detail", site.pk)
