"""One rule for private addresses, whichever command wants to go there."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError, connection
from pytest_django import Settings

from recipes_app.management.plain import Refused
from recipes_app.management.reach import allow_passing, open_private, passing_site, private_entry
from recipes_app.models import Role, Site
from recipes_app.services.sites import policy_of
from tests.commands.conftest import Agentify
from tests.people import make_site, make_team, make_user

pytestmark = pytest.mark.django_db
PRACTICE = "http://127.0.0.1:8765/products"


@pytest.fixture
def running(settings: Settings) -> None:
    settings.PRACTICE_RUNS, settings.PRACTICE_PORT = True, 8765


def nobody(_: str) -> str:
    raise AssertionError("nobody is asked")


def test_the_practice_shop_that_runs_may_be_reached_without_asking(running: None) -> None:
    site = passing_site(PRACTICE, "")
    allow_passing(site, allowed=False, ask=nobody)
    assert "127.0.0.1:8765" in policy_of(site)[1]
    assert private_entry(PRACTICE) is None


def test_nothing_else_on_this_machine_may(running: None) -> None:
    for url in ("http://127.0.0.1:8766/", "https://127.0.0.1:8765/", "http://10.0.0.5:8765/"):
        with pytest.raises(Refused, match="is a private address"):
            allow_passing(passing_site(url, ""), allowed=False, ask=nobody)


def test_nor_the_practice_shop_while_it_does_not_run(settings: Settings) -> None:
    settings.PRACTICE_RUNS, settings.PRACTICE_PORT = False, 8765
    assert private_entry(PRACTICE) == "127.0.0.1:8765"


def test_what_the_known_site_of_that_address_may_a_run_without_a_row_may_too() -> None:
    olga = make_user("olga", make_team(), Role.OWNER)
    site = make_site(olga.memberships.get().team, olga, "http://127.0.0.1:9/")
    allow_passing(passing_site("http://127.0.0.1:9/deep/page", ""), allowed=False, ask=nobody)
    make_user("mia", make_team("Red"), Role.OWNER)
    with pytest.raises(Refused):
        allow_passing(passing_site("http://127.0.0.1:9/", "mia"), allowed=False, ask=nobody)
    Site.objects.filter(pk=site.pk).update(private_hosts=[])
    with pytest.raises(Refused):
        allow_passing(passing_site("http://127.0.0.1:9/", ""), allowed=False, ask=nobody)


def test_the_flag_allows_it_for_this_run_only() -> None:
    site = passing_site("http://127.0.0.1:9/", "")
    allow_passing(site, allowed=True, ask=nobody)
    assert policy_of(site)[1][-1] == "127.0.0.1:9"
    assert not Site.objects.exists()


def test_without_a_database_the_file_alone_decides() -> None:
    def away(execute: Any, sql: str, *rest: Any) -> Any:
        raise OperationalError("no such table: recipes_app_site")

    with connection.execute_wrapper(away):
        assert passing_site("http://127.0.0.1:9/", "").private_hosts == []


@pytest.mark.parametrize("command", [("crawl",), ("call", "look", "--file", "x.json"), ("map",)])
def test_every_command_says_the_same_of_an_address_it_may_not_reach(
    agentify: Agentify, folder: Path, command: tuple[str, ...]
) -> None:
    tool = {"name": "look", "description": "Look.", "parameters": {"type": "object", "properties": {}}}
    steps = [{"op": "goto", "url": "http://127.0.0.1:9/"}]
    content = {"format": 2, "site": "x", "base_url": "http://127.0.0.1:9/", "mapped_at": "2026-01-01T00:00:00Z"}
    (folder / "x.json").write_text(json.dumps({**content, "tools": [{**tool, "side_effect": "read", "steps": steps}]}))
    ended = agentify(*command, *(() if command[0] == "call" else ("http://127.0.0.1:9/",)))
    assert (ended.status, len(ended.lines)) == (2, 1)
    assert "127.0.0.1:9 is a private address, which runs do not reach. If it is yours, add --allow-private" in ended.err


def test_a_practice_shop_that_had_to_move_is_said_where_its_tools_are_called(running: None) -> None:
    olga = make_user("olga", make_team(), Role.OWNER)
    site = make_site(olga.memberships.get().team, olga, "http://127.0.0.1:8764/")
    site.is_demo, site.private_hosts = True, []
    with pytest.raises(Refused, match=r"the practice shop does not run at 127\.0\.0\.1:8764: end what holds that port"):
        open_private(site, olga, allowed=False, ask=nobody)
