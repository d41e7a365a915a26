"""From a sentence to a draft, or to a discovery first; a person confirms before anything runs."""

from collections.abc import Callable
from typing import Any

import pytest

from evidence_app.jobs import agents
from evidence_app.models import Run
from evidence_app.services import plans, runs
from recipes_app.jobs import running
from recipes_app.llm.base import Answer
from recipes_app.llm.errors import Unavailable
from recipes_app.models import ModelUse, Role, User
from recipes_app.models.job import JobStatus
from recipes_app.services.errors import NotAllowed, WrongState
from tests.browser.site import LittleSite
from tests.evidence.collecting import Moves
from tests.evidence_jobs.test_collecting import SHOT, collect_all
from tests.people import make_site, make_user
from tests.pilot.flying import move

Scripts = Callable[..., Moves]
SPEC: dict[str, Any] = {
    "task_id": "people",
    "goal": "Take down the name.",
    "output_schema": {"name": "string"},
    "required_fields": ["name"],
    "required_artifacts": ["page"],
}


def planned(owner: User, site: LittleSite) -> Run:
    team = owner.memberships.get().team
    make_site(team, owner, base_url=site.url)
    return plans.request_plan(team=team, by=owner, sentence=f"Take down the names at {site.url}")


def run_plan(run: Run) -> None:
    assert run.plan_job is not None
    agents.plan_run(run.plan_job.pk)
    run.refresh_from_db()


def test_a_sentence_becomes_a_draft_that_waits_for_a_person(
    place: running.Place, owner: User, people_site: LittleSite, scripted: Scripts
) -> None:
    run = planned(owner, people_site)
    answer = {"task_spec": SPEC, "samples": [{"sample_id": "ann", "url": f"{people_site.url}/ann"}]}
    scripted(planning=Answer(data=answer))
    run_plan(run)
    assert (run.status, run.samples.get().sample_id) == ("draft", "ann")
    assert (run.population["rows"], run.version and run.version.origin) == (1, "planned")
    assert ModelUse.objects.get().purpose == "planning"
    assert not runs.jobs_of(run).exists()
    scripted(move("screenshot", label="page"), move("done", extracted={"name": "Ann"}))
    runs.confirm(run=run, by=owner)
    collect_all(run)
    assert (run.status, run.samples.get().status) == ("done", "done")
    with pytest.raises(WrongState):
        runs.confirm(run=run, by=owner)


def test_a_discovery_brings_as_many_samples_as_it_found(
    place: running.Place, owner: User, people_site: LittleSite, scripted: Scripts
) -> None:
    people_site.pages["/people"] = "<ul><li><a href=/ann>Ann</a><li><a href=/bo>Bo</a><li><a href=/cy>Cy</a></ul>"
    run = planned(owner, people_site)
    scripted(planning=Answer(data={"task_spec": SPEC, "samples": [], "discovery_url": f"{people_site.url}/people"}))
    run_plan(run)
    assert run.status == "planning"
    assert run.discovery is not None
    items = [{"sample_id": name, "url": f"/{name}"} for name in ("ann", "bo", "cy")]
    scripted(move("screenshot", label="list"), move("done", extracted={"items": items}))
    collect_all(run.discovery)
    run.refresh_from_db()
    assert run.status == "draft", run.error
    assert list(run.samples.values_list("sample_id", "url")) == [
        (n, f"{people_site.url}/{n}") for n in ("ann", "bo", "cy")
    ]
    assert run.population["rows"] == 3


def test_a_discovery_that_finds_the_same_item_twice_fails_by_name(
    place: running.Place, owner: User, people_site: LittleSite, scripted: Scripts
) -> None:
    run = planned(owner, people_site)
    scripted(planning=Answer(data={"task_spec": SPEC, "samples": [], "discovery_url": f"{people_site.url}/ann"}))
    run_plan(run)
    assert run.discovery is not None
    items = [{"sample_id": "Ann", "url": "/ann"}, {"sample_id": "Ann", "url": "/ann"}]
    scripted(SHOT, move("done", extracted={"items": items}))
    collect_all(run.discovery)
    run.refresh_from_db()
    assert run.status == "failed"
    assert "stands there twice" in (run.error or {})["error"]


def test_a_model_that_is_away_ends_the_plan_with_the_reason(
    place: running.Place, owner: User, people_site: LittleSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_args: Any, **_more: Any) -> Any:
        raise Unavailable("The service is away.")

    monkeypatch.setattr("recipes_app.model_wiring.provider_for", away)
    run = planned(owner, people_site)
    run_plan(run)
    assert (run.status, (run.error or {})["error"]) == ("failed", "The service is away.")
    assert run.plan_job is not None
    assert run.plan_job.status == JobStatus.FAILED


def test_a_viewer_plans_nothing(owner: User) -> None:
    team = owner.memberships.get().team
    viewer = make_user("vera", team, Role.VIEWER)
    with pytest.raises(NotAllowed):
        plans.request_plan(team=team, by=viewer, sentence="x")
