"""Calls behind a login: they begin signed in, keep what they leave, and say when the site has signed them out."""

from typing import Any

from examples.practice.server import PracticeSite
from recipes_app.browser.session import BrowserSession, ContextOptions
from recipes_app.browser.states import SavedState
from recipes_app.browser.thread import BrowserThread, Desk
from recipes_app.jobs import running
from recipes_app.jobs.calls import run_call
from recipes_app.models import Call, Session, Site, User
from recipes_app.models.session import NONE
from recipes_app.services import calls, dispatch, sessions
from tests.conftest import loopback_policy
from tests.people import make_published

LEFT = "() => { sessionStorage.setItem('tab', 'one'); localStorage.setItem('kept', 'two'); }"
LOOK = "() => [sessionStorage.getItem('tab'), localStorage.getItem('kept'), document.title]"


def who_am_i(url: str) -> dict[str, Any]:
    return {
        "name": "who_am_i",
        "parameters": {"type": "object", "properties": {}},
        "side_effect": "read",
        "steps": [
            {"op": "goto", "url": f"{url}/account"},
            {"op": "extract", "target": {"css": "p.lead"}, "key": "said", "timeout_ms": 1000},
        ],
    }


def signed_in_state(browser: BrowserThread, url: str) -> SavedState:
    def sign_in(session: BrowserSession) -> SavedState:
        session.goto(f"{url}/login")
        session.page.get_by_label("Username").fill("anna")
        session.page.get_by_label("Password").fill("secret-anna")
        session.page.get_by_role("button", name="Sign in").click()
        session.page.get_by_role("button", name="Sign out").wait_for()
        session.page.evaluate(LEFT)
        return session.state()

    state: SavedState = in_browser(browser, url, sign_in)
    return state


def in_browser(browser: BrowserThread, url: str, work: Any, **more: Any) -> Any:
    def on_desk(desk: Desk) -> Any:
        with desk.session(ContextOptions(policy=loopback_policy(url), **more)) as session:
            return work(session)

    return browser.call(on_desk)


def call_as(site: Site, by: User, chosen: str = "") -> Call:
    recipe = site.recipes.filter(name="who_am_i").first() or make_published(site, who_am_i(site.base_url), by)
    with dispatch.signed_in_as(chosen):
        made = calls.request_call(recipe=recipe, arguments={}, by=by)
    run_call(made.job.pk)
    return Call.objects.select_related("job").get(pk=made.pk)


def how_it_ended(call: Call) -> tuple[str, str]:
    return call.job.status, str((call.job.error or {}).get("kind"))


def test_a_state_comes_back_whole_and_asks_nothing_of_the_site(browser: BrowserThread, practice: PracticeSite) -> None:
    state = signed_in_state(browser, practice.url)
    assert state["session_storage"] == {practice.url: {"tab": "one"}}

    def look(session: BrowserSession) -> Any:
        asked_before = len(session.connections())
        session.goto(f"{practice.url}/account")
        return asked_before, session.page.evaluate(LOOK)

    asked, (tab, kept, title) = in_browser(browser, practice.url, look, state=state)
    assert (asked, tab, kept) == (0, "one", "two")
    assert "Your account" in title
    again: list[SavedState] = []
    in_browser(browser, practice.url, look, state=state, left=again.append)
    assert again == [state]


def test_a_call_begins_signed_in_and_says_when_it_is_so_no_more(
    place: running.Place, site: Site, owner: User, browser: BrowserThread, practice: PracticeSite
) -> None:
    without = call_as(site, owner)
    assert how_it_ended(without) == ("failed", "auth_required")
    kept = sessions.Kept(signed_in_state(browser, practice.url), {}, account_label="anna")
    row = sessions.keep_login(site=site, by=owner, name="", kept=kept)
    done = call_as(site, owner)
    assert done.result is not None
    assert done.result["data"] == {"said": "Signed in as anna"}
    assert call_as(site, owner, NONE).job.status == "failed"
    practice.state.sessions.clear()
    expired = call_as(site, owner)
    assert how_it_ended(expired) == ("failed", "auth_expired")
    assert "The site has signed the session default out" in expired.job.error_text
    row.refresh_from_db()
    assert row.status == "expired"
    assert Session.objects.count() == 1
    sid = kept.state["storage"]["cookies"]
    written = str([expired.result, done.result, list(done.job.steps.values()), expired.job.error])
    assert not any(cookie["value"] in written for cookie in sid if cookie["name"] == "sid")
