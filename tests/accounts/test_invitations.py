"""Invitations: who makes them, who accepts them, how often."""

from datetime import timedelta

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from recipes_app.models import Invitation, Membership, Role, Team, User
from recipes_app.services import people
from recipes_app.services.errors import NotAllowed, WrongState
from tests.people import make_team, make_user

pytestmark = pytest.mark.django_db
ACCOUNT = {
    "username": "nina",
    "email": "nina@example.test",
    "password": "a good long one 7",
    "password_again": "a good long one 7",
}


@pytest.fixture
def team() -> Team:
    return make_team()


@pytest.fixture
def owner(team: Team) -> User:
    return make_user("olga", team, Role.OWNER)


def invite(team: Team, owner: User, role: Role = Role.EDITOR) -> str:
    return people.invite(team=team, role=role, by=owner)[1]


def test_the_link_is_shown_once_and_only_its_hash_is_kept(client: Client, team: Team, owner: User) -> None:
    client.force_login(owner)
    page = client.post(reverse("invite", args=[team.slug]), {"role": "editor"}).content.decode()
    link = page.split('<pre tabindex="0">', 1)[1].split("</pre>", 1)[0]
    secret = link.rstrip("/").rsplit("/", 1)[1]
    assert secret not in Invitation.objects.get().secret_hash
    assert secret not in client.get(reverse("team_detail", args=[team.slug])).content.decode()
    assert people.find_invitation(secret) == Invitation.objects.get()


def test_a_new_person_makes_an_account_and_is_in(client: Client, team: Team, owner: User) -> None:
    path = invite(team, owner)
    assert b"Join Blue" in client.get(path).content
    assert client.post(path, ACCOUNT).status_code == 302
    membership = Membership.objects.get(user__username="nina")
    assert (membership.team, membership.role) == (team, Role.EDITOR)
    assert client.get(reverse("team_detail", args=[team.slug])).status_code == 200


def test_somebody_with_an_account_joins_by_one_button(client: Client, team: Team, owner: User) -> None:
    bob = make_user("bob", make_team("Red"))
    path = invite(team, owner)
    assert f"{reverse('login')}?next={path}".encode() in client.get(path).content
    client.force_login(bob)
    assert b"Join as bob" in client.get(path).content
    assert client.post(path).status_code == 302
    assert client.get(reverse("team_current"))["Location"] == reverse("team_detail", args=[team.slug])


def test_a_link_works_once(client: Client, team: Team, owner: User) -> None:
    path = invite(team, owner)
    client.post(path, ACCOUNT)
    second = Client()
    answer = second.post(path, {**ACCOUNT, "username": "other"})
    assert answer.status_code == 404
    assert b"used already" in answer.content
    assert not User.objects.filter(username="other").exists()


def test_a_link_lost_to_somebody_else_makes_no_account(team: Team, owner: User) -> None:
    path = invite(team, owner)
    secret = path.rstrip("/").rsplit("/", 1)[1]
    people.accept(secret=secret, user=make_user("bob"))
    with pytest.raises(WrongState):
        people.accept_as_new(secret=secret, username="late", email="", password="a good long one 7")
    assert not User.objects.filter(username="late").exists()


def test_an_expired_link_says_so(client: Client, team: Team, owner: User) -> None:
    path = invite(team, owner)
    Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    answer = client.get(path)
    assert answer.status_code == 404
    assert b"It has expired" in answer.content
    assert client.post(path, ACCOUNT).status_code == 404


def test_a_wrong_link_is_404(client: Client) -> None:
    assert client.get(reverse("invitation_accept", args=["nothing"])).status_code == 404


def test_a_member_keeps_the_invitation_unused(client: Client, team: Team, owner: User) -> None:
    path = invite(team, owner)
    client.force_login(make_user("mia", team))
    answer = client.post(path)
    assert b"already a member" in answer.content
    assert Invitation.objects.get().accepted_at is None


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"password": "short", "password_again": "short"}, "too short"),
        ({"password_again": "something else"}, "two passwords differ"),
        ({"username": "olga"}, "already exists"),
        ({"username": "a b/c"}, "Enter a valid username"),
    ],
)
def test_what_is_wrong_with_a_new_account_is_said_and_the_link_stays_good(
    client: Client, team: Team, owner: User, change: dict[str, str], said: str
) -> None:
    path = invite(team, owner)
    answer = client.post(path, {**ACCOUNT, **change})
    assert answer.status_code == 200
    assert said in answer.content.decode()
    assert people.is_open(Invitation.objects.get())


def test_only_owners_invite(client: Client, team: Team, owner: User) -> None:
    where = reverse("invite", args=[team.slug])
    client.force_login(make_user("stranger"))
    assert client.post(where, {"role": "owner"}).status_code == 404
    client.force_login(make_user("ed", team, Role.EDITOR))
    assert client.post(where, {"role": "owner"}).status_code == 403
    with pytest.raises(NotAllowed):
        people.invite(team=team, role=Role.OWNER, by=User.objects.get(username="ed"))
    assert not Invitation.objects.exists()


def test_an_unknown_role_is_said_on_the_page(client: Client, team: Team, owner: User) -> None:
    client.force_login(owner)
    assert client.post(reverse("invite", args=[team.slug]), {"role": "god"}).status_code == 422


def test_a_withdrawn_invitation_is_gone(client: Client, team: Team, owner: User) -> None:
    path = invite(team, owner)
    client.force_login(owner)
    where = reverse("invitation_withdraw", args=[team.slug, Invitation.objects.get().pk])
    client.post(where)
    assert Client().get(path).status_code == 404
    assert client.post(where).status_code == 404


def test_an_accepted_invitation_cannot_be_withdrawn(team: Team, owner: User) -> None:
    invitation, path = people.invite(team=team, role=Role.VIEWER, by=owner)
    people.accept(secret=path.rstrip("/").rsplit("/", 1)[1], user=make_user("bob"))
    with pytest.raises(WrongState):
        people.withdraw(invitation=invitation, by=owner)


def test_it_is_mailed_where_a_mail_server_is_set(client: Client, team: Team, owner: User, settings: Settings) -> None:
    client.force_login(owner)
    fields = {"role": "viewer", "email": "nina@example.test"}
    client.post(reverse("invite", args=[team.slug]), fields)
    assert not mail.outbox
    settings.EMAIL_IS_CONFIGURED = True
    page = client.post(reverse("invite", args=[team.slug]), fields)
    assert b"Mailed to nina@example.test" in page.content
    assert f"{settings.PUBLIC_URL}/invitations/" in mail.outbox[0].body


def test_a_refusing_mail_server_leaves_the_link_to_copy(
    client: Client, team: Team, owner: User, settings: Settings
) -> None:
    settings.EMAIL_IS_CONFIGURED = True
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    client.force_login(owner)
    page = client.post(reverse("invite", args=[team.slug]), {"role": "viewer", "email": "nina@example.test"})
    assert b"No mail was sent" in page.content
    assert b"/invitations/" in page.content
