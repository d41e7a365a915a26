"""The form that edits a proposal, checked as a whole before anything is saved."""

import copy
import json
from typing import Any

from django import forms

from recipes_app.engine.errors import ArgumentsError, DocumentError
from recipes_app.engine.parameters import check_arguments
from recipes_app.models import Proposal
from recipes_app.models.recipe import SideEffect
from recipes_app.services.proposals import plan_of

EDITED = ("name", "description", "side_effect", "parameters", "examples", "dry_run")


class PrettyJSONField(forms.JSONField):
    """Shows what is stored indented; what a person typed stays as typed. Empty means {}."""

    always_there = True

    def __init__(self, *, rows: int, **options: Any) -> None:
        widget = forms.Textarea(attrs={"rows": rows, "class": "code", "spellcheck": "false"})
        super().__init__(widget=widget, required=False, error_messages={"invalid": "This is not JSON."}, **options)

    def bound_data(self, data: Any, initial: Any) -> Any:  # noqa: ARG002 - Django passes both
        return data

    def prepare_value(self, value: Any) -> Any:
        return value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)


class ProposalForm(forms.Form):
    name = forms.RegexField(
        r"^[a-z][a-z0-9_]*$",
        max_length=80,
        help_text="Small letters, digits and underscores, such as search_products.",
        error_messages={"invalid": "Use small letters, digits and underscores, starting with a letter."},
    )
    description = forms.CharField(
        widget=forms.Textarea(attrs={"rows": 3}), help_text="What whoever calls the tool reads when choosing it."
    )
    side_effect = forms.ChoiceField(label="What it does to the site", choices=SideEffect.choices)
    parameters = PrettyJSONField(label="Parameters", help_text="A JSON Schema of type object.", rows=14)
    examples = PrettyJSONField(label="Examples", help_text="The values it is recorded with, by parameter.", rows=6)
    dry_run = forms.BooleanField(
        label="Dry run: stop before the step that submits",
        required=False,
        help_text="It is recorded and verified without sending anything.",
    )

    def __init__(self, proposal: Proposal, data: Any = None) -> None:
        self.proposal = proposal
        super().__init__(data, initial={name: getattr(proposal, name) for name in EDITED})

    def clean_parameters(self) -> dict[str, Any]:
        return self._an_object("parameters")

    def clean_examples(self) -> dict[str, Any]:
        return self._an_object("examples")

    def _an_object(self, name: str) -> dict[str, Any]:
        value = self.cleaned_data[name]
        if value in (None, ""):
            return {}
        if not isinstance(value, dict):
            raise forms.ValidationError("This must be a JSON object: {…}.")
        return value

    def clean(self) -> dict[str, Any]:
        """The plan as a whole must parse, and take its own examples."""
        cleaned = super().clean() or self.cleaned_data
        if not self.errors:
            self._check_plan(cleaned)
        return cleaned

    def _check_plan(self, cleaned: dict[str, Any]) -> None:
        changed = copy.copy(self.proposal)
        for name, value in cleaned.items():
            setattr(changed, name, value)
        try:
            check_arguments(plan_of(changed), cleaned["examples"])
        except DocumentError as error:
            field = error.path.split(".", 1)[0].split("[", 1)[0]
            self.add_error(field if field in self.fields else None, str(error))
        except ArgumentsError as error:
            self.add_error("examples", list(error.problems))
