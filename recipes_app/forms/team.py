"""Teams, invitations and tokens."""

from django import forms

from recipes_app.models import Role

SCOPES = [
    ("read", "Read: list sites, tools and calls"),
    ("call", "Call: run published tools"),
    ("manage", "Manage: import registry files"),
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
    scopes = forms.MultipleChoiceField(choices=SCOPES, initial=["read"], widget=forms.CheckboxSelectMultiple)
