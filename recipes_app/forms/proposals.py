"""The form that edits a proposal, its parameters as rows or as JSON, checked as a whole before anything is saved."""

import copy
import json
from typing import Any

from django import forms

from recipes_app.forms.parameters import Rows, parameter_set, rows_of
from recipes_app.forms.problems import show_refusal
from recipes_app.forms.strict_json import StrictJSONField
from recipes_app.models import Proposal
from recipes_app.models.recipe import SideEffect
from recipes_app.services import planning
from recipes_app.services.errors import ServiceError

EDITED = ("name", "description", "side_effect", "parameters", "examples", "others", "dry_run")


class PrettyJSONField(StrictJSONField):
    """Shows what is stored indented; what a person typed stays as typed. Empty means {}."""

    always_there = True

    def __init__(self, *, rows: int, **options: Any) -> None:
        widget = forms.Textarea(attrs={"rows": rows, "class": "code", "spellcheck": "false"})
        super().__init__(widget=widget, required=False, **options)

    def bound_data(self, data: Any, initial: Any) -> Any:  # noqa: ARG002 - Django passes both
        return data

    def prepare_value(self, value: Any) -> Any:
        return value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)


class ProposalForm(forms.Form):
    """Where the rows were sent, `parameters` and `examples` come from them."""

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
    relabel = forms.BooleanField(
        label="I know what its plan sends, and that it does no more than this",
        required=False,
        help_text="Only needed for a label that says less than the plan does. The audit log keeps it.",
    )
    parameters = PrettyJSONField(label="Parameters", help_text="A JSON Schema of type object.", rows=14)
    examples = PrettyJSONField(label="Examples", help_text="The values it is recorded with, by parameter.", rows=6)
    others = PrettyJSONField(label="Other examples", help_text="A second set of values, to verify it with.", rows=4)
    dry_run = forms.BooleanField(
        label="Dry run: stop before the step that submits",
        required=False,
        help_text="It is recorded and verified without sending anything.",
    )

    def __init__(self, proposal: Proposal, data: Any = None, *, as_json: bool = False) -> None:
        self.proposal = proposal
        self.renamed: dict[str, str] = {}
        super().__init__(data, initial={name: getattr(proposal, name) for name in EDITED})
        self.as_json = "parameters" in data if data is not None else as_json
        self.rows = (
            None if self.as_json else parameter_set(proposal.parameters, proposal.examples, proposal.others, data)
        )
        if self.rows is not None:
            del self.fields["parameters"], self.fields["examples"], self.fields["others"]
        if proposal.plan_effect == SideEffect.READ:
            del self.fields["relabel"]

    def changes(self) -> dict[str, Any]:
        """What the service takes."""
        given = {name: self.cleaned_data[name] for name in EDITED}
        return {**given, "relabel": self.cleaned_data.get("relabel", False), "renamed": self.renamed}

    def clean_parameters(self) -> dict[str, Any]:
        return self._an_object("parameters")

    def clean_examples(self) -> dict[str, Any]:
        return self._an_object("examples")

    def clean_others(self) -> dict[str, Any]:
        return self._an_object("others")

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
        if self.rows is not None:
            self._take(self.rows, cleaned)
        if not self.errors:
            self._check_plan(cleaned)
        return cleaned

    def _take(self, rows: Any, cleaned: dict[str, Any]) -> None:
        if not rows.is_valid():
            self.add_error(None, "Something is wrong with a parameter below.")
            return
        try:
            read: Rows = rows_of(rows, self.proposal.parameters, self.proposal.examples, self.proposal.others)
        except ValueError as error:
            self.add_error(None, str(error))
            return
        self.renamed = read.renamed
        cleaned |= {"parameters": read.schema, "examples": read.examples, "others": read.others}

    def _check_plan(self, cleaned: dict[str, Any]) -> None:
        changed = copy.copy(self.proposal)
        for name in EDITED:
            setattr(changed, name, cleaned[name])
        try:
            planning.follow(changed, self.renamed)
            planning.check(changed)
            if cleaned["others"]:
                planning.check_others(changed, cleaned["others"])
        except ServiceError as error:
            show_refusal(self, error)
