"""Signing in and out, passwords, and accepting invitations."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth import views as auth
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from recipes_app.forms.accounts import NewAccountForm, SignInForm
from recipes_app.models import Membership, User
from recipes_app.services import access, people
from recipes_app.services.errors import BadInput, WrongState
from recipes_app.views.signed_in import SignedIn

BACKEND = "django.contrib.auth.backends.ModelBackend"


class SignIn(auth.LoginView):
    form_class = SignInForm
    template_name = "accounts/login.html"
    redirect_authenticated_user = True

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**kwargs, nobody_yet=not User.objects.exists())


class PasswordChange(auth.PasswordChangeView):
    template_name = "accounts/password_change.html"
    success_url = reverse_lazy("account")

    def form_valid(self, form: Any) -> HttpResponse:
        messages.success(self.request, "Your password is changed. Other sessions of yours are signed out.")
        return super().form_valid(form)


class PasswordReset(auth.PasswordResetView):
    """Without a mail server the page says who can make a reset link instead."""

    template_name = "accounts/password_reset.html"
    success_url = reverse_lazy("password_reset_sent")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**kwargs, has_mail=settings.EMAIL_IS_CONFIGURED)

    def post(self, request: HttpRequest, *args: str, **kwargs: Any) -> HttpResponse:
        if not settings.EMAIL_IS_CONFIGURED:
            raise Http404
        return super().post(request, *args, **kwargs)


class PasswordResetSent(auth.PasswordResetDoneView):
    template_name = "accounts/password_reset_sent.html"


class PasswordResetConfirm(auth.PasswordResetConfirmView):
    template_name = "accounts/password_reset_confirm.html"
    success_url = reverse_lazy("login")

    def form_valid(self, form: Any) -> HttpResponse:
        messages.success(self.request, "Your new password is set. Sign in with it.")
        return super().form_valid(form)


@login_required
@require_safe
def account(request: SignedIn) -> HttpResponse:
    memberships = request.user.memberships.select_related("team").order_by("team__name")
    return render(request, "accounts/account.html", {"memberships": memberships})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invitation_accept(request: HttpRequest, secret: str) -> HttpResponse:
    """Signed in: one button. Not yet: make an account here, or sign in and come back."""
    invitation = people.find_invitation(secret)
    if invitation is None or not people.is_open(invitation):
        return render(request, "accounts/invitation_gone.html", {"invitation": invitation}, status=404)
    form = NewAccountForm(request.POST or None, initial={"email": invitation.email})
    if request.method == "POST":
        membership = _join(request, secret, form)
        if membership is not None:
            return _welcome(request, membership)
    return render(request, "accounts/invitation_accept.html", {"invitation": invitation, "form": form})


def _join(request: HttpRequest, secret: str, form: NewAccountForm) -> Membership | None:
    """None where the person has something to correct; the form or a message says what."""
    try:
        if isinstance(request.user, User):
            return people.accept(secret=secret, user=request.user)
        if not form.is_valid():
            return None
        given = {name: form.cleaned_data[name] for name in ("username", "email", "password")}
        return people.accept_as_new(secret=secret, **given)
    except BadInput as error:
        for field, text in error.by_path.items():
            form.add_error(field if field in form.fields else None, text)
    except WrongState as error:
        messages.error(request, str(error))
    return None


def _welcome(request: HttpRequest, membership: Membership) -> HttpResponse:
    if not request.user.is_authenticated:
        login(request, membership.user, backend=BACKEND)
    access.switch_team(request, membership.team)
    messages.success(request, f"Welcome to {membership.team}.")
    return redirect("home")
