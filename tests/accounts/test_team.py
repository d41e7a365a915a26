"""The team page: roles, leaving, switching; and what strangers get."""

import pytest
from django.test import Client
from django.urls import reverse

from recipes_app.models import AuditEntry, Membership, Role, Team, User
from recipes_app.services import people
from recipes_app.services.errors import NotAllowed, WrongState
from tests.people import make_team, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def team() -> Team:
    return make_team()


@pytest.fixture
def owner(team: Team) -> User:
    return make_user("olga", team, Role.OWNER)


def membership_of(user: User) -> Membership:
    return Membership.objects.get(user=user)


def test_nobody_sees_a_team_without_signing_in(client: Client, team: Team) -> None:
    answer = client.get(reverse("team_detail", args=[team.slug]))
    assert answer.status_code == 302
    assert answer["Location"].startswith(reverse("login"))


@pytest.mark.parametrize("role", list(Role))
def test_members_of_every_role_see_the_team_and_only_owners_its_controls(
    client: Client, team: Team, owner: User, role: Role
) -> None:
    client.force_login(make_user("mia", team, role))
    page = client.get(reverse("team_detail", args=[team.slug]))
    assert page.status_code == 200
    assert (b"Make invitation link" in page.content) == (role == Role.OWNER)


def test_strangers_get_404_for_everything(client: Client, team: Team, owner: User) -> None:
    client.force_login(make_user("stranger", make_team("Red"), Role.OWNER))
    pk = membership_of(owner).pk
    assert client.get(reverse("team_detail", args=[team.slug])).status_code == 404
    assert client.get(reverse("token_list", args=[team.slug])).status_code == 404
    assert client.post(reverse("token_new", args=[team.slug])).status_code == 404
    assert client.post(reverse("team_switch"), {"team": team.slug}).status_code == 404
    for name in ("member_role", "member_remove", "member_reset_link"):
        assert client.post(reverse(name, args=[pk]), {"role": "viewer"}).status_code == 404


@pytest.mark.parametrize("role", [Role.VIEWER, Role.REVIEWER, Role.OPERATOR, Role.EDITOR])
def test_team_mates_who_are_no_owners_get_403(client: Client, team: Team, owner: User, role: Role) -> None:
    client.force_login(make_user("mia", team, role))
    pk = membership_of(owner).pk
    for name in ("member_role", "member_remove", "member_reset_link"):
        assert client.post(reverse(name, args=[pk]), {"role": "viewer"}).status_code == 403
    assert membership_of(owner).role == Role.OWNER


def test_a_superuser_acts_as_owner_of_every_team(client: Client, team: Team, owner: User) -> None:
    client.force_login(make_user("root", is_superuser=True))
    assert b"Make invitation link" in client.get(reverse("team_detail", args=[team.slug])).content


def test_an_owner_gives_a_role_and_the_log_says_so(client: Client, team: Team, owner: User) -> None:
    mia = make_user("mia", team)
    client.force_login(owner)
    client.post(reverse("member_role", args=[membership_of(mia).pk]), {"role": "editor"})
    assert membership_of(mia).role == Role.EDITOR
    assert AuditEntry.objects.get(action="role.changed").detail == {"before": "viewer", "after": "editor"}


def test_a_role_that_does_not_exist_changes_nothing(client: Client, team: Team, owner: User) -> None:
    mia = make_user("mia", team)
    client.force_login(owner)
    client.post(reverse("member_role", args=[membership_of(mia).pk]), {"role": "god"})
    assert membership_of(mia).role == Role.VIEWER


def test_two_owners_changing_one_role_at_once_do_not_overwrite_each_other(team: Team, owner: User) -> None:
    seen = membership_of(make_user("mia", team))
    people.change_role(membership=membership_of(seen.user), role=Role.EDITOR, by=owner)
    with pytest.raises(WrongState):
        people.change_role(membership=seen, role=Role.OPERATOR, by=owner)


def test_the_last_owner_can_neither_leave_nor_step_down(client: Client, team: Team, owner: User) -> None:
    client.force_login(owner)
    pk = membership_of(owner).pk
    page = client.post(reverse("member_remove", args=[pk]), follow=True)
    assert b"is the last owner of Blue" in page.content
    page = client.post(reverse("member_role", args=[pk]), {"role": "viewer"}, follow=True)
    assert b"is the last owner of Blue" in page.content
    assert membership_of(owner).role == Role.OWNER


def test_with_a_second_owner_the_first_may_leave_once(client: Client, team: Team, owner: User) -> None:
    make_user("otto", team, Role.OWNER)
    client.force_login(owner)
    where = reverse("member_remove", args=[membership_of(owner).pk])
    assert client.post(where).status_code == 302
    assert client.post(where).status_code == 404
    assert not Membership.objects.filter(user=owner).exists()


def test_a_member_may_leave(client: Client, team: Team, owner: User) -> None:
    mia = make_user("mia", team)
    client.force_login(mia)
    client.post(reverse("member_remove", args=[membership_of(mia).pk]))
    assert not Membership.objects.filter(user=mia).exists()
    assert client.get(reverse("team_current"))["Location"] == reverse("team_new")


def test_making_a_team_makes_one_its_owner(client: Client) -> None:
    nina = make_user("nina")
    client.force_login(nina)
    assert client.get(reverse("team_new")).status_code == 200
    for _ in range(2):
        client.post(reverse("team_new"), {"name": "New"})
    assert [team.slug for team in Team.objects.of(nina)] == ["new-2", "new-3"]
    assert {m.role for m in Membership.objects.filter(user=nina)} == {Role.OWNER}


def test_switching_is_kept_in_the_session_and_ends_with_the_membership(client: Client, team: Team) -> None:
    mia = make_user("mia", team)
    red = make_team("Red")
    Membership.objects.create(team=red, user=mia)
    client.force_login(mia)
    client.post(reverse("team_switch"), {"team": "red"})
    assert client.get(reverse("team_current"))["Location"] == reverse("team_detail", args=["red"])
    Membership.objects.filter(team=red).delete()
    assert client.get(reverse("team_current"))["Location"] == reverse("team_detail", args=["blue"])


def test_switching_never_leads_to_another_site(client: Client, team: Team, owner: User) -> None:
    client.force_login(owner)
    answer = client.post(reverse("team_switch"), {"team": "blue", "next": "//evil.test/"})
    assert answer["Location"] == reverse("home")


def test_an_owner_gets_a_reset_link_to_hand_over(client: Client, team: Team, owner: User) -> None:
    mia = make_user("mia", team)
    client.force_login(owner)
    page = client.post(reverse("member_reset_link", args=[membership_of(mia).pk]))
    assert b"/account/reset/" in page.content


def test_no_owner_takes_over_an_account_that_reaches_further_than_theirs(team: Team, owner: User) -> None:
    elsewhere = make_user("mia", team)
    Membership.objects.create(team=make_team("Red"), user=elsewhere)
    for person in (elsewhere, make_user("root", team, is_superuser=True), make_user("staff", team, is_staff=True)):
        with pytest.raises(NotAllowed):
            people.make_reset_link(user=person, by=owner)
    assert people.make_reset_link(user=elsewhere, by=User.objects.get(username="root"))
