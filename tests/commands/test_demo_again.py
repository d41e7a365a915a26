"""A second demo, and reset: what people did is never thrown away unasked."""

import io
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from agentify_site import demo as demo_module
from agentify_site.leftovers import FINISHED, find_leftovers
from agentify_site.management import start
from agentify_site.management.commands import demo as command
from recipes_app.models import AuditEntry, Job, Role, Site, Team, User
from recipes_app.services import audit, calls, removal, sites
from tests.commands.conftest import Agentify, Ended
from tests.people import PASSWORD, make_published, make_team, make_user

pytestmark = pytest.mark.django_db
LOOK: dict[str, Any] = {
    "name": "look",
    "description": "Look.",
    "parameters": {"type": "object", "properties": {}},
    "side_effect": "read",
    "steps": [{"op": "goto", "url": "http://127.0.0.1:8700/"}],
}


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def admin() -> User:
    user = make_user("admin", make_team("Demo"), Role.OWNER)
    User.objects.filter(pk=user.pk).update(email=f"admin@{removal.DEMO_DOMAIN}")
    user.refresh_from_db()
    return user


@pytest.fixture
def site(admin: User) -> Site:
    """As a demo that has ended leaves it."""
    site = sites.create_site(
        team=Team.objects.get(), by=admin, base_url="http://127.0.0.1:8700/", name="Practice shop", is_demo=True
    )
    calls.request_call(recipe=make_published(site, LOOK, admin), arguments={}, by=admin, via="demo")
    audit.record(site.team, admin, FINISHED, "site practice")
    return site


@pytest.fixture
def launched(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The plans that would have been started, once the command had prepared."""
    plans: list[Any] = []

    def launch(plan: Any, *, prepare: Any, announce: Any) -> int:
        prepare()
        plans.append(plan)
        return 0

    monkeypatch.setattr(command, "launch", launch)
    return plans


def at_a_terminal(monkeypatch: pytest.MonkeyPatch, agentify: Agentify, *words: str, typed: str) -> Ended:
    monkeypatch.setattr("io.StringIO", Terminal)
    return agentify(*words, typed=typed)


def work_on(site: Site, admin: User) -> None:
    calls.request_call(recipe=site.recipes.get(), arguments={}, by=admin, via="page")
    sites.update_site(site=site, by=admin, name="My shop")


def test_what_the_demo_itself_did_is_nobodys_work(site: Site) -> None:
    found = find_leftovers()
    assert found is not None
    assert not found.of_people
    assert "1 tool" in str(found)


def test_nor_is_what_a_demo_did_that_was_cut_off(site: Site) -> None:
    AuditEntry.objects.filter(action=FINISHED).delete()
    assert find_leftovers().of_people is False


def test_what_people_did_since_is_counted(site: Site, admin: User) -> None:
    work_on(site, admin)
    assert str(find_leftovers()).endswith("since then 1 decision and 1 run by people")


def test_what_nobody_worked_in_is_replaced_without_a_word(agentify: Agentify, site: Site, launched: list[Any]) -> None:
    assert agentify("demo", "--once").status == 0
    assert launched[0].errand[-3:] == ("run_demo", "--fresh", "--once")


def test_without_a_terminal_people_s_work_stops_the_demo_in_one_line(
    agentify: Agentify, site: Site, admin: User, launched: list[Any]
) -> None:
    work_on(site, admin)
    for words in (["demo"], ["demo", "--once"], ["demo", "--new-passwords"]):
        ended = agentify(*words)
        assert (ended.status, ended.out, len(ended.lines)) == (2, "", 1)
        assert "people have worked in it" in ended.err
        assert "./agentify demo --fresh replaces it." in ended.err
    assert launched == []
    assert agentify("demo", "--fresh").status == 0
    assert launched[0].errand[-2:] == ("run_demo", "--fresh")


@pytest.mark.parametrize(("answer", "status"), [("", 2), ("\n", 2), ("no\n", 2), ("yes\n", 0)])
def test_at_a_terminal_it_says_what_would_go_and_asks(
    agentify: Agentify,
    monkeypatch: pytest.MonkeyPatch,
    site: Site,
    admin: User,
    launched: list[Any],
    answer: str,
    status: int,
) -> None:
    work_on(site, admin)
    ended = at_a_terminal(monkeypatch, agentify, "demo", typed=answer)
    assert "This would be removed: the site My shop of Demo with 1 tool" in ended.err
    assert (ended.status, len(launched)) == (status, 1 - status // 2)


def test_the_part_that_runs_once_all_is_up_does_not_do_it_unasked_either(
    agentify: Agentify, site: Site, admin: User
) -> None:
    work_on(site, admin)
    ended = agentify("run_demo")
    assert (ended.status, Site.objects.count()) == (2, 1)
    assert "--fresh replaces it" in ended.err


def test_an_account_keeps_its_password_unless_new_ones_are_wanted(admin: User) -> None:
    kept = demo_module.make_account("admin", Role.OWNER)
    assert (kept.user, kept.password) == (admin, "")
    assert User.objects.get().check_password(PASSWORD)
    new = demo_module.make_account("admin", Role.OWNER, new_password=True)
    assert new.user.check_password(new.password)
    assert not User.objects.get().check_password(PASSWORD)


def test_an_account_that_was_switched_off_gets_a_new_one(admin: User) -> None:
    User.objects.update(is_active=False)
    assert demo_module.make_account("admin", Role.OWNER).password


def test_the_demo_is_removed_but_for_its_accounts(site: Site, admin: User) -> None:
    assert removal.remove_demo(accounts=False) == 1
    assert (Site.objects.count(), Team.objects.count(), User.objects.get()) == (0, 0, admin)


@pytest.mark.parametrize("words", [["--site", "127-0-0-1"], [], ["--everything"]])
def test_reset_says_what_it_would_remove_though_nobody_can_be_asked(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, tmp_path: Path, site: Site, words: list[str]
) -> None:
    settings.VAR_DIR = tmp_path
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    Site.objects.update(slug="127-0-0-1")
    err = io.StringIO()
    with pytest.raises(CommandError, match="Nothing was removed, as nobody can be asked here: --yes") as refusal:
        call_command("reset", *words, stderr=err)
    assert refusal.value.returncode == 2
    assert err.getvalue().startswith("agentify: to be removed: the ")
    assert "1 tool" in err.getvalue()
    assert "1 call" in err.getvalue()
    assert Site.objects.exists()


def test_reset_at_a_terminal_asks_after_saying_it(
    agentify: Agentify, monkeypatch: pytest.MonkeyPatch, site: Site
) -> None:
    Job.objects.update(status="done")
    ended = at_a_terminal(monkeypatch, agentify, "reset", "--site", site.slug, typed="yes\n")
    assert ended.status == 0
    assert "Remove it? [yes/NO] " in ended.err
    assert not Site.objects.exists()
    assert sys.stdin.isatty()


def test_a_practice_shop_that_has_to_move_is_said(
    admin: User, site: Site, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(start, "is_free", lambda port: port != 8700)
    monkeypatch.setattr(start, "first_free", lambda _first: 8701)
    assert command.Command().practice_port() == 8701
    assert "port 8700 is taken: the practice shop is at 8701, and tools" in capfd.readouterr().err


def test_a_table_of_dry_runs_keeps_its_columns(capsys: pytest.CaptureFixture[str]) -> None:
    dry = "yes (dry run)"
    demo_module.print_table([demo_module.Row("close", "destructive", dry, dry, "yes", "yes")], asked=0)
    head, row = (line for line in capsys.readouterr().out.splitlines() if "  " in line)
    assert head.index("verified") == row.rindex(dry)
    assert head.index("published") == row.index("yes  ")
