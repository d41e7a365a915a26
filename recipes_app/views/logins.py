"""Saved logins of a site: signed in anew, followed, forgotten."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from recipes_app.forms.logins import LoginForm
from recipes_app.forms.problems import show_refusal
from recipes_app.models import Login, Proposal, Site
from recipes_app.models.session import DEFAULT
from recipes_app.models.team import RUNNERS
from recipes_app.services import access, logins, sessions, signing_in
from recipes_app.services.errors import ServiceError, WrongState
from recipes_app.views.allowed import allowed
from recipes_app.views.live import fragment, mark_of
from recipes_app.views.signed_in import SignedIn, refusals_told


@sensitive_post_parameters()
@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def login_new(request: SignedIn, pk: int) -> HttpResponse:
    site = access.get_site_for(request.user, pk, RUNNERS)
    form = _form(request, site)
    if form is not None and request.method == "POST" and form.is_valid():
        chosen = {"session": form.cleaned_data["session"], "is_exclusive": form.cleaned_data["is_exclusive"]}
        try:
            login = signing_in.request(site=site, by=request.user, typed=form.typed, **chosen)
        except ServiceError as error:
            show_refusal(form, error)
        else:
            return redirect("login_detail", login.pk)
    context = {"site": site, "form": form, **allowed(request.user, site.team)}
    return render(request, "logins/new.html", context, status=422 if form and form.errors else 200)


def _form(request: SignedIn, site: Site) -> LoginForm | None:
    """None where no sign-in form is known of the site."""
    found = known_form(site)
    if found is None:
        return None
    initial = {"session": request.GET.get("session") or DEFAULT}
    return LoginForm(site, found.parameters, request.POST if request.method == "POST" else None, initial=initial)


def known_form(site: Site) -> Proposal | None:
    try:
        return logins.form_of(site)
    except WrongState:
        return None


@login_required
@require_safe
def login_detail(request: SignedIn, pk: int) -> HttpResponse:
    login = access.get_login_for(request.user, pk)
    return render(request, "logins/detail.html", _context(request, login))


@login_required
@require_safe
def login_live(request: SignedIn, pk: int) -> HttpResponse:
    context = _context(request, access.get_login_for(request.user, pk))
    return fragment(request, "logins/_live.html", context, str(context["mark"]))


def _context(request: SignedIn, login: Login) -> dict[str, Any]:
    more = allowed(request.user, login.site.team)
    return {"login": login, "site": login.site, "job": login.job, "mark": mark_of(login.job), **more}


@login_required
@require_POST
def session_forget(request: SignedIn, pk: int) -> HttpResponse:
    session = access.get_session_for(request.user, pk, RUNNERS)
    with refusals_told(request):
        sessions.remove(session=session, by=request.user)
        messages.success(request, f"The session {session.name} is forgotten. On the site itself it may still be good.")
    return redirect("site_detail", session.site_id)
