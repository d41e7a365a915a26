"""What each role may do, in one table: by the page that shows it, the address that does it, and the API."""

import json
from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from recipes_app.models import Role, User
from recipes_app.services import recipes
from recipes_app.services.tokens import make_token
from tests.web.conftest import SignIn
from tests.web.scene import Scene
from tests.web.test_tools import add_version

ORDER = (Role.VIEWER, Role.REVIEWER, Role.OPERATOR, Role.EDITOR, Role.OWNER)
PEOPLE = dict(zip(ORDER, ("viewer", "reviewer", "operator", "editor", "owner"), strict=True))


@dataclass(frozen=True)
class Action:
    """`least`: the first role that may. `page` shows `words` to those who may, and to nobody else."""

    least: Role
    url: str
    row: str
    given: dict[str, Any]
    page: str
    words: str


ACTIONS = {
    "call a tool": Action(Role.OPERATOR, "tool_call", "recipe", {"arg-q": "lamp"}, "tool_detail", ">Call</button>"),
    "add a site": Action(
        Role.OPERATOR, "site_new", "", {"base_url": "new.example.org", "method": "rules"}, "site_list", "Map a website"
    ),
    "map a site": Action(
        Role.OPERATOR, "mapping_start", "site", {"max_pages": 1, "max_depth": 0, "method": "rules"},
        "site_detail", "Map again",
    ),
    "verify a version": Action(Role.OPERATOR, "tool_verify", "draft", {}, "tool_versions", "Verify"),
    "decide": Action(Role.EDITOR, "proposal_decide", "mapping", {"action": "reject_all"}, "board", "Reject"),
    "edit a tool": Action(Role.EDITOR, "recipe_edit", "recipe", {"document": "{}"}, "tool_detail", ">Edit</a>"),
    "import tools": Action(Role.EDITOR, "registry_import", "", {"text": "{}"}, "site_list", "Import a registry"),
    "change a site": Action(Role.EDITOR, "site_settings", "site", {"name": ""}, "site_detail", ">Settings</a>"),
    "take a tool out of use": Action(Role.EDITOR, "tool_retire", "recipe", {}, "tool_versions", "Take out of use"),
    "remove a site": Action(Role.OWNER, "site_remove", "site", {"typed": "no"}, "site_settings", "Remove this site"),
}  # fmt: skip


def address(scene: Scene, url_name: str, row: str) -> str:
    rows: dict[str, Any] = {**vars(scene), "draft": scene.recipe.versions.first()}
    return reverse(url_name, args=[rows[row].pk] if row else [])


def page_row(page: str) -> str:
    return {"tool": "recipe", "boar": "mapping"}.get(page[:4], "" if page == "site_list" else "site")


def person(scene: Scene, role: Role) -> User:
    found: User = getattr(scene, PEOPLE[role])
    return found


@pytest.mark.parametrize("role", ORDER)
@pytest.mark.parametrize("name", ACTIONS)
def test_a_role_does_what_the_table_says_and_is_shown_no_more(
    scene: Scene, signed_in: SignIn, name: str, role: Role
) -> None:
    action = ACTIONS[name]
    add_version(scene, "edited", passed=None)
    may = ORDER.index(role) >= ORDER.index(action.least)
    client = signed_in(person(scene, role))
    page = client.get(address(scene, action.page, page_row(action.page)))
    if page.status_code == 200:
        assert (action.words in page.content.decode()) == may
    answer = client.post(address(scene, action.url, action.row), action.given)
    refused = answer.status_code == 403 or "calls no tools" in answer.content.decode()
    assert refused == (not may)


@pytest.mark.parametrize("role", ORDER)
def test_a_token_does_what_its_owner_may(scene: Scene, role: Role) -> None:
    scopes = ["read", "call"] if ORDER.index(role) >= ORDER.index(Role.OPERATOR) else ["read"]
    token, secret = make_token(team=scene.team, owner=person(scene, role), name="t", scopes=scopes)
    token.scopes = ["read", "call"]  # as of a token made before its owner lost the role
    token.save()
    url = f"/api/v1/sites/{scene.site.slug}/tools/{scene.recipe.name}/calls"
    headers = {"Authorization": f"Bearer {secret}"}
    body = json.dumps({"arguments": {"q": "lamp"}})
    answer = Client().post(url, body, content_type="application/json", headers=headers)
    assert answer.status_code == (202 if "call" in scopes else 403)


def test_the_team_page_says_what_the_table_does(scene: Scene, signed_in: SignIn) -> None:
    page = signed_in(scene.viewer).get(reverse("team_detail", args=[scene.team.slug])).content.decode()
    assert "sees everything and signs evidence; maps and calls nothing" in page
    assert "adds and maps websites, verifies versions and calls tools" in page


def test_nothing_a_role_is_shown_leads_to_a_refusal(scene: Scene, signed_in: SignIn) -> None:
    """Every link on the pages of each role opens."""
    recipes.save_version(
        site=scene.site, document=scene.recipe.live_version.document, author=scene.owner, origin="edited"
    )
    pages = ["/", "/sites/", "/tools/", address(scene, "site_detail", "site"), address(scene, "tool_detail", "recipe")]
    for role in ORDER:
        client = signed_in(person(scene, role))
        found = {link for page in pages for link in links(client.get(page).content.decode())}
        wrong = {link for link in found if client.get(link).status_code in (403, 404, 500)}
        assert not wrong, role


def links(page: str) -> set[str]:
    found = {part.split('"', 1)[0].replace("&amp;", "&") for part in page.split('href="')[1:]}
    return {link for link in found if link.startswith("/") and not link.startswith(("/static/", "/admin/"))}
