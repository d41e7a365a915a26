"""A tool's recipe, edited as JSON."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from recipes_app.forms.problems import show_refusal
from recipes_app.forms.recipe_document import RecipeEditForm, shown_version
from recipes_app.models import Recipe, RecipeVersion
from recipes_app.models.team import EDITORS
from recipes_app.services import access
from recipes_app.services import recipes as service
from recipes_app.services.errors import ServiceError
from recipes_app.views.allowed import allowed
from recipes_app.views.signed_in import SignedIn


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def recipe_edit(request: SignedIn, pk: int) -> HttpResponse:
    """Begins with the live version, with `?from=3` with that one; saving makes a new version, to be verified next."""
    recipe = access.get_recipe_for(request.user, pk, EDITORS)
    start = start_of(recipe, request.GET.get("from", ""))
    form = RecipeEditForm(recipe, start, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        version = saved(request, recipe, form)
        if version is not None:
            return redirect("version_detail", recipe.pk, version.number)
    context = {"recipe": recipe, "site": recipe.site, "start": start, "version": start, "form": form}
    context |= {"tab": "edit", **allowed(request.user, recipe.site.team)}
    return render(request, "tools/edit.html", context, status=422 if form.errors else 200)


def start_of(recipe: Recipe, number: str) -> RecipeVersion:
    wanted = recipe.versions.filter(number=number).first() if number.isdecimal() else None
    version = wanted or shown_version(recipe)
    if version is None:
        raise Http404
    return version


def saved(request: SignedIn, recipe: Recipe, form: RecipeEditForm) -> RecipeVersion | None:
    """None where the service refused; the form says why."""
    given = form.cleaned_data
    how = {"examples": given["examples"], "relabel": given.get("relabel", False)}
    try:
        version, is_new = service.save_edited(site=recipe.site, document=given["document"], by=request.user, **how)
    except ServiceError as error:
        show_refusal(form, error)
        return None
    if is_new:
        text = f"Saved as version {version.number}, a draft. Verify it next; calls keep using the live version."
        messages.success(request, text)
    else:
        messages.info(request, f"Version {version.number} says this already, so no version was made.")
    return version
