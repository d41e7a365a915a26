"""Registry files, recordings and scripts: in, with a report of what is wrong; out, as downloads."""

import json
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods, require_safe

from recipes_app.formats.exports import FORMS
from recipes_app.formats.recordings import REGISTRY
from recipes_app.forms.registry import RegistryForm
from recipes_app.models import RecipeVersion, Team
from recipes_app.models.team import EDITORS
from recipes_app.services import access, exports, interchange
from recipes_app.services import recipes as service
from recipes_app.services.errors import BadInput, ServiceError
from recipes_app.views.allowed import allowed
from recipes_app.views.signed_in import SignedIn


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def registry_import(request: SignedIn) -> HttpResponse:
    team = access.current_team(request)
    if team is None:
        return redirect("team_new")
    access.require(request.user, team, EDITORS)
    given = (request.POST, request.FILES) if request.method == "POST" else ()
    form = RegistryForm(team, *given, initial={"site": request.GET.get("site")})
    report: list[tuple[str, str]] = []
    if request.method == "POST" and form.is_valid():
        try:
            return take_in(request, team, form)
        except BadInput as error:
            report = list(error.by_path.items()) or [("", problem) for problem in error.problems]
        except ServiceError as error:
            report = [("", str(error))]
    status = 422 if form.errors or report else 200
    return render(request, "registry/import.html", {"form": form, "report": report}, status=status)


def take_in(request: SignedIn, team: Team, form: RegistryForm) -> HttpResponse:
    given = form.cleaned_data
    if given["format"] != REGISTRY:
        return take_recording(request, form)
    versions = service.import_registry(team=team, by=request.user, data=given["data"], site=given["site"])
    return told(request, versions)


def take_recording(request: SignedIn, form: RegistryForm) -> HttpResponse:
    """The report is the answer: what could not be carried over is read before anything is verified."""
    given = form.cleaned_data
    wish = interchange.Wish(given["format"], given["name"], given["parametrize"])
    version, imported = interchange.import_recording(site=given["site"], by=request.user, data=given["data"], wish=wish)
    context = {
        "version": version,
        "recipe": version.recipe,
        "imported": imported,
        "title": interchange.format_title(wish.format),
    }
    return render(request, "registry/recorded.html", context)


def told(request: SignedIn, versions: list[RecipeVersion]) -> HttpResponse:
    if not versions:
        messages.warning(request, "The file holds no tool.")
        return redirect("registry_import")
    names = ", ".join(version.recipe.name for version in versions)
    messages.success(request, f"Imported {len(versions)}: {names}. Verify each, then publish it.")
    return redirect("site_detail", versions[0].recipe.site_id)


@login_required
@require_safe
def registry_export(request: SignedIn, pk: int) -> HttpResponse:
    site = access.get_site_for(request.user, pk)
    text = json.dumps(service.export_registry(site=site), indent=2, ensure_ascii=False) + "\n"
    return download(text, f"{slugify(site.slug)}.tools.json", "application/json")


@login_required
@require_safe
def site_export(request: SignedIn, pk: int) -> HttpResponse:
    """Each form in which the site's published tools can be had."""
    site = access.get_site_for(request.user, pk)
    context = {"site": site, "forms": FORMS.items(), "tools": exports.published_tools(site)}
    return render(request, "sites/export.html", context)


@login_required
@require_safe
def sdk_export(request: SignedIn, pk: int, form: str) -> HttpResponse:
    site = access.get_site_for(request.user, pk)
    if form not in FORMS:
        raise Http404
    file = exports.export(site=site, form=form)
    return download(file.text, file.name, file.media_type)


@login_required
@require_safe
def tool_export(request: SignedIn, pk: int) -> HttpResponse:
    """The tab Export: the registry of the site, and this tool as a script."""
    recipe = access.get_recipe_for(request.user, pk)
    context: dict[str, Any] = {"recipe": recipe, "site": recipe.site, "version": recipe.live_version, "tab": "export"}
    context |= allowed(request.user, recipe.site.team)
    return render(request, "tools/export.html", context)


@login_required
@require_safe
def script_export(request: SignedIn, pk: int) -> HttpResponse:
    recipe = access.get_recipe_for(request.user, pk)
    try:
        text = interchange.export_script(recipe=recipe)
    except ServiceError as error:
        messages.error(request, str(error))
        return redirect("tool_export", pk)
    return download(text, f"{slugify(recipe.name)}.py", "text/x-python")


def download(text: str, name: str, media_type: str) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(text, content_type=f"{media_type}; charset=utf-8", headers=headers)
