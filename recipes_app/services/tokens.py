"""Bearer tokens of programs. The secret leaves `make_token` once and is never stored."""

import hashlib
import secrets
from collections.abc import Collection
from datetime import timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from recipes_app.models import ApiToken, Team, User
from recipes_app.models.team import OWNERS, RUNNERS
from recipes_app.services import access, audit
from recipes_app.services.errors import BadInput, NotAllowed, WrongState

PREFIX = "agt_"
SCOPES = ("read", "call", "manage")
USE_IS_NOTED_EVERY = timedelta(minutes=1)


@transaction.atomic
def make_token(*, team: Team, owner: User, name: str, scopes: Collection[str]) -> tuple[ApiToken, str]:
    """A token acts as its owner in this one team, within its scopes. Returns (row, secret)."""
    _check(team, owner, name, scopes)
    secret = PREFIX + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        team=team,
        owner=owner,
        name=name.strip(),
        prefix=secret[:12],
        secret_hash=hash_of(secret),
        scopes=[scope for scope in SCOPES if scope in scopes],
    )
    audit.record(team, owner, "token.made", f"token {token.prefix}", name=token.name, scopes=token.scopes)
    return token, secret


def find_token(secret: str) -> ApiToken | None:
    """The living token with this secret whose owner still belongs to its team."""
    if not secret.startswith(PREFIX):
        return None
    living = ApiToken.objects.filter(secret_hash=hash_of(secret), revoked_at=None, owner__is_active=True)
    token = living.select_related("team", "owner").first()
    if token is None or access.role_in(token.owner, token.team) is None:
        return None
    _note_use(token)
    return token


@transaction.atomic
def revoke(*, token: ApiToken, by: User) -> ApiToken:
    if token.owner != by and not access.can(by, token.team, OWNERS):
        raise NotAllowed("Only a token's owner or an owner of the team can revoke it.")
    now = timezone.now()
    if ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=now) != 1:
        raise WrongState("This token is already revoked.")
    token.revoked_at = now
    audit.record(token.team, by, "token.revoked", f"token {token.prefix}", name=token.name)
    return token


def hash_of(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _check(team: Team, owner: User, name: str, scopes: Collection[str]) -> None:
    role = access.role_in(owner, team)
    if role is None:
        raise NotAllowed("Only members of the team can make tokens for it.")
    if role not in RUNNERS and set(scopes) & {"call", "manage"}:
        raise NotAllowed(f"A {role.label.lower()} can only make tokens that read.")
    if unknown := sorted(set(scopes) - set(SCOPES)):
        raise BadInput([f"Unknown scope: {', '.join(unknown)}."])
    if not name.strip() or not scopes:
        raise BadInput(["A token needs a name and at least one scope."])


def _note_use(token: ApiToken) -> None:
    """One write a minute at most, so that a busy token does not turn every read into a write."""
    now = timezone.now()
    stale = Q(last_used_at=None) | Q(last_used_at__lt=now - USE_IS_NOTED_EVERY)
    ApiToken.objects.filter(stale, pk=token.pk).update(last_used_at=now)
