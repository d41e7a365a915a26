"""A program with a token, and the tools it calls."""

import json
from typing import Any

import pytest
from django.test import Client

from recipes_app.models import Membership, Role, Site, User
from recipes_app.services import tokens
from tests.people import make_published, make_site, make_team, make_user

BASE = "/api/v1"
SEARCH: dict[str, Any] = {
    "name": "search",
    "description": "Search the shop.",
    "parameters": {
        "type": "object",
        "properties": {"q": {"type": "string"}, "pin": {"type": "string", "format": "password"}},
        "required": ["q"],
    },
    "side_effect": "read",
    "steps": [{"op": "goto", "url": "http://127.0.0.1:1/?q={{q}}"}],
}
ORDER: dict[str, Any] = {**SEARCH, "name": "order", "description": "Order it.", "side_effect": "write"}


class Program:
    """A client with a token."""

    def __init__(self, secret: str) -> None:
        self.client = Client(enforce_csrf_checks=True)
        self.headers = {"Authorization": f"Bearer {secret}"} if secret else {}

    def get(self, path: str) -> Any:
        return self.client.get(BASE + path, headers=self.headers)

    def post(self, path: str, body: object = None, **headers: str) -> Any:
        data = body if isinstance(body, str) else json.dumps(body)
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.client.post(BASE + path, data, content_type="application/json", headers={**self.headers, **names})


@pytest.fixture
def editor() -> User:
    return make_user("ed", make_team(), Role.EDITOR)


@pytest.fixture
def shop(editor: User) -> Site:
    site = make_site(Membership.objects.get(user=editor).team, editor)
    make_published(site, SEARCH, editor)
    make_published(site, ORDER, editor)
    return site


def program(user: User, *scopes: str) -> Program:
    team = Membership.objects.get(user=user).team
    return Program(tokens.make_token(team=team, owner=user, name="script", scopes=scopes or tokens.SCOPES)[1])


@pytest.fixture
def script(shop: Site, editor: User) -> Program:
    return program(editor)
