"""Tools: the list, one tool with the form that calls it, and its versions."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from recipes_app.forms.call import CallForm
from recipes_app.models import AuditEntry, Call, Recipe, RecipeVersion, Team
from recipes_app.models.recipe import SideEffect, VersionStatus
from recipes_app.models.team import EDITORS, RUNNERS
from recipes_app.services import access
from recipes_app.services import calls as calling
from recipes_app.services import recipes as service
from recipes_app.services.errors import BadInput, ServiceError
from recipes_app.services.health import health_of, vitals_of
from recipes_app.views.allowed import allowed
from recipes_app.views.calls import call_context, last_calls
from recipes_app.views.diffs import diff
from recipes_app.views.given import words_of
from recipes_app.views.signed_in import SignedIn, refusals_told
from recipes_app.views.snippets import snippets
from recipes_app.views.words import parameter_rows, returns_in_words, say_steps


@login_required
@require_safe
def tool_list(request: SignedIn) -> HttpResponse:
    team = access.current_team(request)
    if team is None:
        return redirect("team_new")
    words, site = request.GET.get("q", "").strip(), request.GET.get("site", "")
    recipes = matching(team, words, site)
    context = {
        "recipes": recipes,
        "q": words,
        "site": site,
        "sites": team.sites.filter(recipes__isnull=False).distinct(),
        **allowed(request.user, team),
    }
    return render(request, "tools/list.html", context)


def matching(team: Team, words: str, site: str) -> list[Recipe]:
    recipes = Recipe.objects.of(team).select_related("site", "live_version")
    for word in words_of(words):
        recipes = recipes.filter(Q(name__icontains=word) | Q(live_version__description__icontains=word))
    return list(recipes.filter(site__slug=site) if site else recipes)


@login_required
@require_safe
def tool_detail(request: SignedIn, pk: int) -> HttpResponse:
    """With `call`, a call of this tool is followed beneath the form; with `again`, its arguments fill the form."""
    recipe = access.get_recipe_for(request.user, pk)
    key = request.GET.get("call") or request.GET.get("again")
    call = access.get_call_for(request.user, key) if key else None
    if call and call.recipe_id != recipe.pk:
        call = None
    version = shown_version(recipe)
    form = CallForm(schema_of(version), examples=examples_of(version), start=call.arguments if call else None)
    return tool_page(request, recipe, form, call=call if request.GET.get("call") else None)


@login_required
@require_POST
def tool_call(request: SignedIn, pk: int) -> HttpResponse:
    recipe = access.get_recipe_for(request.user, pk)
    version = shown_version(recipe)
    form = CallForm(schema_of(version), request.POST, request.FILES, examples=examples_of(version))
    if form.is_valid():
        try:
            call = calling.request_call(recipe=recipe, arguments=form.arguments(), by=request.user, via="page")
        except BadInput as error:
            form.show_problems(error.problems)
        except ServiceError as error:
            form.add_error(None, str(error))
        else:
            return redirect(f"{reverse('tool_detail', args=[pk])}?call={call.job.public_id}#call")
    return tool_page(request, recipe, form, status=422)


def shown_version(recipe: Recipe) -> RecipeVersion | None:
    """The live one; of a tool not published yet, the newest."""
    return recipe.live_version or recipe.versions.first()


def schema_of(version: RecipeVersion | None) -> dict[str, Any]:
    return (version.document.get("parameters") or {}) if version else {}


def examples_of(version: RecipeVersion | None) -> dict[str, Any]:
    return version.examples if version else {}


def tool_page(
    request: SignedIn, recipe: Recipe, form: CallForm, *, call: Call | None = None, status: int = 200
) -> HttpResponse:
    version, newest = shown_version(recipe), recipe.versions.first()
    may = allowed(request.user, recipe.site.team)
    schema = schema_of(version)
    document = version.document if version else {}
    context = {
        **may,
        "recipe": recipe,
        "site": recipe.site,
        "version": version,
        "newest": newest if newest != version else None,
        "retired": retirement_of(recipe),
        "form": form,
        "said": say_steps(document.get("steps", []), version.format if version else 2, parameters=schema),
        "rows": parameter_rows(schema, examples_of(version)),
        "returns": returns_in_words(document.get("returns")),
        "may_call": recipe.live_version and may["may_run"],
        "snippets": snippets(recipe, schema, call.arguments if call else examples_of(version)),
        "calls": last_calls(recipe),
        "health": health_of(recipe),
        "vitals": vitals_of(recipe),
        "tab": "call",
    }
    return render(request, "tools/detail.html", context | (call_context(call) if call else {}), status=status)


@login_required
@require_safe
def tool_versions(request: SignedIn, pk: int) -> HttpResponse:
    recipe = access.get_recipe_for(request.user, pk)
    return versions_page(request, recipe)


def versions_page(request: SignedIn, recipe: Recipe, refused: dict[str, Any] | None = None) -> HttpResponse:
    versions = list(recipe.versions.select_related("author", "published_by"))
    old, new = compared(recipe, versions, request.GET)
    context = {
        "recipe": recipe,
        "site": recipe.site,
        "cards": [card(version, recipe) for version in versions],
        "retired": retirement_of(recipe),
        "versions": versions,
        "old": old,
        "new": new,
        "diff": diff(old, new) if old and new and old != new else [],
        "tab": "versions",
        **allowed(request.user, recipe.site.team),
        **(refused or {}),
    }
    return render(request, "tools/versions.html", context, status=422 if refused else 200)


def compared(
    recipe: Recipe, versions: list[RecipeVersion], wanted: Any
) -> tuple[RecipeVersion | None, RecipeVersion | None]:
    """The two asked for; else what is live against the newest; else the last two."""
    by_number = {str(version.number): version for version in versions}
    newest = versions[0] if versions else None
    before = recipe.live_version if recipe.live_version != newest else next(iter(versions[1:]), None)
    return by_number.get(wanted.get("from", ""), before), by_number.get(wanted.get("to", ""), newest)


def card(version: RecipeVersion, recipe: Recipe) -> dict[str, Any]:
    """One version and what may be done with it now."""
    status = version.status
    return {
        "version": version,
        "live": version.pk == recipe.live_version_id,
        "publishable": status == VersionStatus.PASSED,
        "back": status == VersionStatus.RETIRED and not is_newer(version, recipe),
        "again": status == VersionStatus.RETIRED and is_newer(version, recipe),
        "submits": version.effect == SideEffect.WRITE,
        "verifiable": status != VersionStatus.VERIFYING,
        "acceptable": service.may_be_accepted(version),
        "recording": version.recordings.select_related("job").first(),
    }


def is_newer(version: RecipeVersion, recipe: Recipe) -> bool:
    """Than what is live: to publish it is going on, not back. So is publishing any where none is live."""
    return recipe.live_version is None or version.number > recipe.live_version.number


def retirement_of(recipe: Recipe) -> dict[str, Any] | None:
    """When and by whom the tool was taken out of use, and the version that was live last."""
    last = recipe.versions.filter(status=VersionStatus.RETIRED).order_by("-published_at", "-number").first()
    if recipe.live_version is not None or last is None:
        return None
    said = AuditEntry.objects.filter(team=recipe.site.team, action="recipe.retired")
    return {"entry": said.filter(subject=service.subject_of(recipe)).select_related("actor").first(), "last": last}


@login_required
@require_POST
def tool_publish(request: SignedIn, pk: int) -> HttpResponse:
    version = access.get_version_for(request.user, pk, EDITORS)
    with refusals_told(request):
        service.publish(version=version, by=request.user)
        messages.success(request, f"{version} is published: calls use it from now on.")
    return redirect("tool_detail", version.recipe_id)


@login_required
@require_POST
def tool_roll_back(request: SignedIn, pk: int) -> HttpResponse:
    version = access.get_version_for(request.user, pk, EDITORS)
    with refusals_told(request):
        service.roll_back(recipe=version.recipe, to_version=version, by=request.user)
        messages.success(request, f"Version {version.number} is live again: calls use it from now on.")
    return redirect("tool_versions", version.recipe_id)


@login_required
@require_POST
def tool_verify(request: SignedIn, pk: int) -> HttpResponse:
    version = access.get_version_for(request.user, pk, RUNNERS)
    try:
        recording = service.request_verification(version=version, by=request.user)
    except ServiceError as error:
        messages.error(request, str(error))
        return redirect("tool_versions", version.recipe_id)
    return redirect("recording_detail", recording.pk)


@login_required
@require_POST
def tool_accept(request: SignedIn, pk: int) -> HttpResponse:
    """Publish a version as it is, for a stated reason."""
    version = access.get_version_for(request.user, pk, EDITORS)
    reason, only_reads = request.POST.get("reason", ""), request.POST.get("only_reads") == "1"
    try:
        service.accept_unverified(version=version, by=request.user, reason=reason, only_reads=only_reads)
    except BadInput as error:
        problem = error.by_path.get("reason", str(error))
        return versions_page(request, version.recipe, {"refused": version, "problem": problem, "reason": reason})
    except ServiceError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, f"{version} is published as it is. Your reason stands in its verdict.")
    return redirect("tool_versions", version.recipe_id)


@login_required
@require_POST
def tool_retire(request: SignedIn, pk: int) -> HttpResponse:
    recipe = access.get_recipe_for(request.user, pk, EDITORS)
    with refusals_told(request):
        service.retire(recipe=recipe, by=request.user)
        text = f"{recipe.name} is taken out of use. Its versions stay; publish one again to bring it back."
        messages.success(request, text)
    return redirect("tool_versions", recipe.pk)


@login_required
@require_safe
def version_detail(request: SignedIn, pk: int, number: int) -> HttpResponse:
    """One version as it stands: its steps in words and its document."""
    recipe = access.get_recipe_for(request.user, pk)
    version = get_object_or_404(recipe.versions.select_related("author"), number=number)
    context = {
        "recipe": recipe,
        "site": recipe.site,
        "version": version,
        "card": card(version, recipe),
        "said": say_steps(version.document.get("steps", []), version.format, parameters=schema_of(version)),
        "rows": parameter_rows(schema_of(version), version.examples),
        "returns": returns_in_words(version.document.get("returns")),
        "tab": "versions",
        **allowed(request.user, recipe.site.team),
    }
    return render(request, "tools/version.html", context)
