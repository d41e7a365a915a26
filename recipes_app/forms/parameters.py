"""Parameters of a proposal as rows: one form each, read from a JSON Schema and written back into one."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django import forms

from recipes_app.engine.arguments import problems_of
from recipes_app.engine.errors import DocumentError
from recipes_app.engine.plain_json import check_plain, load_json
from recipes_app.forms.sites import LinesField

KEPT = "kept"
TYPES: dict[str, tuple[str, dict[str, Any]]] = {
    "text": ("text", {"type": "string"}),
    "choice": ("one of these", {}),
    "integer": ("a whole number", {"type": "integer"}),
    "number": ("a number", {"type": "number"}),
    "boolean": ("yes or no", {"type": "boolean"}),
    "date": ("a date", {"type": "string", "format": "date"}),
    "date-time": ("a date and time", {"type": "string", "format": "date-time"}),
    "email": ("an e-mail address", {"type": "string", "format": "email"}),
    "uri": ("a web address", {"type": "string", "format": "uri"}),
    "password": ("a secret text", {"type": "string", "format": "password"}),
    "file": ("a file", {"type": "string", "format": "x-file"}),
    "list": ("a list of texts", {"type": "array", "items": {"type": "string"}}),
}
TYPED = ("type", "format", "items", "enum")  # what makes a type; the rest of a schema limits it
YES, NO = {"yes", "true", "1"}, {"no", "false", "0"}


@dataclass
class Rows:
    """What the rows say: a schema, two sets of example values, and the parameters that got another name."""

    schema: dict[str, Any]
    examples: dict[str, Any]
    others: dict[str, Any] = field(default_factory=dict)
    renamed: dict[str, str] = field(default_factory=dict)


class ParameterForm(forms.Form):
    was = forms.CharField(required=False, widget=forms.HiddenInput)
    name = forms.RegexField(
        r"^[A-Za-z_][A-Za-z0-9_]*$",
        max_length=64,
        error_messages={"invalid": "Letters, digits and underscores, not starting with a digit."},
    )
    kind = forms.ChoiceField(label="Type")
    required = forms.BooleanField(required=False)
    example = forms.CharField(required=False, strip=False)
    other = forms.CharField(label="Other value", required=False, strip=False)
    description = forms.CharField(required=False)
    choices = LinesField(label="Choices, one a line")
    remove = forms.BooleanField(required=False)

    def __init__(self, *args: Any, schema: Mapping[str, Any], **options: Any) -> None:
        super().__init__(*args, **options)
        self.schema = schema
        was = self["was"].value() or ""
        self.content: Mapping[str, Any] = (schema.get("properties") or {}).get(was) or {}
        offered = [(kind, label) for kind, (label, _) in TYPES.items()]
        more = [(KEPT, "as it is now")] if self.content and kind_of(self.content) == KEPT else []
        self.fields["kind"] = forms.ChoiceField(label="Type", choices=[*more, *offered], initial="text")

    @property
    def is_removed(self) -> bool:
        return bool(self.cleaned_data.get("remove"))

    def clean(self) -> dict[str, Any]:
        given = super().clean() or self.cleaned_data
        if given.get("remove"):
            self.errors.clear()
        elif given.get("kind") == "choice" and not given.get("choices"):
            self.add_error("choices", "Give at least one choice.")
        elif not self.errors:
            self._read_values(given)
        return given

    def _read_values(self, given: dict[str, Any]) -> None:
        """Each is held against the schema of this row, so that a problem stands beside it."""
        for name, key in (("example", "value"), ("other", "other_value")):
            try:
                given[key] = value_of(given["kind"], given[name])
            except ValueError:
                self.add_error(name, "This does not fit the type.")
                continue
            if (
                given[key] is not None
                and given["kind"] != "file"
                and (problems := problems_of(self.written(), given[key], "This"))
            ):
                self.add_error(name, problems[0])

    def written(self) -> dict[str, Any]:
        """The schema of this one parameter: limits it had stay while its type does."""
        given = self.cleaned_data
        kept = {name: value for name, value in self.content.items() if name != "description"}
        if given["kind"] == "choice":
            kept = {**without_type(kept), **enum_of(self.content, given["choices"])}
        elif given["kind"] != KEPT and given["kind"] != kind_of(self.content):
            kept = {**TYPES[given["kind"]][1], **{name: kept[name] for name in ("title",) if name in kept}}
        return {**kept, **({"description": given["description"]} if given["description"] else {})}


ParameterSet = forms.formset_factory(ParameterForm, extra=0)


def parameter_set(
    schema: Mapping[str, Any], examples: Mapping[str, Any], others: Mapping[str, Any], data: Any = None
) -> Any:
    """A bound or unbound set of rows, one for each parameter; a page adds one empty row by asking for it."""
    rows = [
        {**row_of(schema, name, examples), "other": shown(others.get(name))} for name in schema.get("properties") or {}
    ]
    return ParameterSet(data, initial=rows, prefix="row", form_kwargs={"schema": schema})


def rows_of(
    forms_: Iterable[ParameterForm], schema: Mapping[str, Any], examples: Mapping[str, Any], others: Mapping[str, Any]
) -> Rows:
    """Of rows that are all valid. Two rows of one name: ValueError, which says so."""
    rows = Rows({**schema, "type": "object", "properties": {}, "required": []}, {})
    for form in forms_:
        given = form.cleaned_data
        if not given or form.is_removed:
            continue
        name, was = given["name"], given["was"]
        if name in rows.schema["properties"]:
            raise ValueError(f"Two parameters are called {name}.")
        rows.schema["properties"][name] = form.written()
        rows.schema["required"] += [name] if given["required"] else []
        kept = given["kind"] == KEPT
        value, other = (examples.get(was), others.get(was)) if kept else (given["value"], given["other_value"])
        rows.examples |= {name: value} if value is not None else {}
        rows.others |= {name: other} if other is not None else {}
        rows.renamed |= {was: name} if was and was != name else {}
    if rows.others:
        rows.others = {**rows.examples, **rows.others}
    if not rows.schema["required"]:
        del rows.schema["required"]
    return rows


def row_of(schema: Mapping[str, Any], name: str, examples: Mapping[str, Any]) -> dict[str, Any]:
    content = schema["properties"][name]
    return {
        "was": name,
        "name": name,
        "kind": kind_of(content),
        "required": name in (schema.get("required") or []),
        "example": shown(examples.get(name)),
        "description": content.get("description", ""),
        "choices": [shown(value) for value in content.get("enum") or []],
    }


def kind_of(content: Mapping[str, Any]) -> str:
    if "enum" in content:
        return "choice"
    marks = {name: content[name] for name in TYPED if name in content}
    return next((kind for kind, (_, schema) in TYPES.items() if schema and schema == marks), KEPT)


def value_of(kind: str, text: str) -> Any:
    """What an example that was typed means; None where there is none. ValueError where it does not fit."""
    if not text.strip() or kind == KEPT:
        return None
    read = READERS.get(kind)
    try:
        value = read(text.strip()) if read else text
        check_plain(value)
    except DocumentError as error:
        raise ValueError(text[:80]) from error
    return value


def boolean_of(word: str) -> bool:
    if word not in YES | NO:
        raise ValueError(word)
    return word in YES


def list_of(text: str) -> list[str]:
    return [line.strip() for line in text.replace(",", "\n").splitlines() if line.strip()]


def file_of(text: str) -> Any:
    """A data: URL, or the object of an upload in JSON."""
    return load_json(text) if text.startswith("{") else text


READERS: dict[str, Callable[[str], Any]] = {
    "integer": int, "number": float, "boolean": lambda text: boolean_of(text.lower()), "list": list_of, "file": file_of,
}  # fmt: skip


def enum_of(content: Mapping[str, Any], lines: list[str]) -> dict[str, Any]:
    """Choices that were there keep their kind: 5 stays a number."""
    before = {shown(value): value for value in content.get("enum") or []}
    values = [before.get(line, line) for line in lines]
    texts = all(isinstance(value, str) for value in values)
    return {**({"type": "string"} if texts else {}), "enum": values}


def without_type(content: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in content.items() if name not in TYPED}


def shown(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return ", ".join(value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
