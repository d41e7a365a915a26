"""Teams, invitations and tokens."""

from typing import Any

from django import forms

from recipes_app.models import Role
from recipes_app.services.webhooks import EVENTS

SCOPES = [
    ("read", "Read: list sites, tools and calls"),
    ("call", "Call: run published tools"),
    ("manage", "Manage: map sites, decide about proposals, import registry files"),
]


class TeamForm(forms.Form):
    name = forms.CharField(max_length=80, widget=forms.TextInput(attrs={"autofocus": True}))


class InvitationForm(forms.Form):
    role = forms.ChoiceField(choices=Role.choices, initial=Role.OPERATOR)
    email = forms.EmailField(required=False, help_text="Optional: so that you recognise the invitation.")


class RoleForm(forms.Form):
    role = forms.ChoiceField(choices=Role.choices)


class TokenForm(forms.Form):
    name = forms.CharField(
        max_length=80, help_text="What will use it.", widget=forms.TextInput(attrs={"autofocus": True})
    )
    scopes = forms.MultipleChoiceField(choices=SCOPES, widget=forms.CheckboxSelectMultiple)

    def __init__(self, data: Any = None, *, may_call: bool) -> None:
        """Ticked: what a program usually needs. Who may not call tools is offered to read."""
        super().__init__(data, initial={"scopes": ["read", "call"] if may_call else ["read"]})
        if not may_call:
            self.fields["scopes"].help_text = "Your role makes tokens that read."
            self.fields["scopes"].widget.choices = SCOPES[:1]


class WebhookForm(forms.Form):
    url = forms.CharField(
        label="Address",
        max_length=500,
        help_text="A public https address of yours. Redirects are not followed.",
        widget=forms.TextInput(attrs={"inputmode": "url", "placeholder": "https://hooks.example.org/agentify"}),
    )
    events = forms.MultipleChoiceField(
        label="Send it",
        choices=[(name, f"{about} ({name})") for name, about in EVENTS.items() if name != "ping"],
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="None ticked: all of them, and those that come with later versions.",
    )
