"""The saved logins of a site, as a program sees them."""

import pytest

from recipes_app.models import AuditEntry, Membership, Role, Session, Site, User
from recipes_app.services import sessions
from tests.api.conftest import BASE, Program, program
from tests.people import make_team, make_user

pytestmark = pytest.mark.django_db

COOKIE = "cookie-that-stays-inside"
PATH = "/sites/shop/sessions"


@pytest.fixture
def saved(shop: Site, editor: User) -> Session:
    state = {"cookies": [{"name": "sid", "value": COOKIE}]}
    kept = sessions.Kept(state=state, probe={"url": shop.base_url, "stays": True}, account_label="alice")
    return sessions.keep_login(site=shop, by=editor, name="alice", kept=kept)


def delete(who: Program, path: str) -> int:
    return int(who.client.delete(BASE + path, headers=who.headers).status_code)


def test_they_are_listed_without_what_they_hold(script: Program, saved: Session) -> None:
    answer = script.get(PATH)
    (seen,) = answer.json()
    assert (seen["name"], seen["account"], seen["status"], seen["mode"]) == ("alice", "alice", "valid", "shared")
    assert (seen["signs_in_again"], seen["last_used_at"]) == (False, None)
    assert COOKIE not in answer.content.decode()
    assert "probe" not in seen
    loan = sessions.Loan(saved.pk, saved.name, saved.version, saved.state)
    sessions.note_expired(loan=loan)
    assert script.get(PATH).json()[0]["status"] == "expired"


def test_one_is_forgotten_once(script: Program, saved: Session) -> None:
    assert delete(script, f"{PATH}/alice") == 204
    assert not Session.objects.exists()
    assert AuditEntry.objects.filter(action="session.removed").exists()
    assert delete(script, f"{PATH}/alice") == 404


def test_who_may_not(editor: User, saved: Session) -> None:
    stranger = program(make_user("eve", make_team("others"), Role.OWNER))
    assert (stranger.get(PATH).status_code, delete(stranger, f"{PATH}/alice")) == (404, 404)
    former = make_user("rita", saved.site.team, Role.OPERATOR)
    reviewer = program(former, "read", "manage")
    Membership.objects.filter(user=former).update(role=Role.REVIEWER)
    assert (reviewer.get(PATH).status_code, delete(reviewer, f"{PATH}/alice")) == (200, 403)
    reader = program(editor, "read")
    assert (reader.get(PATH).status_code, delete(reader, f"{PATH}/alice")) == (200, 403)
    assert Session.objects.get() == saved


def test_the_listing_of_the_api_says_so(script: Program) -> None:
    paths = script.get("/openapi.json").json()["paths"]
    assert set(paths[f"{BASE}/sites/{{slug}}/sessions"]) == {"get"}
    assert set(paths[f"{BASE}/sites/{{slug}}/sessions/{{name}}"]) == {"delete"}
