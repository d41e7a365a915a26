"""Runs of many samples: they hide nothing else; whoever asked is told when a plan is ready; estimates learn."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from evidence_app.models import Attempt, Run
from evidence_app.models.run import RunStatus, SampleStatus
from evidence_app.services import drafts, estimates, plans, runs, specs
from evidence_app.spec.samples import from_items
from recipes_app.models import Job, ModelUse, Notice, User
from recipes_app.models.job import JobKind, JobStatus
from recipes_app.services import dispatch, settling
from recipes_app.views.rail import badges
from tests.evidence_web.conftest import Room

SignIn = Callable[[User], Client]


def test_the_samples_of_a_run_are_one_line_of_the_jobs(room: Room, signed_in: SignIn) -> None:
    run = room.request(*(f"s{at}" for at in range(120)), title="Large review")
    dispatch.open_job(team=room.team, by=room.operator, kind=JobKind.MAP, title="Map the shop", deadline_s=60)
    Job.objects.filter(attempt_at_sample__sample__number__lte=20).update(status=JobStatus.DONE)
    page = signed_in(room.viewer).get(reverse("job_list")).content.decode()
    assert "Map the shop" in page
    assert page.count("Large review") == 2  # its link, and the name of its bar
    assert reverse("run_detail", args=[run.public_id]) in page
    assert "<span>100 queued</span><span>20 done</span>" in page
    each = signed_in(room.viewer).get(reverse("job_list"), {"each": "1", "page": "4"}).content.decode()
    assert "Large review: s7" in each
    assert "Map the shop" not in signed_in(room.viewer).get(reverse("job_list"), {"each": "1"}).content.decode()
    assert "Large review" not in signed_in(room.stranger).get(reverse("job_list")).content.decode()
    assert {badge.place: badge.number for badge in badges(room.team)}["Jobs"] == 1
    home = signed_in(room.viewer).get(reverse("home")).content.decode()
    assert home.count("Large review") == 2


def test_a_list_found_in_part_waits_for_a_person_and_rings_the_bell_until_it_is_settled(room: Room) -> None:
    run = plans.request_discovery(version=room.version, start_url="http://127.0.0.1:1/list", by=room.operator)
    run.refresh_from_db()
    assert run.discovery is not None
    items = [{"sample_id": "ann", "url": "http://127.0.0.1:1/ann"}]
    reasons = [{"code": "stopped", "text": "It ran out of steps."}]
    part = {"status": SampleStatus.PARTIAL, "extracted": {"items": items}, "reasons": reasons}
    Attempt.objects.filter(sample__run=run.discovery).update(**part)
    plans.settle_discovery(run.discovery)
    notice = Notice.objects.get(user=room.operator, read_at=None)
    assert "1 sample. Look it over and confirm it." in notice.text
    assert notice.path == reverse("run_detail", args=[run.public_id])
    run.refresh_from_db()
    assert run.status == RunStatus.DRAFT
    assert run.warnings == ["The discovery: It ran out of steps."]
    drafts.discard(run=run, by=room.operator)
    assert not Notice.objects.filter(read_at=None).exists()


def test_a_plan_that_came_to_nothing_rings_it_too(room: Room) -> None:
    run = plans.request_plan(team=room.team, by=room.operator, sentence="Names at https://people.example/")
    error = {"error": "The model did not answer.", "kind": "model"}
    Job.objects.filter(planned_run=run).update(status=JobStatus.FAILED, error=error)
    settling.settle(Job.objects.get(planned_run=run))
    assert "could not be planned: The model did not answer." in Notice.objects.get(user=room.operator).text
    run.refresh_from_db()
    assert run.status == RunStatus.FAILED


def test_an_estimate_rests_on_what_samples_of_the_task_really_used(room: Room) -> None:
    spec = specs.spec_of(room.version)
    assumed = estimates.of_version(room.version, spec, 10)
    assert "An assumption (this task has not been run): 10 steps" in assumed.in_words
    run: Run = room.request("ann", "bob")
    Attempt.objects.filter(sample__run=run).update(step=4, finished_at=timezone.now())
    for job, answered in zip(runs.jobs_of(run), (300, 500), strict=True):
        columns = {"provider": "openai", "model": "m", "requests": 5, "input_tokens": 10_000, "output_tokens": answered}
        ModelUse.objects.create(job=job, purpose="agent", **columns)
    learned = estimates.of_version(room.version, spec, 10)
    assert learned.tokens == 10 * 10_400
    assert learned.most_tokens == round(10 * 10_400 * spec.max_steps / 4)
    assert learned.basis == "As the last 2 samples of this task used: 4 steps, 10,000 tokens asked and 400 answered."


@pytest.mark.usefixtures("room")
def test_a_draft_that_a_program_made_rings_the_bell_of_its_owner(room: Room) -> None:
    samples = from_items([{"sample_id": "ann", "url": "http://127.0.0.1:1/ann"}])
    run = runs.request_run(version=room.version, samples=samples, by=room.operator, draft=True, via="api")
    assert Notice.objects.filter(user=room.operator, read_at=None).count() == 1
    runs.confirm(run=run, by=room.operator)
    assert not Notice.objects.filter(read_at=None).exists()


def test_a_run_that_would_be_stopped_by_its_budget_is_said_to_be(room: Room, settings: Settings) -> None:
    settings.EVIDENCE_BUDGET_TOKENS = 1_000_000
    spec = specs.spec_of(room.version)
    few, many = (estimates.of_version(room.version, spec, count) for count in (2, 500))
    assert "more than the run may use" not in few.in_words
    assert "more than the run may use, 1,000,000 tokens: it stops there" in many.in_words
    assert "more than" not in estimates.of_version(room.version, spec, 500, budget=10**9).in_words
