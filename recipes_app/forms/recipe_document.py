"""Editing a recipe as its document, in JSON: in the pages, and in the admin."""

import json
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError

from recipes_app.engine.document import Recipe as Document
from recipes_app.engine.document import parse_recipe
from recipes_app.engine.errors import DocumentError
from recipes_app.engine.plain_json import load_json
from recipes_app.forms.proposals import PrettyJSONField
from recipes_app.models import Recipe, RecipeVersion
from recipes_app.models.recipe import SideEffect

if TYPE_CHECKING:
    ModelForm = forms.ModelForm[Recipe]
else:
    ModelForm = forms.ModelForm

NEW_VERSION = "Saving makes a new version; calls keep using the live one until the new one is published."


class RecipeEditForm(forms.Form):
    """`cleaned_data["document"]` is the parsed document; an error names the place in it that is wrong."""

    document = forms.CharField(
        label="The recipe, in JSON",
        help_text=NEW_VERSION,
        widget=forms.Textarea(attrs={"rows": 30, "class": "code", "spellcheck": "false"}),
    )
    examples = PrettyJSONField(
        label="Example values", help_text="By parameter; the new version is verified with them.", rows=5
    )
    relabel = forms.BooleanField(
        label="I know that it does no more than its side_effect now says",
        required=False,
        help_text="Only needed for a side_effect that says less than before. The audit log keeps it.",
    )

    def __init__(self, recipe: Recipe, version: RecipeVersion, data: Any = None) -> None:
        self.recipe, self.version = recipe, version
        super().__init__(data, initial={"document": pretty(version.document), "examples": version.examples})
        if version.side_effect == SideEffect.READ:
            del self.fields["relabel"]

    def clean_document(self) -> Document:
        return document_from(self.cleaned_data["document"], self.version, name=self.recipe.name)

    def clean_examples(self) -> dict[str, Any]:
        value = self.cleaned_data["examples"] or {}
        if not isinstance(value, dict):
            raise ValidationError("This must be a JSON object: {…}.")
        return value


class RecipeDocumentForm(ModelForm):
    """The same for the admin, which edits and adds recipes."""

    document = forms.CharField(
        widget=forms.Textarea(attrs={"rows": 40, "cols": 110, "spellcheck": "false", "class": "vLargeTextField"}),
        help_text=NEW_VERSION,
    )

    class Meta:
        model = Recipe
        fields = ("site",)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.shown = shown_version(self.instance)
        if self.shown is not None:
            self.initial["document"] = pretty(self.shown.document)

    def clean_document(self) -> Document:
        name = self.instance.name if self.instance.pk else ""
        return document_from(self.cleaned_data["document"], self.shown, name=name)


def document_from(text: str, version: RecipeVersion | None, *, name: str) -> Document:
    """ValidationError with the path of what is wrong. `name`: what the recipe is called already, if it is."""
    try:
        document = parse_recipe(load_json(text), format=version.format if version else 2)
    except DocumentError as error:
        raise ValidationError(str(error)) from error
    if name and document.name != name:
        raise ValidationError(f"name: this recipe is called {name}, and callers know it by that name")
    return document


def pretty(document: Any) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False)


def shown_version(recipe: Recipe) -> RecipeVersion | None:
    """The live version, or the newest of a recipe that has none."""
    if not recipe.pk:
        return None
    return recipe.live_version or recipe.versions.order_by("-number").first()
