"""The form in which somebody signs in to a site: as many fields as the site's own form wants."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.validators import validate_slug

from recipes_app.models import Site
from recipes_app.models.session import DEFAULT
from recipes_app.services import logins
from recipes_app.services.signing_in import LONGEST

LABELS = {logins.USERNAME: "Username", logins.PASSWORD: "Password", logins.OTP: "One-time code"}
PREFIX = "typed_"


class LoginForm(forms.Form):
    """`typed` is by the names of the form's parameters. Nothing that was typed is ever shown again."""

    session = forms.CharField(
        label="Keep it as",
        max_length=40,
        initial=DEFAULT,
        validators=[validate_slug],
        help_text="One name for each account; “default” is used where nothing else is said.",
    )
    is_exclusive = forms.BooleanField(
        label="One job at a time",
        required=False,
        help_text="For sites that renew what they keep with each visit, or let an account in only once.",
    )

    def __init__(self, site: Site, schema: Mapping[str, Any], *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self.site = site
        self.wanted = logins.needed(schema)
        fields = {f"{PREFIX}{name}": _field(schema, name, kind) for name, kind in self.wanted.items()}
        self.fields = {**fields, **self.fields}

    @property
    def typed(self) -> dict[str, str]:
        return {name: str(self.cleaned_data.get(f"{PREFIX}{name}", "")) for name in self.wanted}


def _field(schema: Mapping[str, Any], name: str, kind: str) -> forms.CharField:
    said = str((schema.get("properties") or {}).get(name, {}).get("title") or "")
    label = said or (LABELS[kind] if name == kind else name.replace("_", " ").capitalize())
    quiet = {"autocomplete": "off", "spellcheck": "false"}
    hidden = forms.PasswordInput(attrs={"autocomplete": "new-password"})
    widget = forms.TextInput(attrs=quiet) if kind != logins.PASSWORD else hidden
    return forms.CharField(label=label, max_length=LONGEST, strip=False, widget=widget)
