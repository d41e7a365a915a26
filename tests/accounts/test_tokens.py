"""API tokens: made once, shown once, revoked once."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from recipes_app.models import ApiToken, Membership, Role, Team, User
from recipes_app.services import tokens
from recipes_app.services.errors import BadInput, NotAllowed, WrongState
from tests.people import make_team, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def team() -> Team:
    return make_team()


@pytest.fixture
def editor(team: Team) -> User:
    return make_user("ed", team, Role.EDITOR)


def make(team: Team, owner: User, *scopes: str) -> tuple[ApiToken, str]:
    return tokens.make_token(team=team, owner=owner, name="script", scopes=scopes or ["read"])


def test_the_secret_is_shown_once_and_never_stored(client: Client, team: Team, editor: User) -> None:
    client.force_login(editor)
    assert client.get(reverse("token_new", args=[team.slug])).status_code == 200
    page = client.post(reverse("token_new", args=[team.slug]), {"name": "nightly", "scopes": ["read", "call"]})
    secret = page.content.decode().split('<pre tabindex="0">', 1)[1].split("</pre>", 1)[0]
    token = tokens.find_token(secret)
    assert token is not None
    assert (token.name, token.scopes, token.owner) == ("nightly", ["read", "call"], editor)
    assert secret.startswith("agt_")
    assert secret not in str(ApiToken.objects.values())
    listed = client.get(reverse("token_list", args=[team.slug])).content.decode()
    assert secret not in listed
    assert token.prefix in listed


def test_who_only_reads_gets_no_token_that_calls(client: Client, team: Team) -> None:
    for role in (Role.VIEWER, Role.REVIEWER):
        user = make_user(role, team, role)
        with pytest.raises(NotAllowed):
            make(team, user, "call")
        client.force_login(user)
        page = client.post(reverse("token_new", args=[team.slug]), {"name": "x", "scopes": ["call"]})
        assert b"can only make tokens that read" in page.content
        assert make(team, user, "read")
    with pytest.raises(NotAllowed):
        make(team, make_user("stranger"), "read")


def test_unknown_scopes_and_empty_names_are_refused(team: Team, editor: User) -> None:
    with pytest.raises(BadInput):
        make(team, editor, "read", "root")
    with pytest.raises(BadInput):
        tokens.make_token(team=team, owner=editor, name=" ", scopes=["read"])


def test_revoking_works_once_and_at_once(client: Client, team: Team, editor: User) -> None:
    token, secret = make(team, editor)
    client.force_login(editor)
    client.post(reverse("token_revoke", args=[token.pk]))
    assert tokens.find_token(secret) is None
    with pytest.raises(WrongState):
        tokens.revoke(token=token, by=editor)


def test_an_owner_revokes_anybodys_token_a_team_mate_does_not(client: Client, team: Team, editor: User) -> None:
    token, _ = make(team, editor)
    where = reverse("token_revoke", args=[token.pk])
    client.force_login(make_user("mate", team, Role.EDITOR))
    assert client.post(where).status_code == 403
    assert token.prefix.encode() not in client.get(reverse("token_list", args=[team.slug])).content
    client.force_login(make_user("stranger"))
    assert client.post(where).status_code == 404
    client.force_login(make_user("olga", team, Role.OWNER))
    assert token.prefix.encode() in client.get(reverse("token_list", args=[team.slug])).content
    client.post(where)
    token.refresh_from_db()
    assert token.revoked_at is not None


def test_a_token_dies_with_its_owners_membership_and_account(team: Team, editor: User) -> None:
    _, secret = make(team, editor)
    User.objects.filter(pk=editor.pk).update(is_active=False)
    assert tokens.find_token(secret) is None
    User.objects.filter(pk=editor.pk).update(is_active=True)
    assert tokens.find_token(secret) is not None
    Membership.objects.filter(user=editor).delete()
    assert tokens.find_token(secret) is None


def test_wrong_secrets_find_nothing(team: Team, editor: User) -> None:
    token, secret = make(team, editor)
    for wrong in ("", "agt_", secret[:-1], secret + "x", token.secret_hash):
        assert tokens.find_token(wrong) is None


def test_use_is_noted_at_most_once_a_minute(team: Team, editor: User) -> None:
    token, secret = make(team, editor)
    tokens.find_token(secret)
    token.refresh_from_db()
    first = token.last_used_at
    tokens.find_token(secret)
    token.refresh_from_db()
    assert token.last_used_at == first
    ApiToken.objects.update(last_used_at=timezone.now() - timedelta(minutes=2))
    tokens.find_token(secret)
    token.refresh_from_db()
    assert token.last_used_at is not None
    assert timezone.now() - token.last_used_at < timedelta(minutes=1)
