"""map, crawl and call on the practice site, in this process, with a real Chromium."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from pytest_django import Settings

from agentify_site.runtime.running import Running
from examples.practice.server import PracticeSite
from recipes_app.models import AuditEntry, Call, Job, Proposal, Recipe, Site
from recipes_app.models.job import JobStatus
from tests.commands.conftest import Agentify, Ended

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.fixture
def registry(practice: PracticeSite, folder: Path) -> Path:
    tool = {
        "name": "read_lamp",
        "description": "The heading of a product's page.",
        "parameters": {"type": "object", "properties": {"product": {"type": "string"}}, "required": ["product"]},
        "side_effect": "read",
        "steps": [
            {"op": "goto", "url": f"{practice.url}/products/{{{{product}}}}"},
            {
                "op": "extract",
                "target": {"role": "heading", "name": "Desk Lamp Arc"},
                "key": "title",
                "timeout_ms": 500,
            },
        ],
    }
    file = folder / "shop.tools.json"
    content = {"format": 2, "site": "shop", "base_url": f"{practice.url}/", "mapped_at": "2026-01-01T00:00:00Z"}
    file.write_text(json.dumps({**content, "tools": [tool]}))
    return file


def call(agentify: Agentify, *how: str, product: str = "desk-lamp-arc") -> Ended:
    return agentify("call", "--tool", "read_lamp", "--args", json.dumps({"product": product}), "--json", *how)


def test_a_tool_of_a_file_runs_without_a_row(agentify: Agentify, registry: Path) -> None:
    ended = call(agentify, "--file", str(registry), "--allow-private")
    assert ended.status == 0
    assert ended.data["data"] == {"title": "Desk Lamp Arc"}
    assert ended.data["llm_calls"] == 0
    assert not Site.objects.exists()
    assert not Job.objects.exists()


def test_a_failed_call_is_json_too_and_exits_1(agentify: Agentify, registry: Path) -> None:
    ended = call(agentify, "--file", str(registry), "--allow-private", product="brass-stapler")
    assert ended.status == 1
    assert (ended.data["ok"], ended.data["failed_step"]) == (False, "steps[0]")
    assert "read_lamp failed: " in ended.lines[-1]


def test_a_tool_of_the_database_is_called_and_its_private_address_allowed_once(
    agentify: Agentify, registry: Path
) -> None:
    agentify("import", str(registry), "--accept", "a test")
    refused = call(agentify, "--site", "shop")
    assert (refused.status, Call.objects.count()) == (2, 0)
    ended = call(agentify, "--site", "shop", "--allow-private")
    assert (ended.status, ended.data["data"]) == (0, {"title": "Desk Lamp Arc"})
    assert AuditEntry.objects.filter(action="site.private_opened").count() == 1
    again = call(agentify, "--site", "shop")
    assert (again.status, again.data["recipe_version"]) == (0, 1)
    made = Call.objects.select_related("job").first()
    assert made is not None
    assert (made.via, made.job.status) == ("cli", JobStatus.DONE)
    assert made.job.steps.count() > 0


def test_with_queue_the_command_waits_for_the_workers(agentify: Agentify, registry: Path) -> None:
    agentify("import", str(registry), "--accept", "a test")
    looks: list[str] = []

    def worker(execute: Any, sql: str, *rest: Any) -> Any:
        """Ends the job between two looks, as another process would."""
        if sql.startswith("SELECT") and '"recipes_app_job"."phase"' in sql and "LIMIT 21" in sql:
            looks.append(sql)
            if len(looks) == 3:
                Call.objects.update(result={"ok": True, "data": {"title": "By a worker"}})
                Job.objects.update(status=JobStatus.DONE)
        return execute(sql, *rest)

    with connection.execute_wrapper(worker):
        ended = call(agentify, "--site", "shop", "--allow-private", "--queue")
    assert (ended.status, ended.data["data"]) == (0, {"title": "By a worker"})
    assert "waiting for a worker" in ended.err


def test_crawl_lists_pages_and_writes_nothing(agentify: Agentify, practice: PracticeSite, folder: Path) -> None:
    how = ("--url", practice.url, "--allow-private", "--max-pages", "2", "--max-depth", "1")
    ended = agentify("crawl", *how, "--json", "--elements")
    assert ended.status == 0
    assert len(ended.data["pages"]) == 2
    assert any("link" in line for line in ended.data["pages"][0]["elements"])
    assert f"0  {practice.url}/  " in agentify("crawl", *how).out
    assert not Site.objects.exists()
    assert not Job.objects.exists()
    assert not list(folder.iterdir())


def test_crawl_of_nothing_exits_1(agentify: Agentify, practice: PracticeSite) -> None:
    ended = agentify("crawl", "--url", f"{practice.url}/no-such-page", "--allow-private")
    assert ended.status == 1
    assert "answered HTTP 404" in ended.err


def test_map_asks_records_publishes_and_writes_the_registry(
    agentify: Agentify, practice: PracticeSite, folder: Path
) -> None:
    where = ("--url", f"{practice.url}/products", "--name", "inkwell", "--allow-private", "--max-pages", "1")
    ended = agentify("map", *where, "--json", typed="9999\nsearch\n1\n")
    report = ended.data
    assert ended.status == 0, ended.err
    assert "'9999' is none of" in ended.err
    chosen = report["proposals"][0]
    assert report["tools"] == [chosen]
    assert report["failed"] == {}
    file = folder / "recipes" / "inkwell.tools.json"
    assert report["file"] == str(file)
    assert [tool["name"] for tool in json.loads(file.read_text())["tools"]] == [chosen]
    assert Recipe.objects.get().live_version is not None
    assert Proposal.objects.undecided().count() == len(report["proposals"]) - 1


def test_map_with_nothing_approved_exits_1_and_writes_no_file(
    agentify: Agentify, practice: PracticeSite, folder: Path
) -> None:
    where = ("--url", f"{practice.url}/products", "--allow-private", "--max-pages", "1")
    assert agentify("map", *where, typed="none\n").status == 1
    nobody = agentify("map", *where)
    assert (nobody.status, Site.objects.count()) == (2, 1)
    assert "nobody answered" in nobody.lines[-1]
    assert not list(folder.iterdir())


@pytest.mark.parametrize("runs", [True, False])
def test_map_can_leave_the_decision_to_the_board_where_it_runs(
    agentify: Agentify, practice: PracticeSite, settings: Settings, runs: bool
) -> None:
    settings.GIVEN_URL, settings.PUBLIC_URL = "", "http://127.0.0.1:8003"
    settings.RUNNING = Running(settings.PUBLIC_URL) if runs else None
    words = ("map", f"{practice.url}/products", "--allow-private", "--max-pages", "1", "--board")
    ended = agentify(*words, "--json")
    assert ended.status == 0
    assert ended.data["board"] == f"http://127.0.0.1:8003/mappings/{Job.objects.get().mapping.pk}/board/"
    assert ("./agentify up starts it" in ended.lines[-1]) is not runs
    assert Proposal.objects.undecided().exists()


def test_map_of_a_site_that_does_not_answer_says_why(agentify: Agentify, practice: PracticeSite) -> None:
    ended = agentify("map", "--url", f"{practice.url}/no-such-page", "--allow-private", "--auto-approve")
    assert ended.status == 1
    assert "404" in ended.err
