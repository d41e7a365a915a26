"""Editing a recipe as its document, in JSON."""

import json
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError

from recipes_app.engine.document import Recipe as Document
from recipes_app.engine.document import parse_recipe
from recipes_app.engine.errors import DocumentError
from recipes_app.models import Recipe, RecipeVersion

if TYPE_CHECKING:
    Form = forms.ModelForm[Recipe]
else:
    Form = forms.ModelForm


class RecipeDocumentForm(Form):
    """`cleaned_data["document"]` is the parsed document; an error names the field of the recipe that is wrong."""

    document = forms.CharField(
        widget=forms.Textarea(attrs={"rows": 40, "cols": 110, "spellcheck": "false", "class": "vLargeTextField"}),
        help_text="Saving makes a new version; calls keep using the live one until the new one is published.",
    )

    class Meta:
        model = Recipe
        fields = ("site",)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.shown = shown_version(self.instance)
        if self.shown is not None:
            self.initial["document"] = json.dumps(self.shown.document, indent=2, ensure_ascii=False)

    def clean_document(self) -> Document:
        try:
            data = json.loads(self.cleaned_data["document"])
            document = parse_recipe(data, format=self.shown.format if self.shown else 2)
        except (DocumentError, ValueError) as error:
            raise ValidationError(str(error)) from error
        except RecursionError as error:
            raise ValidationError("This is nested too deeply.") from error
        if self.instance.pk and document.name != self.instance.name:
            raise ValidationError(f"name: this recipe is called {self.instance.name}, and callers know it by that name")
        return document


def shown_version(recipe: Recipe) -> RecipeVersion | None:
    """The live version, or the newest of a recipe that has none."""
    if not recipe.pk:
        return None
    return recipe.live_version or recipe.versions.order_by("-number").first()
