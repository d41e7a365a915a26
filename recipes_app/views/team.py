"""The team: its people, invitations and tokens."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from recipes_app.forms.problems import show_refusal
from recipes_app.forms.team import InvitationForm, RoleForm, TeamForm, TokenForm
from recipes_app.models import ApiToken, Invitation, Recipe, Role, Team
from recipes_app.models.recipe import SideEffect
from recipes_app.models.team import OWNERS, RUNNERS
from recipes_app.services import access, mail, people, tokens
from recipes_app.services.errors import ServiceError
from recipes_app.views.signed_in import SignedIn, refusals_told
from recipes_app.views.snippets import call_path, curl


@login_required
@require_safe
def team_current(request: SignedIn) -> HttpResponse:
    team = access.current_team(request)
    return redirect("team_detail", team.slug) if team else redirect("team_new")


@login_required
@require_safe
def team_detail(request: SignedIn, slug: str) -> HttpResponse:
    team = access.get_team_for(request.user, slug)
    return _team_page(request, team, InvitationForm())


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def team_new(request: SignedIn) -> HttpResponse:
    form = TeamForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            team = people.create_team(name=form.cleaned_data["name"], owner=request.user)
        except ServiceError as error:
            show_refusal(form, error)
        else:
            access.switch_team(request, team)
            messages.success(request, f"{team} is yours. Invite people, or map your first website.")
            return redirect("team_detail", team.slug)
    return render(request, "team/team_new.html", {"form": form})


@login_required
@require_POST
def team_switch(request: SignedIn) -> HttpResponse:
    """Pages belong to one team, so switching goes to a page every team has."""
    access.switch_team(request, access.get_team_for(request.user, request.POST.get("team", "")))
    then = request.POST.get("next", "")
    if then and url_has_allowed_host_and_scheme(then, {request.get_host()}, require_https=request.is_secure()):
        return redirect(then)
    return redirect("home")


@login_required
@require_POST
def two_approvers(request: SignedIn, slug: str) -> HttpResponse:
    team, wanted = access.get_team_for(request.user, slug, OWNERS), request.POST.get("two_approvers") == "1"
    with refusals_told(request):
        people.want_two_approvers(team=team, by=request.user, wanted=wanted)
        messages.success(request, f"A destructive tool takes {'two editors' if wanted else 'one editor'} from now on.")
    return redirect("team_detail", slug)


@login_required
@require_POST
@never_cache
def invite(request: SignedIn, slug: str) -> HttpResponse:
    """The link is shown in this one response: only its hash is kept."""
    team = access.get_team_for(request.user, slug, OWNERS)
    form = InvitationForm(request.POST)
    if not form.is_valid():
        return _team_page(request, team, form, status=422)
    role, email = Role(form.cleaned_data["role"]), form.cleaned_data["email"]
    invitation, path = people.invite(team=team, role=role, email=email, by=request.user)
    link = settings.PUBLIC_URL + path
    mailed = mail.send_invitation(invitation=invitation, link=link)
    context = {"team": team, "invitation": invitation, "link": link, "mailed": mailed}
    return render(request, "team/invitation_link.html", context)


@login_required
@require_POST
def invitation_withdraw(request: SignedIn, slug: str, pk: int) -> HttpResponse:
    team = access.get_team_for(request.user, slug, OWNERS)
    with refusals_told(request):
        people.withdraw(invitation=get_object_or_404(Invitation, pk=pk, team=team), by=request.user)
        messages.success(request, "The invitation is withdrawn.")
    return redirect("team_detail", slug)


@login_required
@require_POST
def member_role(request: SignedIn, pk: int) -> HttpResponse:
    membership = access.get_member_for(request.user, pk)
    form = RoleForm(request.POST)
    if not form.is_valid():
        messages.error(request, "There is no such role.")
        return redirect("team_detail", membership.team.slug)
    with refusals_told(request):
        people.change_role(membership=membership, role=Role(form.cleaned_data["role"]), by=request.user)
        messages.success(request, f"{membership.user} is now {Role(membership.role).label.lower()}.")
    return redirect("team_detail", membership.team.slug)


@login_required
@require_POST
def member_remove(request: SignedIn, pk: int) -> HttpResponse:
    """Also how one leaves a team."""
    membership = access.get_member_for(request.user, pk, need=None)
    leaving = membership.user == request.user
    if not leaving:
        access.require(request.user, membership.team, OWNERS)
    with refusals_told(request):
        people.remove(membership=membership, by=request.user)
        messages.success(request, "You left." if leaving else f"{membership.user} is no longer in {membership.team}.")
        if leaving:
            return redirect("team_current")
    return redirect("team_detail", membership.team.slug)


@login_required
@require_POST
@never_cache
def member_reset_link(request: SignedIn, pk: int) -> HttpResponse:
    membership = access.get_member_for(request.user, pk)
    try:
        path = people.make_reset_link(user=membership.user, by=request.user)
    except ServiceError as error:
        messages.error(request, str(error))
        return redirect("team_detail", membership.team.slug)
    context = {"team": membership.team, "person": membership.user, "link": settings.PUBLIC_URL + path}
    return render(request, "team/reset_link.html", context)


@login_required
@require_safe
def token_list(request: SignedIn, slug: str) -> HttpResponse:
    team = access.get_team_for(request.user, slug)
    rows = ApiToken.objects.filter(team=team).select_related("owner").order_by("revoked_at", "-pk")
    is_owner = access.can(request.user, team, OWNERS)
    shown = rows if is_owner else rows.filter(owner=request.user)
    return render(request, "team/token_list.html", {"team": team, "tokens": shown, "is_owner": is_owner})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def token_new(request: SignedIn, slug: str) -> HttpResponse:
    """The secret is shown in this one response."""
    team = access.get_team_for(request.user, slug)
    form = TokenForm(request.POST or None, may_call=access.can(request.user, team, RUNNERS))
    if request.method == "POST" and form.is_valid():
        name, scopes = form.cleaned_data["name"], form.cleaned_data["scopes"]
        try:
            token, secret = tokens.make_token(team=team, owner=request.user, name=name, scopes=scopes)
        except ServiceError as error:
            form.add_error("scopes", str(error))
        else:
            context = {"team": team, "token": token, "secret": secret, **first_call(team, token)}
            return render(request, "team/token_secret.html", context)
    return render(request, "team/token_new.html", {"team": team, "form": form})


def first_call(team: Team, token: ApiToken) -> dict[str, str]:
    """Something the token may do, to try it with: call a tool that reads, else look at the sites."""
    recipe = Recipe.objects.of(team).published().filter(live_version__side_effect=SideEffect.READ).first()
    if recipe is not None and recipe.live_version is not None and "call" in token.scopes:
        return {"try_it": curl(call_path(recipe), recipe.live_version.examples), "scope": "call"}
    scope = next((scope for scope in ("read", "call") if scope in token.scopes), "")
    text = f'curl -H "Authorization: Bearer $AGENTIFY_TOKEN" {settings.PUBLIC_URL}/api/v1/sites'
    return {"try_it": text if scope else "", "scope": scope}


@login_required
@require_POST
def token_revoke(request: SignedIn, pk: int) -> HttpResponse:
    token = access.get_token_for(request.user, pk)
    with refusals_told(request):
        tokens.revoke(token=token, by=request.user)
        messages.success(request, f"{token.name} is revoked.")
    return redirect("token_list", token.team.slug)


def _team_page(request: SignedIn, team: Team, form: InvitationForm, status: int = 200) -> HttpResponse:
    role = access.role_in(request.user, team)
    context: dict[str, Any] = {
        "team": team,
        "role": role,
        "roles": Role.choices,
        "is_owner": role in OWNERS,
        "memberships": team.memberships.select_related("user").order_by("user__username"),
        "invitations": team.invitations.filter(accepted_at=None).order_by("-pk"),
        "form": form,
    }
    return render(request, "team/team_detail.html", context, status=status)
