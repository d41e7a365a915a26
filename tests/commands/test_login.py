"""Signing in at the terminal, on the practice site, and calling what lies behind it."""

import logging
from collections.abc import Callable
from pathlib import Path

import pytest
from django.db import connection
from pytest_django import Settings

from examples.practice.server import PracticeSite
from recipes_app.browser.session import BrowserSession
from recipes_app.mapping.facts import PageSurvey
from recipes_app.mapping.propose.login import login_draft
from recipes_app.mapping.survey import survey_page
from recipes_app.models import Job, Mapping, Proposal, Role, Session, Site
from recipes_app.models.job import JobKind, JobStatus
from recipes_app.services import proposals
from tests.commands.conftest import Agentify
from tests.jobs.documents import subscribe
from tests.people import make_published, make_site, make_team, make_user

PASSWORD = "secret-anna"


@pytest.fixture
def site(
    transactional_db: None,
    practice: PracticeSite,
    settings: Settings,
    tmp_path: Path,
    browse: Callable[..., PageSurvey],
) -> Site:
    """With the sign-in form as the rules propose it."""
    settings.VAR_DIR = tmp_path / "var"
    team = make_team()
    owner = make_user("olga", team, Role.OWNER)
    site = make_site(team, owner, base_url=practice.url)
    job = Job.objects.create(
        team=team, kind=JobKind.MAP, title="Map", queue="agents", requested_by=owner, status=JobStatus.DONE
    )
    mapping = Mapping.objects.create(job=job, site=site, start_url=practice.url)

    def look(session: BrowserSession) -> PageSurvey:
        session.goto(f"{practice.url}/login")
        return survey_page(session.page, picture=False)

    draft = login_draft([browse(look, url=practice.url)])
    assert draft is not None
    proposals.save_drafts(mapping=mapping, drafts=[{**draft.as_dict(), "box": None}])
    account = {
        "name": "who_am_i",
        "parameters": {"type": "object", "properties": {}},
        "side_effect": "read",
        "steps": [
            {"op": "goto", "url": f"{practice.url}/account"},
            {"op": "extract", "target": {"css": "p.lead"}, "key": "said", "timeout_ms": 1000},
        ],
    }
    make_published(site, account, owner)
    return site


def rows_as_they_lie() -> str:
    """Every table of ours, sealed values as they are sealed."""
    with connection.cursor() as cursor:
        names = [name for name in connection.introspection.table_names(cursor) if name.startswith("recipes_app_")]
        texts = []
        for name in names:
            cursor.execute(f"SELECT * FROM {name}")
            texts.append(str(cursor.fetchall()))
        return "".join(texts)


def test_a_person_signs_in_once_and_what_was_typed_is_nowhere(
    agentify: Agentify, site: Site, practice: PracticeSite, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    refused = agentify("login", "shop", typed="anna\nwrong-canary-pw\n")
    assert refused.status == 1
    assert "Wrong username or password" in refused.err
    assert not Session.objects.exists()
    done = agentify("login", "shop", "--json", typed=f"anna\n{PASSWORD}\n")
    assert done.status == 0, done.err
    assert done.data["account"] == "anna"
    assert done.data["probe"] == {
        "url": f"{practice.url}/account", "signs_out": "Log out", "account": "anna", "stays": True,
        "asks_nothing": True,
    }  # fmt: skip
    called = agentify("call", "shop", "who_am_i")
    assert called.data["data"] == {"said": "Signed in as anna"}
    assert agentify("call", "shop", "who_am_i", "--no-session").status == 1
    assert "no session third" in agentify("call", "shop", "who_am_i", "--session", "third").err
    tokens = list(practice.state.sessions)
    practice.state.sessions.clear()
    expired = agentify("call", "shop", "who_am_i")
    assert expired.data["kind"] == "auth_expired"
    assert "./agentify login shop" in expired.data["error"]
    everywhere = [rows_as_they_lie(), caplog.text, *(each.out + each.err for each in (refused, done, called, expired))]
    everywhere += [file.read_bytes().decode("latin-1") for file in tmp_path.rglob("*") if file.is_file()]
    assert "anna" in everywhere[0]
    assert len(tokens) == 1
    for secret in (PASSWORD, "wrong-canary-pw", *tokens):
        assert not [text[:80] for text in everywhere if secret in text]


def test_with_the_password_in_the_vault_a_call_signs_in_again_by_itself(
    agentify: Agentify, site: Site, practice: PracticeSite
) -> None:
    for field, value in (("username", "anna"), ("password", PASSWORD)):
        assert agentify("vault", "put", f"vault:shop/anna#{field}", typed=f"{value}\n").status == 0
    done = agentify("login", "shop", "--session", "anna", "--vault", "shop/anna", "--exclusive")
    assert done.status == 0, done.err
    row = Session.objects.get()
    assert (row.name, row.vault_path, row.mode, row.account_label) == ("anna", "shop/anna", "exclusive", "anna")
    assert PASSWORD not in str(row.login)
    practice.state.sessions.clear()
    again = agentify("call", "shop", "who_am_i", "--session", "anna")
    assert again.data["data"] == {"said": "Signed in as anna"}
    row.refresh_from_db()
    assert (row.version, row.status) == (2, "valid")  # the same cookie, which now lasts longer
    assert PASSWORD not in rows_as_they_lie() + again.out + again.err
    assert agentify("call", "shop", "who_am_i", "--session", "anna").status == 0
    assert len(practice.state.sessions) == 1
    agentify("vault", "remove", "vault:shop/anna#password")
    practice.state.sessions.clear()
    lost = agentify("call", "shop", "who_am_i", "--session", "anna")
    assert lost.data["kind"] == "auth_expired"
    assert "Signing in again did not work: vault:shop/anna has no field password" in lost.data["error"]
    assert "no such secret" in agentify("login", "shop", "--vault", "shop/bob").err


def test_a_page_that_lacks_something_for_strangers_is_signed_in_to_again(
    agentify: Agentify, site: Site, practice: PracticeSite
) -> None:
    """No password is asked for there: only the page that the login was proven by says that nobody is signed in."""
    for field, value in (("username", "anna"), ("password", PASSWORD)):
        agentify("vault", "put", f"vault:shop/anna#{field}", typed=f"{value}\n")
    assert agentify("login", "shop", "--vault", "shop/anna").status == 0
    leave = {"op": "extract", "target": {"role": "link", "name": "Log out"}, "key": "said", "timeout_ms": 800}
    tool = {
        "name": "who_is_greeted",
        "parameters": {"type": "object", "properties": {}},
        "side_effect": "read",
        "steps": [{"op": "goto", "url": f"{practice.url}/contact"}, leave],
    }
    make_published(site, tool, site.created_by)
    first = agentify("call", "shop", "who_is_greeted")
    assert first.status == 0, first.err
    practice.state.sessions.clear()
    again = agentify("call", "shop", "who_is_greeted")
    assert again.data["data"] == first.data["data"]
    assert len(practice.state.sessions) == 1


def test_what_was_sent_already_is_not_sent_again(agentify: Agentify, site: Site, practice: PracticeSite) -> None:
    for field, value in (("username", "anna"), ("password", PASSWORD)):
        agentify("vault", "put", f"vault:shop/anna#{field}", typed=f"{value}\n")
    assert agentify("login", "shop", "--vault", "shop/anna").status == 0
    writes, reads = subscribe(practice.url), site.recipes.get().versions.get().document
    make_published(site, {**writes, "steps": [*writes["steps"], *reads["steps"]]}, site.created_by)
    practice.state.sessions.clear()
    ended = agentify("call", "shop", "subscribe", "--args", '{"email": "a@b.test"}')
    assert ended.data["kind"] == "auth_expired"
    assert practice.state.submissions == {"POST /login": 1, "POST /newsletter/frame": 1}


def test_where_nobody_can_be_asked_or_no_form_is_known_it_says_what_to_do(agentify: Agentify, site: Site) -> None:
    nobody = agentify("login", "shop")
    assert nobody.status == 2
    assert "--vault PATH" in nobody.err
    Proposal.objects.all().delete()
    unknown = agentify("login", "shop", typed="anna\n")
    assert unknown.status == 2
    assert "--manual" in unknown.err
