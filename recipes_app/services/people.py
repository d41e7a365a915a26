"""Teams, invitations and roles."""

import secrets
from datetime import timedelta

from django.contrib.auth.password_validation import validate_password
from django.contrib.auth.tokens import default_token_generator
from django.core.exceptions import ValidationError
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.text import slugify

from recipes_app.models import Invitation, Membership, Role, Team, User
from recipes_app.models.team import OWNERS
from recipes_app.services import access, audit, taken
from recipes_app.services.errors import BadInput, NotAllowed, WrongState
from recipes_app.services.tokens import hash_of

INVITATION_LASTS = timedelta(days=7)
TAKEN_BY_PAGES = {
    "new",
    "switch",
    "members",
    "tokens",
    "webhooks",
    "deliveries",
}  # /teams/new/ is a page, so no team has that slug


@transaction.atomic
def create_team(*, name: str, owner: User) -> Team:
    name = name.strip()
    if not name:
        raise BadInput({"name": "A team needs a name."})
    with taken.or_say(f"Somebody has just made a team called {name}; try once more."):
        team = Team.objects.create(name=name, slug=_free_slug(name))
    Membership.objects.create(team=team, user=owner, role=Role.OWNER)
    audit.record(team, owner, "team.created", f"team {team.slug}")
    return team


@transaction.atomic
def want_two_approvers(*, team: Team, by: User, wanted: bool) -> Team:
    """Whether approving what is destructive takes two editors."""
    _require_owner(team, by)
    if Team.objects.filter(pk=team.pk).exclude(two_approvers=wanted).update(two_approvers=wanted):
        audit.record(team, by, "team.two_approvers", f"team {team.slug}", wanted=wanted)
    team.two_approvers = wanted
    return team


@transaction.atomic
def invite(*, team: Team, role: Role, by: User, email: str = "") -> tuple[Invitation, str]:
    """Returns the invitation and the path of its link, which holds the secret and is shown once."""
    _require_owner(team, by)
    secret = secrets.token_urlsafe(24)
    invitation = Invitation.objects.create(
        team=team,
        email=email.strip(),
        role=role,
        secret_hash=hash_of(secret),
        invited_by=by,
        expires_at=timezone.now() + INVITATION_LASTS,
    )
    audit.record(team, by, "invitation.made", f"invitation {invitation.pk}", role=role, email=invitation.email)
    return invitation, reverse("invitation_accept", args=[secret])


def find_invitation(secret: str) -> Invitation | None:
    """The invitation with this secret, whatever has become of it."""
    return Invitation.objects.filter(secret_hash=hash_of(secret)).select_related("team", "invited_by").first()


def is_open(invitation: Invitation) -> bool:
    return invitation.accepted_at is None and invitation.expires_at > timezone.now()


@transaction.atomic
def withdraw(*, invitation: Invitation, by: User) -> None:
    _require_owner(invitation.team, by)
    if Invitation.objects.filter(pk=invitation.pk, accepted_at=None).delete()[0] == 0:
        raise WrongState("This invitation has already been accepted.")
    audit.record(invitation.team, by, "invitation.withdrawn", f"invitation {invitation.pk}", email=invitation.email)


@transaction.atomic
def accept(*, secret: str, user: User) -> Membership:
    invitation = find_invitation(secret)
    if invitation is None:
        raise WrongState("There is no such invitation.")
    if Membership.objects.filter(team=invitation.team, user=user).exists():
        raise WrongState(f"You are already a member of {invitation.team}.")
    _use_up(invitation, user)
    with taken.or_say(f"You are already a member of {invitation.team}."):
        membership = Membership.objects.create(team=invitation.team, user=user, role=invitation.role)
    audit.record(invitation.team, user, "invitation.accepted", f"invitation {invitation.pk}", role=invitation.role)
    return membership


@transaction.atomic
def accept_as_new(*, secret: str, username: str, email: str, password: str) -> Membership:
    """Make an account and accept with it; an invitation that is used up makes no account."""
    user = User(username=username, email=email)
    try:
        user.full_clean(exclude=["password"])
        validate_password(password, user)
    except ValidationError as error:
        raise BadInput(_by_field(error)) from error
    user.set_password(password)
    with taken.or_say(f"Somebody has just taken the name {username}; choose another."):
        user.save()
    return accept(secret=secret, user=user)


@transaction.atomic
def change_role(*, membership: Membership, role: Role, by: User) -> Membership:
    _require_owner(membership.team, by)
    _keep_an_owner(membership, becomes=role)
    before = membership.role
    if Membership.objects.filter(pk=membership.pk, role=before).update(role=role) != 1:
        raise WrongState("Someone else has just changed this person's role.")
    membership.role = role
    audit.record(membership.team, by, "role.changed", f"user {membership.user}", before=before, after=role)
    return membership


@transaction.atomic
def remove(*, membership: Membership, by: User) -> None:
    """An owner removes anyone, everyone may leave; a team keeps its last owner."""
    if membership.user != by:
        _require_owner(membership.team, by)
    _keep_an_owner(membership, becomes=None)
    if Membership.objects.filter(pk=membership.pk, role=membership.role).delete()[0] == 0:
        raise WrongState("Someone else has just changed or removed this membership.")
    audit.record(membership.team, by, "member.removed", f"user {membership.user}", role=membership.role)


@transaction.atomic
def make_reset_link(*, user: User, by: User) -> str:
    """Path of a link that sets a new password once, within Django's PASSWORD_RESET_TIMEOUT.

    Whoever holds it becomes that person, so an owner gets one only for people who belong to no team but theirs.
    """
    if not _may_reset(user, by):
        raise NotAllowed(f"{user} also belongs to teams you do not own; ask an administrator for the link.")
    uid = urlsafe_base64_encode(force_bytes(user.pk))
    audit.record(None, by, "password.reset_link_made", f"user {user}")
    return reverse("password_reset_confirm", args=[uid, default_token_generator.make_token(user)])


def _may_reset(user: User, by: User) -> bool:
    if by.is_superuser:
        return True
    if user.is_superuser or user.is_staff:
        return False
    theirs = set(user.memberships.values_list("team_id", flat=True))
    owned = set(by.memberships.filter(role=Role.OWNER).values_list("team_id", flat=True))
    return bool(theirs) and theirs <= owned


def _use_up(invitation: Invitation, user: User) -> None:
    now = timezone.now()
    unused = Invitation.objects.filter(pk=invitation.pk, accepted_at=None, expires_at__gt=now)
    if unused.update(accepted_at=now, accepted_by=user) != 1:
        raise WrongState("This invitation has been used or has expired. Ask for a new one.")


def _keep_an_owner(membership: Membership, *, becomes: Role | None) -> None:
    """Locks the team's row first: two owners stepping down at once must not leave none."""
    if membership.role != Role.OWNER or becomes == Role.OWNER:
        return
    Team.objects.select_for_update().get(pk=membership.team_id)
    others = Membership.objects.filter(team=membership.team, role=Role.OWNER).exclude(pk=membership.pk)
    if not others.exists():
        raise WrongState(f"{membership.user} is the last owner of {membership.team}; make someone else owner first.")


def _require_owner(team: Team, by: User) -> None:
    if not access.can(by, team, OWNERS):
        raise NotAllowed(f"Only an owner of {team} can do this.")


def _free_slug(name: str) -> str:
    stem = slugify(name)[:40] or "team"
    taken = TAKEN_BY_PAGES | set(Team.objects.filter(slug__startswith=stem).values_list("slug", flat=True))
    numbered = (f"{stem}-{number}" for number in range(2, len(taken) + 3))
    return stem if stem not in taken else next(slug for slug in numbered if slug not in taken)


def _by_field(error: ValidationError) -> dict[str, str]:
    if hasattr(error, "error_dict"):
        return {field: " ".join(messages) for field, messages in error.message_dict.items()}
    return {"password": " ".join(error.messages)}
