"""Mapping a site: the request, and the pages as they are seen."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from recipes_app.forms.problems import show_refusal
from recipes_app.forms.sites import MapForm
from recipes_app.models import Mapping
from recipes_app.models.team import RUNNERS
from recipes_app.services import access
from recipes_app.services import sites as service
from recipes_app.services.errors import ServiceError
from recipes_app.views.allowed import allowed
from recipes_app.views.live import fragment, go_to, mark_of
from recipes_app.views.refusals import refused_hosts, start_refusal
from recipes_app.views.signed_in import SignedIn


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def mapping_start(request: SignedIn, pk: int) -> HttpResponse:
    site = access.get_site_for(request.user, pk, RUNNERS)
    said = {name: request.GET[name] for name in ("max_pages", "method") if name in request.GET}
    form = MapForm(request.POST if request.method == "POST" else None, site=site, initial=said)
    if request.method == "POST" and form.is_valid():
        try:
            mapping = service.request_map(site=site, by=request.user, asking=form.asking, **form.where)
        except ServiceError as error:
            show_refusal(form, error)
        else:
            return redirect("mapping_detail", mapping.pk)
    return render(request, "mappings/start.html", {"site": site, "form": form}, status=422 if form.errors else 200)


@login_required
@require_safe
def mapping_detail(request: SignedIn, pk: int) -> HttpResponse:
    mapping = access.get_mapping_for(request.user, pk)
    context = progress(mapping)
    return render(request, "mappings/detail.html", {**context, **allowed(request.user, mapping.site.team)})


@login_required
@require_safe
def mapping_live(request: SignedIn, pk: int) -> HttpResponse:
    """The board opens itself once the mapping it waited for has proposals."""
    mapping = access.get_mapping_for(request.user, pk)
    if not mapping.job.is_active and mapping.proposals.exists():
        return go_to(reverse("board", args=[mapping.pk]))
    context = {**progress(mapping), **allowed(request.user, mapping.site.team)}
    return fragment(request, "mappings/_live.html", context, str(context["mark"]))


def progress(mapping: Mapping) -> dict[str, Any]:
    pages = list(mapping.pages.select_related("picture"))
    proposals, is_latest = mapping.proposals.count(), mapping == mapping.site.mappings.first()
    return {
        "mapping": mapping,
        "site": mapping.site,
        "job": mapping.job,
        "pages": pages,
        "proposal_count": proposals,
        "left_out": sum(len(page.why_not) for page in pages),
        "refused": refused_hosts(mapping.site) if is_latest else [],
        "refusal": start_refusal(mapping.site) if is_latest else None,
        "mark": mark_of(mapping.job, len(pages), proposals, len(mapping.skipped)),
    }
