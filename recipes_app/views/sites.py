"""Sites: list, add, look at, settings, and hosts their pages asked for."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from recipes_app.forms.problems import show_refusal
from recipes_app.forms.sites import NewSiteForm, RemoveSiteForm, SiteSettingsForm
from recipes_app.models import Mapping, Proposal, Site, Team
from recipes_app.models.team import EDITORS, OWNERS, RUNNERS
from recipes_app.services import access, removal, signing_in
from recipes_app.services import sites as service
from recipes_app.services.errors import ServiceError
from recipes_app.services.health import vitals_of
from recipes_app.services.recipes import publish_all, publishable
from recipes_app.views.allowed import allowed
from recipes_app.views.home import practice
from recipes_app.views.logins import known_form
from recipes_app.views.refusals import offered_hosts, refused_hosts, start_refusal
from recipes_app.views.signed_in import SignedIn, refusals_told


@login_required
@require_safe
def site_list(request: SignedIn) -> HttpResponse:
    team = access.current_team(request)
    if team is None:
        return redirect("team_new")
    context = {"sites": with_counts(team), **practice(team), **allowed(request.user, team)}
    return render(request, "sites/list.html", context)


def with_counts(team: Team) -> QuerySet[Site]:
    """Each with `tools` that are published and `waiting` proposals."""
    waiting = Proposal.objects.filter(site=OuterRef("pk")).waiting().order_by().values("site")
    tools = Count("recipes", filter=Q(recipes__live_version__isnull=False), distinct=True)
    number = Coalesce(Subquery(waiting.annotate(number=Count("pk")).values("number")), 0)
    return Site.objects.of(team).annotate(waiting=number, tools=tools).order_by("name")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def site_new(request: SignedIn) -> HttpResponse:
    """One step for a person: the site and its first mapping."""
    team = access.current_team(request)
    if team is None:
        return redirect("team_new")
    access.require(request.user, team, RUNNERS)
    form = NewSiteForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            mapping = add_and_map(team, request, form)
        except ServiceError as error:
            show_refusal(form, error)
        else:
            return redirect("mapping_detail", mapping.pk)
    context = {"form": form, "team": team, **practice(team), **allowed(request.user, team)}
    return render(request, "sites/new.html", context, status=422 if form.errors else 200)


def add_and_map(team: Team, request: SignedIn, form: NewSiteForm) -> Mapping:
    """The practice shop by its address is the same one as by its button."""
    url = form.cleaned_data["base_url"]
    if service.is_practice(service.normal_url(url)):
        return service.map_practice(team=team, by=request.user, asking=form.asking)
    site = service.create_site(team=team, by=request.user, base_url=url)
    return service.request_map(site=site, by=request.user, asking=form.asking)


@login_required
@require_POST
def practice_try(request: SignedIn) -> HttpResponse:
    team = access.current_team(request)
    if team is None:
        return redirect("team_new")
    access.require(request.user, team, RUNNERS)
    try:
        mapping = service.map_practice(team=team, by=request.user)
    except ServiceError as error:
        messages.error(request, str(error))
        return redirect("home")
    return redirect("mapping_detail", mapping.pk)


@login_required
@require_safe
def site_detail(request: SignedIn, pk: int) -> HttpResponse:
    site = access.get_site_for(request.user, pk)
    mappings = site.mappings.select_related("job__requested_by").annotate(
        undecided=Count(
            "proposals", filter=Q(proposals__status="proposed") & ~Q(proposals__change="same"), distinct=True
        ),
        proposed=Count("proposals", distinct=True),
        seen=Count("pages", distinct=True),
    )
    mappings = mappings.order_by("-pk")  # counting drops the order of the model
    proposing = next((mapping for mapping in mappings if mapping.proposed), None)
    context = {
        "site": site,
        "mappings": mappings[:10],
        "latest": mappings.first(),
        "boards": [proposing] if proposing and proposing.undecided else [],
        "proposing": proposing,
        "publishable": publishable(site),
        "recipes": site.recipes.select_related("live_version", "site"),
        "vitals": [found for recipe in site.recipes.published() if (found := vitals_of(recipe))],
        "sessions": signing_in.sessions_of(site),
        "sign_in_form": known_form(site),
        "refused": refused_hosts(site),
        "refusal": start_refusal(site),
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
@require_http_methods(["GET", "HEAD", "POST"])
def site_remove(request: SignedIn, pk: int) -> HttpResponse:
    """What goes with it is said first, and the site's short name has to be typed."""
    site = access.get_site_for(request.user, pk, OWNERS)
    form = RemoveSiteForm(site.slug, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            removal.remove_site(site=site, by=request.user, stop=True)
        except ServiceError as error:
            show_refusal(form, error)
        else:
            messages.success(request, f"{site.name} is removed.")
            return redirect("site_list")
    context = {"site": site, "form": form, **removal.what_goes(site)}
    return render(request, "sites/remove.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def site_publish(request: SignedIn, pk: int) -> HttpResponse:
    """Of the versions listed beside the button, those that can still be published."""
    site = access.get_site_for(request.user, pk, EDITORS)
    wanted = set(request.POST.getlist("version"))
    versions = [version for version in publishable(site) if str(version.pk) in wanted]
    if not versions:
        messages.warning(request, "Nothing is left to publish here.")
        return redirect("site_detail", site.pk)
    with refusals_told(request):
        published = publish_all(versions=versions, by=request.user)
        names = ", ".join(version.recipe.name for version in published)
        messages.success(request, f"Published {len(published)}: {names}. Calls use them from now on.")
    return redirect("site_detail", site.pk)


@login_required
@require_POST
def host_allow(request: SignedIn, pk: int) -> HttpResponse:
    """Allow one host that the last mapping was refused; a private one ("host:port") takes more, see private_hosts."""
    site = access.get_site_for(request.user, pk, EDITORS)
    host = request.POST.get("host", "")
    private = bool(request.POST.get("private"))
    if host not in offered_hosts(site, private=private):
        raise PermissionDenied
    column = "private_hosts" if private else "allowed_hosts"
    with refusals_told(request):
        service.update_site(site=site, by=request.user, **{column: [*getattr(site, column), host]})
        messages.success(request, f"Pages of {site.name} may now load from {host}. Map again to see the difference.")
    return redirect("site_detail", site.pk)
