"""Who may see and do what: one guarded fetch per noun.

A stranger gets 404, as if the row did not exist; a team-mate without the role gets 403.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import Http404

from recipes_app.models import (
    ApiToken,
    Call,
    Healing,
    Job,
    JobFile,
    JobPicture,
    Login,
    Mapping,
    Membership,
    Notice,
    Proposal,
    Recipe,
    RecipeVersion,
    Recording,
    RemoteBrowser,
    Role,
    Session,
    Site,
    Team,
    User,
    Webhook,
    WebhookDelivery,
)
from recipes_app.models.team import OWNERS

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser
    from django.http import HttpRequest

SESSION_KEY = "team"
Row = TypeVar("Row", bound=Model)
Need = frozenset[Role] | None


def role_in(user: User | AnonymousUser, team: Team) -> Role | None:
    """A superuser acts as owner of every team."""
    if not isinstance(user, User) or not user.is_active:
        return None
    if user.is_superuser:
        return Role.OWNER
    role = Membership.objects.filter(team=team, user=user).values_list("role", flat=True).first()
    return Role(role) if role else None


def can(user: User | AnonymousUser, team: Team, need: frozenset[Role]) -> bool:
    return role_in(user, team) in need


def require(user: User | AnonymousUser, team: Team, need: Need = None) -> Role:
    """404 for who is not in the team, 403 for who is but has none of the roles in `need`."""
    role = role_in(user, team)
    if role is None:
        raise Http404
    if need is not None and role not in need:
        raise PermissionDenied
    return role


def teams_of(user: User | AnonymousUser) -> QuerySet[Team]:
    """Teams this person may switch to."""
    if not isinstance(user, User):
        return Team.objects.none()
    return Team.objects.all() if user.is_superuser else Team.objects.of(user)


def current_team(request: HttpRequest) -> Team | None:
    """The team chosen in this session while its owner still belongs to it, else the first one."""
    teams = teams_of(request.user)
    chosen = request.session.get(SESSION_KEY)
    return (teams.filter(slug=chosen).first() if chosen else None) or teams.first()


def switch_team(request: HttpRequest, team: Team) -> None:
    require(request.user, team)
    request.session[SESSION_KEY] = team.slug


def get_team_for(user: User | AnonymousUser, slug: str, need: Need = None) -> Team:
    team = _one(Team.objects.filter(slug=slug))
    require(user, team, need)
    return team


def get_member_for(user: User | AnonymousUser, pk: int, need: Need = OWNERS) -> Membership:
    membership = _one(Membership.objects.filter(pk=pk).select_related("team", "user"))
    require(user, membership.team, need)
    return membership


def get_site_for(user: User | AnonymousUser, pk: int, need: Need = None) -> Site:
    site = _one(Site.objects.filter(pk=pk).select_related("team"))
    require(user, site.team, need)
    return site


def get_mapping_for(user: User | AnonymousUser, pk: int, need: Need = None) -> Mapping:
    mapping = _one(Mapping.objects.filter(pk=pk).select_related("job", "site__team"))
    require(user, mapping.site.team, need)
    return mapping


def get_proposal_for(user: User | AnonymousUser, pk: int, need: Need = None) -> Proposal:
    proposal = _one(Proposal.objects.filter(pk=pk).select_related("mapping", "site__team"))
    require(user, proposal.site.team, need)
    return proposal


def get_recording_for(user: User | AnonymousUser, pk: int, need: Need = None) -> Recording:
    recording = _one(Recording.objects.filter(pk=pk).select_related("job__team", "proposal", "version"))
    require(user, recording.job.team, need)
    return recording


def get_remote_for(user: User | AnonymousUser, pk: int, need: Need = None) -> RemoteBrowser:
    remote = _one(RemoteBrowser.objects.filter(pk=pk).select_related("job__team", "site__team", "proposal"))
    require(user, remote.site.team, need)
    return remote


def get_stage_for(user: User | AnonymousUser, pk: int, need: Need = None) -> RemoteBrowser:
    """What is shown in a remote browser, and what is done there: where somebody signs in it is theirs alone."""
    remote = get_remote_for(user, pk, need)
    if not remote.may_be_seen_by(user.pk):
        raise PermissionDenied
    return remote


def get_session_for(user: User | AnonymousUser, pk: int, need: Need = None) -> Session:
    session = _one(Session.objects.filter(pk=pk).select_related("site__team"))
    require(user, session.site.team, need)
    return session


def get_login_for(user: User | AnonymousUser, pk: int, need: Need = None) -> Login:
    login = _one(Login.objects.filter(pk=pk).select_related("site__team", "job__team", "job__requested_by"))
    require(user, login.site.team, need)
    return login


def get_healing_for(user: User | AnonymousUser, pk: int, need: Need = None) -> Healing:
    rows = Healing.objects.select_related("job__team", "version__recipe__site__team", "call__job", "healed")
    healing = _one(rows.filter(pk=pk))
    require(user, healing.job.team, need)
    return healing


def get_recipe_for(user: User | AnonymousUser, pk: int, need: Need = None) -> Recipe:
    recipe = _one(Recipe.objects.filter(pk=pk).select_related("site__team", "live_version"))
    require(user, recipe.site.team, need)
    return recipe


def get_version_for(user: User | AnonymousUser, pk: int, need: Need = None) -> RecipeVersion:
    version = _one(RecipeVersion.objects.filter(pk=pk).select_related("recipe__site__team"))
    require(user, version.recipe.site.team, need)
    return version


def get_call_for(user: User | AnonymousUser, public_id: str, need: Need = None) -> Call:
    """A call is known by the public id of its job."""
    call = _one(Call.objects.filter(job__public_id=public_id).select_related("job__team", "recipe__site", "version"))
    require(user, call.job.team, need)
    return call


def get_job_for(user: User | AnonymousUser, public_id: str, need: Need = None) -> Job:
    job = _one(Job.objects.filter(public_id=public_id).select_related("team"))
    require(user, job.team, need)
    return job


def get_picture_for(user: User | AnonymousUser, pk: int, need: Need = None) -> JobPicture:
    picture = _one(JobPicture.objects.filter(pk=pk).select_related("job__team"))
    require(user, picture.job.team, need)
    return picture


def get_file_for(user: User | AnonymousUser, pk: int, need: Need = None) -> JobFile:
    file = _one(JobFile.objects.filter(pk=pk).select_related("job__team"))
    require(user, file.job.team, need)
    return file


def get_token_for(user: User | AnonymousUser, pk: int) -> ApiToken:
    """One's own token, or any token of a team one owns."""
    token = _one(ApiToken.objects.filter(pk=pk).select_related("team", "owner"))
    require(user, token.team, None if token.owner == user else OWNERS)
    return token


def get_notice_for(user: User | AnonymousUser, pk: int) -> Notice:
    """One's own: anybody else's is not there."""
    return _one(Notice.objects.filter(pk=pk, user__pk=user.pk or 0).select_related("team"))


def get_webhook_for(user: User | AnonymousUser, pk: int, need: Need = OWNERS) -> Webhook:
    webhook = _one(Webhook.objects.filter(pk=pk).select_related("team"))
    require(user, webhook.team, need)
    return webhook


def get_delivery_for(user: User | AnonymousUser, pk: int, need: Need = OWNERS) -> WebhookDelivery:
    delivery = _one(WebhookDelivery.objects.filter(pk=pk).select_related("webhook__team"))
    require(user, delivery.webhook.team, need)
    return delivery


def _one(rows: QuerySet[Row]) -> Row:
    row = rows.first()
    if row is None:
        raise Http404
    return row
