"""Signing in and accepting an invitation."""

from typing import Any

from django import forms
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.forms import AuthenticationForm
from django.core.exceptions import ValidationError

from recipes_app.services import sign_in

PAUSED = "Too many wrong passwords for this name. Wait ten minutes, then try again."


class SlowedDown(AuthenticationForm):
    """Counts wrong passwords per user name and address, and looks at no password while paused."""

    def clean(self) -> dict[str, Any]:
        who = {"username": self.cleaned_data.get("username", ""), "address": self._address()}
        if not sign_in.may_try(**who):
            raise ValidationError(PAUSED, code="paused")
        cleaned = super().clean()
        sign_in.forget_failures(**who)
        return dict(cleaned or {})

    def _address(self) -> str:
        return str(self.request.META.get("REMOTE_ADDR", "")) if self.request else ""


class SignInForm(SlowedDown):
    pass


class AdminSignInForm(SlowedDown, AdminAuthenticationForm):
    pass


class NewAccountForm(forms.Form):
    """Whether the name is free and the password good is for the service to say."""

    username = forms.CharField(
        max_length=150, label="Username", widget=forms.TextInput(attrs={"autocomplete": "username", "autofocus": True})
    )
    email = forms.EmailField(required=False, widget=forms.EmailInput(attrs={"autocomplete": "email"}))
    password = forms.CharField(
        strip=False,
        help_text="At least 10 characters, not a common one.",
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )
    password_again = forms.CharField(
        strip=False, label="Password again", widget=forms.PasswordInput(attrs={"autocomplete": "new-password"})
    )

    def clean_password_again(self) -> str:
        again = str(self.cleaned_data["password_again"])
        if again != self.cleaned_data.get("password"):
            raise ValidationError("The two passwords differ.")
        return again
