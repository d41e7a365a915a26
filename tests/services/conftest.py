"""A team with one person of each role, a stranger, and a site."""

from dataclasses import dataclass

import pytest

from recipes_app.models import Role, Site, Team, User
from tests.people import make_site, make_team, make_user


@dataclass(frozen=True)
class People:
    team: Team
    owner: User
    editor: User
    operator: User
    reviewer: User
    viewer: User
    stranger: User


@pytest.fixture
def people(db: None) -> People:
    team = make_team("Blue")
    members = {role.value: make_user(role.value, team, role) for role in Role}
    return People(team=team, stranger=make_user("stranger", make_team("Red"), Role.OWNER), **members)


@pytest.fixture
def site(people: People) -> Site:
    return make_site(people.team, people.owner, base_url="https://shop.example.test/")
