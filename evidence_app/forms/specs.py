"""Forms of a task spec: its common fields, the whole document, and a file that is imported."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from evidence_app.services import specs
from recipes_app.engine.errors import DocumentError
from recipes_app.engine.plain_json import load_json
from recipes_app.forms.sites import LinesField
from recipes_app.services.errors import BadInput

MAX_BYTES = 1_000_000
CODE = {"class": "code", "spellcheck": "false"}
WAYS = ("form", "json")
EMPTY: dict[str, Any] = {"task_id": "", "goal": "", "output_schema": {}, "required_artifacts": []}
# A judgment is one thing in the form, and three fields in the document.
SHOWN_AT = {"judgment_required": "judgment_question", "judgment_output_schema": "judgment_fields"}


class MembersField(forms.CharField):
    """`name: type` a line, as {name: type}; a type that is no word is JSON."""

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, widget=forms.Textarea(attrs={"rows": 5, **CODE}), **options)

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(f"{name}: {_type(kind)}" for name, kind in value.items()) if isinstance(value, dict) else value

    def clean(self, value: Any) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for number, line in enumerate((value or "").splitlines(), start=1):
            if not line.strip():
                continue
            name, _, kind = (part.strip() for part in line.partition(":"))
            if not name or name in found:
                raise ValidationError(f"Line {number}: {'twice the same name' if name else 'a name is missing'}.")
            found[name] = _read_type(kind, number)
        return found


def _type(kind: Any) -> str:
    return kind if isinstance(kind, str) else json.dumps(kind, ensure_ascii=False)


def _read_type(kind: str, number: int) -> Any:
    if not kind.startswith(("{", "[")):
        return kind or "string"
    try:
        return load_json(kind)
    except DocumentError as error:
        raise ValidationError(f"Line {number}: the type is no JSON: {error.message}") from error


class MilestonesField(forms.CharField):
    """`id: description (optional)` a line."""

    OPTIONAL = " (optional)"

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false"}), **options)

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(map(self._line, value)) if isinstance(value, list) else value

    def _line(self, each: Any) -> str:
        if isinstance(each, str):
            return each
        about = f": {each['description']}" if each.get("description") else ""
        return f"{each['id']}{about}{'' if each.get('required', True) else self.OPTIONAL}"

    def clean(self, value: Any) -> list[Any]:
        return [self._read(line.strip()) for line in (value or "").splitlines() if line.strip()]

    def _read(self, line: str) -> dict[str, Any]:
        text = line.removesuffix(self.OPTIONAL)
        name, _, about = (part.strip() for part in text.partition(":"))
        return {"id": name, "description": about, "required": text == line}


def _number(label: str, low: int, high: int, about: str) -> forms.IntegerField:
    return forms.IntegerField(label=label, required=False, min_value=low, max_value=high, help_text=about)


def _text(label: str, about: str, rows: int = 1) -> forms.CharField:
    widget: forms.Widget = forms.Textarea(attrs={"rows": rows}) if rows > 1 else forms.TextInput()
    return forms.CharField(label=label, required=False, help_text=about, widget=widget)


class SpecForm(forms.Form):
    """The common fields, laid over the document it began with: what it does not show is kept."""

    task_id = forms.CharField(
        label="Short name", max_length=80, help_text="Letters, digits, dots, dashes, underscores."
    )
    title = _text("Title", "For people; runs are called by it.")
    goal = forms.CharField(
        label="Goal", widget=forms.Textarea(attrs={"rows": 4}), help_text="What to do for each sample, in plain words."
    )
    start_url = _text("Begins at", "An address; a sample's own address goes first.")
    output_schema = MembersField(
        label="What to take down",
        help_text="One field a line: name: type. Types: string, integer, number, boolean, date, url, list[string], "
        "“yes” | “no”, and “… | null” for what may be missing.",
    )
    required_fields = LinesField(label="Fields that must be there", help_text="One name a line.")
    required_artifacts = LinesField(label="Pictures and files that must be there", help_text="One label a line.")
    milestones = MilestonesField(
        label="Milestones",
        help_text="One a line: name: what is reached. “(optional)” at the end for one that may be missed.",
    )
    judgment_question = _text("Question to judge", "Answered by yes, no or inconclusive. Empty: nothing is judged.", 2)
    judgment_fields = MembersField(
        label="What the judgment holds beside its answer", help_text="name: type, a line each."
    )
    keywords = LinesField(label="Keywords", help_text="Words that matter on these pages, one a line.")
    allowed_hosts = LinesField(label="Other hosts the agent may reach", help_text="One a line: docs.example.org.")
    control = _text("Control", "Such as CC6.2 or A.5.18.")
    period = _text("Period", "Such as 2026-Q3.")
    max_steps = _number("Steps at most", 1, 1000, "Usually 25.")
    max_time_seconds = _number("Seconds at most", 0, 86_400, "0 or empty: the limit of this installation.")
    expected_items = _number("Items expected", 0, 100_000, "Of a list that is taken down. Empty: any number.")
    retention_days = _number("Days to keep", 0, 36_500, "Empty: for good.")

    def __init__(self, document: Mapping[str, Any], data: Any = None, *, fixed_id: str = "") -> None:
        self.document = dict(document)
        said = {**self.document, "judgment_fields": self.document.get("judgment_output_schema", {})}
        super().__init__(data, initial=said)
        if fixed_id:
            self.fields["task_id"].widget.attrs["readonly"] = True
        self.fixed_id = fixed_id

    def clean_task_id(self) -> str:
        return _same_id(str(self.cleaned_data["task_id"]), self.fixed_id)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not self.errors:
            self.written = self._written(cleaned)
            _told(self, self.written, lambda path: _field_at(self, path))
        return cleaned

    def _written(self, cleaned: Mapping[str, Any]) -> dict[str, Any]:
        made = {**self.document, **{name: value for name, value in cleaned.items() if name != "judgment_fields"}}
        made["judgment_required"] = bool(cleaned["judgment_question"])
        made["judgment_output_schema"] = cleaned["judgment_fields"] if made["judgment_required"] else {}
        return {name: value for name, value in made.items() if value not in (None, "", [], {})}


class DocumentForm(forms.Form):
    """The whole spec as JSON; `written` is what it says."""

    document = forms.CharField(
        label="The task spec, in JSON", widget=forms.Textarea(attrs={"rows": 30, **CODE}), max_length=MAX_BYTES
    )

    def __init__(self, document: Mapping[str, Any], data: Any = None, *, fixed_id: str = "") -> None:
        self.fixed_id = fixed_id
        super().__init__(data, initial={"document": pretty(document)})

    def clean_document(self) -> str:
        text = str(self.cleaned_data["document"])
        self.written = read_object(text)
        _same_id(str(self.written.get("task_id", "")), self.fixed_id)
        _told(self, self.written, lambda _path: "document", with_path=True)
        return text


class ImportForm(forms.Form):
    """A file of a spec, or its text."""

    file = forms.FileField(label="File", required=False, help_text="A task spec in JSON.")
    text = forms.CharField(label="Or paste it", required=False, widget=forms.Textarea(attrs={"rows": 14, **CODE}))

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        where = "file" if cleaned.get("file") else "text"
        raw = cleaned["file"].read(MAX_BYTES + 1) if where == "file" else cleaned.get("text", "").encode()
        if not raw.strip():
            raise ValidationError("Choose a file, or paste its text.")
        if len(raw) > MAX_BYTES:
            raise ValidationError("A task spec is at most 1 MB.")
        try:
            self.written = read_object(raw.decode("utf-8-sig"))
        except UnicodeDecodeError as error:
            raise ValidationError("This is not UTF-8; save the file as UTF-8.") from error
        _told(self, self.written, lambda _path: None, with_path=True)
        return cleaned


def pretty(document: Mapping[str, Any]) -> str:
    return json.dumps(document, ensure_ascii=False, indent=2)


def read_object(text: str) -> dict[str, Any]:
    try:
        said = load_json(text)
    except DocumentError as error:
        raise ValidationError(str(error)) from error
    if not isinstance(said, dict):
        raise ValidationError("A task spec is a JSON object: {…}.")
    return said


def _same_id(task_id: str, fixed: str) -> str:
    if fixed and task_id != fixed:
        raise ValidationError(f"task_id: stays {fixed}; another name is another task, made by importing it.")
    return task_id


def _told(
    form: forms.Form, document: dict[str, Any], place: Callable[[str], str | None], *, with_path: bool = False
) -> None:
    """What the parser refuses, at its field, with its path where the field's name does not say it."""
    try:
        specs.read(document)
    except BadInput as error:
        for path, text in (error.by_path or {"": str(error)}).items():
            field = place(path)
            is_said = field is not None and path == field and not with_path
            form.add_error(field, text if is_said or not path else f"{path}: {text}")


def _field_at(form: forms.Form, path: str) -> str | None:
    name = path.split(".", 1)[0].split("[", 1)[0]
    name = SHOWN_AT.get(name, name)
    return name if name in form.fields else None
