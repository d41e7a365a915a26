"""Sites, and their registry files in and out."""

from typing import Any

from django.http import HttpResponse
from ninja import Body, Router, Status

from recipes_app.api.auth import TokenRequest, need, site_of
from recipes_app.api.schemas import REFUSALS, ImportedOut, Refusal, SiteOut, imported_out, site_out
from recipes_app.models import Site
from recipes_app.services import exports, recipes

router = Router(tags=["sites"])


@router.get("", response={200: list[SiteOut], REFUSALS: Refusal})
def list_sites(request: TokenRequest) -> list[SiteOut]:
    """The sites of the token's team. Scope: read or call."""
    token = need(request, "read", "call")
    return [site_out(site) for site in Site.objects.of(token.team)]


@router.get("/{slug}", response={200: SiteOut, REFUSALS: Refusal})
def show_site(request: TokenRequest, slug: str) -> SiteOut:
    """One site. Scope: read or call."""
    return site_out(site_of(need(request, "read", "call"), slug))


@router.get("/{slug}/registry", response={200: dict[str, Any], REFUSALS: Refusal})
def export_registry(request: TokenRequest, slug: str) -> dict[str, Any]:
    """The registry file of the site: its published tools as recipes. Scope: read."""
    return recipes.export_registry(site=site_of(need(request, "read"), slug))


@router.get("/{slug}/export/{form}", response={REFUSALS: Refusal})
def export_tools(request: TokenRequest, slug: str, form: str) -> HttpResponse:
    """The published tools of the site for other programs: openai-chat, openai-responses, anthropic, openapi (each tool
    a typed operation) or python (a module). Scope: read or call."""
    file = exports.export(site=site_of(need(request, "read", "call"), slug), form=form)
    headers = {"Content-Disposition": f'attachment; filename="{file.name}"'}
    return HttpResponse(file.text, content_type=f"{file.media_type}; charset=utf-8", headers=headers)


@router.post("/{slug}/registry", response={201: list[ImportedOut], REFUSALS: Refusal})
def import_registry(request: TokenRequest, slug: str, given: Body[dict[str, Any]]) -> Status[list[ImportedOut]]:
    """Import a registry file into the site: each tool becomes a draft version. Scope: manage."""
    token = need(request, "manage")
    site = site_of(token, slug)
    versions = recipes.import_registry(team=token.team, by=token.owner, data=given, site=site)
    return Status(201, [imported_out(version) for version in versions])
