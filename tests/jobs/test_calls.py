"""Calls as jobs, from the row to the result, in a real browser on the practice site."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pytest_django.fixtures import Settings

from examples.practice.server import PracticeSite
from recipes_app.jobs import running
from recipes_app.jobs.calls import run_call
from recipes_app.models import Call, JobPicture, RecipeVersion, Site, User
from recipes_app.services import calls
from recipes_app.services.steplog import has_written
from tests.jobs.documents import search_products, stuck, subscribe
from tests.jobs.processes import ROOT
from tests.people import make_published

SECRET = "canary-7f3a-secret"


def call(site: Site, document: dict[str, Any], by: User, **arguments: Any) -> Call:
    """Ask for a call and run it."""
    made = calls.request_call(recipe=make_published(site, document, by), arguments=arguments, by=by)
    run_call(made.job.pk)
    return Call.objects.select_related("job").get(pk=made.pk)


def test_a_call_reads_and_says_what_it_did(place: running.Place, site: Site, owner: User) -> None:
    done = call(site, search_products(site.base_url), owner, q="pen")
    assert done.job.status == "done"
    assert done.result is not None
    assert done.result["ok"]
    assert done.result["data"]["heading"]
    assert (done.result["llm_calls"], done.result["recipe_version"]) == (0, 1)
    assert list(done.job.steps.values_list("path", "state")) == [("steps[0]", "did"), ("steps[1]", "did")]


def test_an_address_of_the_sites_own_needs_no_host(place: running.Place, site: Site, owner: User) -> None:
    document = search_products(site.base_url)
    document["steps"][0]["url"] = "/products?q={{q}}"
    assert call(site, document, owner, q="pen").job.status == "done"


def test_a_call_that_writes_writes_once(place: running.Place, site: Site, owner: User, practice: PracticeSite) -> None:
    done = call(site, subscribe(site.base_url), owner, email="a@b.test")
    assert done.result is not None
    assert (done.job.status, done.result["data"]) == ("done", {"said": "Subscribed a@b.test"})
    assert practice.state.submissions == {"POST /newsletter/frame": 1}
    assert set(done.job.steps.filter(may_write=True).values_list("op", "state")) == {("type", "did"), ("click", "did")}
    run_call(done.job.pk)
    assert practice.state.submissions == {"POST /newsletter/frame": 1}


def test_a_tool_that_says_it_reads_and_writes_all_the_same_is_found_out(
    place: running.Place, site: Site, owner: User, practice: PracticeSite
) -> None:
    """Even one whose verification saw nothing: its call is not run again, and carries a warning."""
    done = call(site, subscribe(site.base_url, side_effect="read"), owner, email="a@b.test")
    assert done.result is not None
    assert done.job.status == "done"
    assert "said to only read" in done.result["warnings"][-1]
    sent = done.job.steps.get(may_write=True)
    assert sent.sentence == f"The page sent POST {practice.url}/newsletter/frame"
    assert has_written(done.job)


def test_a_tool_that_is_not_believed_to_read_has_the_life_of_one_that_writes(
    place: running.Place, site: Site, owner: User
) -> None:
    recipe = make_published(site, subscribe(site.base_url, side_effect="read"), owner)
    RecipeVersion.objects.update(verdict={"passed": True, "mode": "accepted", "checks": []})
    recipe.refresh_from_db()
    made = calls.request_call(recipe=recipe, arguments={"email": "a@b.test"}, by=owner)
    run_call(made.job.pk)
    assert set(made.job.steps.filter(may_write=True).values_list("op", "state")) == {("type", "did"), ("click", "did")}


def test_a_failure_names_the_step_and_shows_the_page(
    place: running.Place, site: Site, owner: User, media: Path
) -> None:
    document = search_products(site.base_url)
    document["steps"].insert(1, {"op": "click", "target": {"role": "button", "name": "Fly"}, "timeout_ms": 300})
    failed = call(site, document, owner, q="pen")
    assert failed.job.status == "failed"
    assert failed.result is not None
    for payload in (failed.result, failed.job.error or {}):
        assert (payload["kind"], payload["failed_step"], payload["op"]) == ("missing", "steps[1]", "click")
        picture = JobPicture.objects.get(pk=payload["screenshot"])
    assert (media / str(picture.file)).read_bytes().startswith(b"\x89PNG")
    assert failed.result["ok"] is False
    assert failed.job.traceback == ""


def test_a_call_past_its_deadline_has_a_result_that_says_so(
    place: running.Place, site: Site, owner: User, settings: Settings
) -> None:
    settings.CALL_DEADLINE_S = 2
    late = call(site, stuck(site.base_url), owner)
    assert late.result is not None
    assert (late.job.status, late.result["kind"], late.result["ok"]) == ("failed", "timeout", False)


def test_a_deadline_after_submitting_says_that_the_outcome_is_unknown(
    place: running.Place, site: Site, owner: User, settings: Settings, practice: PracticeSite
) -> None:
    settings.CALL_DEADLINE_S = 3
    late = call(site, subscribe(site.base_url, then_stuck=True), owner, email="a@b.test")
    assert late.result is not None
    assert (late.result["kind"], late.result["outcome"]) == ("timeout", "unknown")
    assert practice.state.submissions == {"POST /newsletter/frame": 1}


def test_a_secret_reaches_the_page_and_no_row(place: running.Place, site: Site, owner: User) -> None:
    document = subscribe(site.base_url)
    document["parameters"]["properties"]["email"]["format"] = "password"
    done = call(site, document, owner, email=f"{SECRET}@b.test")
    assert done.result is not None
    assert done.result["ok"]
    assert done.result["data"]["said"].startswith("Subscribed ")
    rows = [done.arguments, done.result, done.job.error, list(done.job.steps.values())]
    assert SECRET not in repr(rows)
    assert done.sealed_arguments is None


@pytest.mark.slow
def test_what_replays_loads_no_client_of_a_model() -> None:
    program = (
        "import django, sys; django.setup()\n"
        "import recipes_app.jobs.worker, recipes_app.jobs.calls\n"
        "banned = ('openai', 'anthropic', 'recipes_app.llm.', 'recipes_app.mapping', 'recipes_app.pilot')\n"
        # The pages, which the admin brings along, say what models cost and which are set up.
        "told = {'recipes_app.llm.' + name for name in ('base', 'prices', 'connecting', 'errors')}\n"
        "print([name for name in sys.modules if name.startswith(banned) and name not in told])\n"
    )
    environment = {"DJANGO_SETTINGS_MODULE": "agentify_site.settings", "SECRET_KEY": "x", "PATH": ""}
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=environment, check=True, capture_output=True, text=True
    )
    assert run.stdout.strip() == "[]"
