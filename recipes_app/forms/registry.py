"""The form that takes a registry file or a recording of another program, uploaded or pasted."""

import re
from typing import Any

from django import forms

from recipes_app.engine.document import DocumentError
from recipes_app.formats.recordings import REGISTRY, parse
from recipes_app.models import Site, Team

MAX_BYTES = 5_000_000
TOOL_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")


class RegistryForm(forms.Form):
    file = forms.FileField(
        label="File",
        required=False,
        help_text="A registry (shop.tools.json, of this or the first Agentify), or a recording: Chrome DevTools "
        "Recorder (.json), Selenium IDE (.side), Playwright codegen (--target jsonl).",
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
        help_text="A recording names no site: choose one.",
    )
    name = forms.CharField(
        label="Name of the tool",
        required=False,
        max_length=64,
        help_text="For a recording; left out, it is made from the recording's title. Of a project with several tests, "
        "this is the test.",
    )
    parametrize = forms.BooleanField(
        label="What was typed becomes parameters",
        required=False,
        initial=True,
        help_text="For a recording. Passwords always do, and are forgotten.",
    )

    def __init__(self, team: Team, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if isinstance(site := self.fields["site"], forms.ModelChoiceField):
            site.queryset = Site.objects.of(team)

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if name and not TOOL_NAME.fullmatch(name):
            raise forms.ValidationError("Small letters, digits and _ only, such as find_products.")
        return name

    def clean(self) -> dict[str, Any]:
        """`data` is what the file says, as plain JSON, `format` which kind it is; the service looks closer."""
        cleaned = super().clean() or self.cleaned_data
        where = "file" if cleaned.get("file") else "text"
        raw = cleaned["file"].read(MAX_BYTES + 1) if where == "file" else cleaned.get("text", "").encode()
        if not raw.strip():
            raise forms.ValidationError("Choose a file, or paste its text.")
        if len(raw) > MAX_BYTES:
            self.add_error(where, "This file is larger than 5 MB.")
            return cleaned
        try:
            cleaned["format"], cleaned["data"] = parse(raw)
        except DocumentError as error:
            self.add_error(where, f"{error}.")
            return cleaned
        if cleaned["format"] != REGISTRY and not cleaned.get("site"):
            self.add_error("site", "Choose the site on which this was recorded.")
        return cleaned
