"""A form made from the JSON Schema of a tool's parameters."""

import base64
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from recipes_app.engine.parameters import secret_names
from recipes_app.forms.sites import LinesField
from recipes_app.forms.strict_json import StrictJSONField

PREFIX = "arg"
INPUT_TYPES = {"date": "date", "date-time": "datetime-local", "time": "time", "email": "email", "uri": "url"}
NOT_GIVEN: tuple[Any, ...] = ("", None, [])


@dataclass(frozen=True)
class Parameter:
    """One property of the schema, as the form needs it."""

    name: str
    schema: Mapping[str, Any]
    required: bool
    secret: bool
    example: Any

    def common(self) -> dict[str, Any]:
        """What every kind of field is told: label, help, whether it must be given, what stands in it."""
        return {
            "label": self.name,
            "required": self.required and "default" not in self.schema,
            "help_text": self.schema.get("description", ""),
            "initial": self.schema.get("default"),
        }

    def attributes(self, **more: Any) -> dict[str, Any]:
        shown = self.example if isinstance(self.example, str | int | float) and not self.secret else None
        return {**({"placeholder": f"e.g. {shown}"} if shown not in (None, "") else {}), **more}


class CallForm(forms.Form):
    """Fields come from a schema; `arguments()` gives back what the schema describes."""

    def __init__(
        self,
        schema: Mapping[str, Any],
        data: Any = None,
        files: Any = None,
        *,
        examples: Mapping[str, Any] | None = None,
        start: Mapping[str, Any] | None = None,
    ) -> None:
        self.parameters = parameters_of(schema, examples or {})
        hidden = secret_names(schema)
        known = {name: value for name, value in (start or {}).items() if name not in hidden}
        super().__init__(data, files, prefix=PREFIX, initial=known)
        for parameter in self.parameters:
            self.fields[parameter.name] = field_of(parameter)

    def arguments(self) -> dict[str, Any]:
        """Only what was given: an empty optional field is an argument left out."""
        given = self.cleaned_data.items()
        return {name: value for name, value in given if value not in NOT_GIVEN or isinstance(value, bool)}

    def show_problems(self, problems: Iterable[str]) -> None:
        """Each sentence goes beside the field whose name it begins with."""
        for problem in problems:
            name = next((each for each in self.fields if begins_with(problem, each)), None)
            self.add_error(name, problem)


def begins_with(problem: str, name: str) -> bool:
    return problem.startswith(name) and not problem[len(name) : len(name) + 1].isidentifier()


def parameters_of(schema: Mapping[str, Any], examples: Mapping[str, Any]) -> list[Parameter]:
    required, hidden = schema.get("required") or [], secret_names(schema)
    return [
        Parameter(name, content, name in required, name in hidden, example_of(content, examples.get(name)))
        for name, content in (schema.get("properties") or {}).items()
        if isinstance(content, Mapping)
    ]


def example_of(schema: Mapping[str, Any], recorded: Any) -> Any:
    listed = schema.get("examples")
    return recorded if recorded is not None else next(iter(listed if isinstance(listed, list) else []), None)


def field_of(parameter: Parameter) -> forms.Field:
    if parameter.secret:
        is_text = parameter.schema.get("type", "string") == "string" and "$ref" not in parameter.schema
        return secret_field(parameter) if is_text else JSONArgument(**{**parameter.common(), "initial": None})
    if "enum" in parameter.schema:
        return choice_field(parameter)
    kind = parameter.schema.get("type", "string")
    if kind == "array":
        return list_field(parameter)
    if parameter.schema.get("format") == "x-file":
        return FileArgument(**{**parameter.common(), "initial": None})
    make = MAKERS.get(kind) if isinstance(kind, str) else None
    return make(parameter) if make else JSONArgument(**parameter.common())


def text_field(parameter: Parameter) -> forms.Field:
    kind = INPUT_TYPES.get(str(parameter.schema.get("format")), "text")
    if kind == "text" and parameter.schema.get("maxLength", 0) > 200:
        return forms.CharField(widget=forms.Textarea(attrs=parameter.attributes(rows=4)), **parameter.common())
    widget = forms.TextInput(attrs=parameter.attributes(type=kind))
    return forms.CharField(widget=widget, strip=False, **parameter.common())


def secret_field(parameter: Parameter) -> forms.Field:
    """Never shown again, so it has to be typed again after a mistake elsewhere."""
    widget = forms.PasswordInput(attrs={"autocomplete": "new-password"})
    about = {**parameter.common(), "initial": None}
    about["help_text"] = f"{about['help_text']} Kept sealed, used once, never shown.".strip()
    return forms.CharField(widget=widget, strip=False, **about)


def choice_field(parameter: Parameter) -> forms.Field:
    values = {as_choice(value): value for value in parameter.schema["enum"]}
    choices = [(key, key) for key in values]
    about = parameter.common()
    about["initial"] = as_choice(about["initial"]) if about["initial"] is not None else None
    if not (about["required"] and len(choices) == 1):
        choices.insert(0, ("", "Choose…" if about["required"] else "Not given"))
    return forms.TypedChoiceField(choices=choices, coerce=lambda key: values[key], empty_value=None, **about)


def as_choice(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def integer_field(parameter: Parameter) -> forms.Field:
    return forms.IntegerField(widget=forms.NumberInput(attrs=parameter.attributes()), **parameter.common())


def number_field(parameter: Parameter) -> forms.Field:
    return forms.FloatField(widget=forms.NumberInput(attrs=parameter.attributes(step="any")), **parameter.common())


def boolean_field(parameter: Parameter) -> forms.Field:
    """A tick where both answers are meant; a choice with "Not given" where leaving it out says something else."""
    if parameter.required or "default" in parameter.schema:
        return forms.BooleanField(**{**parameter.common(), "required": False})
    choices = [("", "Not given"), ("true", "Yes"), ("false", "No")]
    return forms.TypedChoiceField(
        choices=choices, coerce=lambda key: key == "true", empty_value=None, **parameter.common()
    )


def list_field(parameter: Parameter) -> forms.Field:
    given = parameter.schema.get("items")
    items = given if isinstance(given, Mapping) else {} if given is None else {"type": "anything"}
    about = parameter.common()
    if "enum" in items:
        choices = [(as_choice(value), as_choice(value)) for value in items["enum"]]
        return forms.MultipleChoiceField(choices=choices, widget=forms.CheckboxSelectMultiple, **about)
    if items.get("type", "string") != "string" or items.get("format") == "x-file":
        return JSONArgument(**about)
    about["help_text"] = f"{about['help_text']} One a line.".strip()
    del about["required"]
    return RequiredLines(must=parameter.required, **about)


class RequiredLines(LinesField):
    """A list of texts that may have to hold at least one."""

    def __init__(self, *, must: bool, **options: Any) -> None:
        super().__init__(**options)
        self.must = must

    def clean(self, value: Any) -> list[str]:
        lines = super().clean(value)
        if self.must and not lines:
            raise forms.ValidationError("This field is required.", code="required")
        return lines


class JSONArgument(StrictJSONField):
    def __init__(self, **options: Any) -> None:
        options["help_text"] = f"{options.get('help_text', '')} As JSON.".strip()
        widget = forms.Textarea(attrs={"rows": 4, "class": "code", "spellcheck": "false"})
        super().__init__(widget=widget, **options)


class FileArgument(forms.FileField):
    """A file as the object that a parameter of format x-file takes."""

    def clean(self, data: Any, initial: Any = None) -> Any:
        file = super().clean(data, initial)
        if not isinstance(file, UploadedFile):
            return None
        content = base64.b64encode(file.read()).decode()
        return {"name": file.name, "media_type": file.content_type or "application/octet-stream", "base64": content}


MAKERS: dict[str, Callable[[Parameter], forms.Field]] = {
    "string": text_field,
    "integer": integer_field,
    "number": number_field,
    "boolean": boolean_field,
}
