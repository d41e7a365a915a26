"""Who acts, in which team, on which site."""

import sys

import pytest
from django.core.management import load_command_class

from recipes_app.management.acting import find_site, find_team, find_user
from recipes_app.management.plain import Refused
from recipes_app.models import Membership, Role, Team, User
from tests.people import make_site, make_team, make_user

pytestmark = pytest.mark.django_db


def test_the_named_user_acts() -> None:
    make_user("root", is_superuser=True)
    mia = make_user("mia")
    assert find_user("mia") == mia
    with pytest.raises(Refused, match="there is no user nobody"):
        find_user("nobody")


def test_an_inactive_user_does_not_act() -> None:
    make_user("gone", is_active=False)
    with pytest.raises(Refused):
        find_user("gone")


def test_otherwise_the_only_superuser_acts_then_the_first_owner() -> None:
    olga = make_user("olga", make_team(), Role.OWNER)
    make_user("otto", Team.objects.get(), Role.OWNER)
    assert find_user("") == olga
    root = make_user("root", is_superuser=True)
    assert find_user("") == root
    make_user("root2", is_superuser=True)
    assert find_user("") == olga


def test_on_an_empty_installation_local_acts_in_a_team_of_its_own() -> None:
    user = find_user("")
    assert (user.username, user.has_usable_password()) == ("local", False)
    team = find_team(user, "")
    assert (team.slug, Membership.objects.get().role) == ("local", Role.OWNER)
    assert (find_user(""), find_team(user, "")) == (user, team)
    assert (User.objects.count(), Team.objects.count()) == (1, 1)


def test_a_team_is_found_only_among_ones_own() -> None:
    make_team("Red")
    mia = make_user("mia", make_team(), Role.OWNER)
    assert find_team(mia, "blue").name == "Blue"
    with pytest.raises(Refused, match=r"there is no team red; known: blue\."):
        find_team(mia, "red")


def test_a_site_is_found_in_whichever_of_ones_teams_has_it() -> None:
    olga = make_user("olga", make_team(), Role.OWNER)
    red = make_team("Red")
    site = make_site(red, olga)
    with pytest.raises(Refused, match="there is no site shop"):
        find_site(olga, "shop", "")
    Membership.objects.create(team=red, user=olga)
    assert find_site(olga, "shop", "") == site
    make_site(Team.objects.get(slug="blue"), olga)
    with pytest.raises(Refused, match="several teams have a site shop"):
        find_site(olga, "shop", "")
    assert find_site(olga, "shop", "red") == site


@pytest.mark.parametrize("slug", ["../../evil", "", "a/b", "-x", "a b", "a\nb", "x" * 61])
def test_a_slug_is_never_a_path(slug: str) -> None:
    with pytest.raises(Refused, match="is no name of a site"):
        find_site(make_user("olga", make_team(), Role.OWNER), slug, "")


def test_a_refusal_that_lacks_a_team_gives_the_whole_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    blue = make_team()
    olga = make_user("olga", blue, Role.OWNER)
    red = make_team("Red")
    Membership.objects.create(team=red, user=olga)
    for team in (blue, red):
        make_site(team, olga)
    monkeypatch.setattr(sys, "argv", ["./agentify", "list", "shop"])
    with pytest.raises(SystemExit) as end:
        load_command_class("recipes_app", "list").run_from_argv(["./agentify", "list", "shop", "--as", "olga"])
    assert end.value.code == 2
    assert "So: ./agentify list shop --team blue" in capsys.readouterr().err
