"""Recipes, edited as documents; their versions, which never change."""

from typing import Any

from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.safestring import SafeString

from recipes_app.admin.base import ByService, KeptAdmin, KeptInline, as_json, person
from recipes_app.engine.parameters import mask
from recipes_app.forms.recipe_document import RecipeDocumentForm
from recipes_app.models import Recipe, RecipeVersion
from recipes_app.services import recipes


class Versions(KeptInline):
    model = RecipeVersion
    fields = ("number", "origin", "author", "status", "description", "created_at", "published_at")
    readonly_fields = fields
    fk_name = "recipe"


@admin.register(Recipe)
class RecipeAdmin(ByService):
    form = RecipeDocumentForm
    list_display = ("name", "site", "team", "live_version", "created_at")
    list_filter = ("site__team", "site", ("live_version", admin.EmptyFieldListFilter), "live_version__side_effect")
    list_select_related = ("site__team", "live_version__recipe")
    search_fields = ("name", "site__name", "live_version__description")
    inlines = (Versions,)

    def get_fields(self, request: HttpRequest, obj: Recipe | None = None) -> tuple[str, ...]:
        return ("site", "name", "live_version", "document") if obj else ("site", "document")

    def get_readonly_fields(self, request: HttpRequest, obj: Recipe | None = None) -> tuple[str, ...]:
        return ("site", "name", "live_version") if obj else ()

    @admin.display(ordering="site__team")
    def team(self, recipe: Recipe) -> str:
        return str(recipe.site.team)

    def save_model(self, request: HttpRequest, obj: Recipe, form: Any, change: bool) -> None:
        by, document = person(request), form.cleaned_data["document"]
        version, is_new = recipes.save_edited(site=obj.site, document=document, by=by)
        obj.pk, obj.name = version.recipe_id, version.recipe.name
        if is_new:
            self.message_user(request, f"Saved as {version}, a draft: verify it, then publish it.", messages.SUCCESS)
        else:
            self.message_user(request, f"{version} already says this; no version was made.", messages.WARNING)

    def response_add(self, request: HttpRequest, obj: Recipe, post_url_continue: str | None = None) -> HttpResponse:
        return self.response_change(request, obj)

    def response_change(self, request: HttpRequest, obj: Recipe) -> HttpResponse:
        """What became of it has been said already: no second message says it was changed."""
        if "_continue" in request.POST:
            return HttpResponseRedirect(reverse("admin:recipes_app_recipe_change", args=[obj.pk]))
        return self.response_post_save_change(request, obj)


@admin.register(RecipeVersion)
class RecipeVersionAdmin(KeptAdmin):
    list_display = ("recipe", "number", "origin", "author", "status", "side_effect", "created_at", "published_at")
    list_filter = ("status", "origin", "side_effect", "recipe__site")
    list_select_related = ("recipe", "author")
    search_fields = ("recipe__name", "description", "digest")
    fields = (
        "recipe", "number", "status", "origin", "author", "created_at", "published_at", "published_by",
        "side_effect", "digest", "said", "judged", "with_values",
    )  # fmt: skip
    readonly_fields = fields

    @admin.display(description="document")
    def said(self, version: RecipeVersion) -> SafeString | str:
        return as_json(version.document)

    @admin.display(description="verdict")
    def judged(self, version: RecipeVersion) -> SafeString | str:
        return as_json(version.verdict)

    @admin.display(description="examples")
    def with_values(self, version: RecipeVersion) -> SafeString | str:
        return as_json(mask(version.document.get("parameters") or {}, version.examples))
