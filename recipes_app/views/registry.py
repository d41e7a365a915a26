"""Registry files: in, with a report of what is wrong; out, as a download."""

import json

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods, require_safe

from recipes_app.forms.registry import RegistryForm
from recipes_app.models import RecipeVersion, Team
from recipes_app.models.team import EDITORS
from recipes_app.services import access
from recipes_app.services import recipes as service
from recipes_app.services.errors import BadInput, ServiceError
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
            versions = take_in(request, team, form)
        except BadInput as error:
            report = list(error.by_path.items()) or [("", problem) for problem in error.problems]
        except ServiceError as error:
            report = [("", str(error))]
        else:
            return told(request, versions)
    status = 422 if form.errors or report else 200
    return render(request, "registry/import.html", {"form": form, "report": report}, status=status)


def take_in(request: SignedIn, team: Team, form: RegistryForm) -> list[RecipeVersion]:
    given = form.cleaned_data
    return service.import_registry(team=team, by=request.user, data=given["data"], site=given["site"])


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
    name = f"{slugify(site.slug)}.tools.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(text, content_type="application/json; charset=utf-8", headers=headers)
