"""The form that takes a registry file, uploaded or pasted."""

import json
from typing import Any

from django import forms

from recipes_app.models import Site, Team

MAX_BYTES = 5_000_000


class RegistryForm(forms.Form):
    file = forms.FileField(
        label="Registry file",
        required=False,
        help_text="A file such as shop.tools.json, of this or the first Agentify.",
    )
    text = forms.CharField(
        label="Or paste it",
        required=False,
        widget=forms.Textarea(attrs={"rows": 10, "class": "code", "spellcheck": "false"}),
    )
    site = forms.ModelChoiceField(
        label="Into",
        queryset=Site.objects.none(),
        required=False,
        empty_label="The site the file names (made if it is new)",
    )

    def __init__(self, team: Team, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if isinstance(site := self.fields["site"], forms.ModelChoiceField):
            site.queryset = Site.objects.of(team)

    def clean(self) -> dict[str, Any]:
        """`data` is what the file says, as plain JSON; whether it is a registry is for the service to say."""
        cleaned = super().clean() or self.cleaned_data
        where = "file" if cleaned.get("file") else "text"
        raw = cleaned["file"].read(MAX_BYTES + 1) if where == "file" else cleaned.get("text", "").encode()
        if not raw.strip():
            raise forms.ValidationError("Choose a file, or paste its text.")
        if len(raw) > MAX_BYTES:
            self.add_error(where, "This file is larger than 5 MB.")
            return cleaned
        try:
            cleaned["data"] = json.loads(raw)
        except UnicodeDecodeError:
            self.add_error(where, "This is not a text file in UTF-8.")
        except json.JSONDecodeError as error:
            self.add_error(where, f"Not JSON: {error.msg} (line {error.lineno}, column {error.colno}).")
        return cleaned
