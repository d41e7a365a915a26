"""What a run may spend, in tokens and in money: it stops cleanly, and each step, sample and run says what it cost."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from pytest_django.fixtures import Settings

from evidence_app.jobs import agents
from evidence_app.models import Attempt, Run
from evidence_app.services import output, runs
from recipes_app.jobs import running
from recipes_app.models import ModelUse
from recipes_app.models.job import JobStatus
from tests.evidence.collecting import Moves
from tests.evidence_jobs.test_collecting import ANN, SHOT, collect_all
from tests.pilot.flying import move

Ask = Callable[..., Run]
Scripts = Callable[..., Moves]
PRICE = '{"scripted": {"input": 1, "output": 1}, "scripted-fast": {"input": 1, "output": 1}}'


@pytest.mark.parametrize("budget", [{"budget_tokens": 6_000}, {"budget_micros": 6_000}])
def test_a_run_stops_where_its_budget_is_spent_and_nothing_is_tried_again(
    place: running.Place, request_people: Ask, scripted: Scripts, settings: Settings, budget: dict[str, int]
) -> None:
    settings.MODEL_PRICES = PRICE
    run = request_people("ann", "bo", "cy", **budget)
    scripted(SHOT, *[move("save_progress", extracted={"name": "Ann"})] * 20)
    collect_all(run)
    assert run.status == "done"
    spent = sum(use.input_tokens + use.output_tokens for use in ModelUse.objects.all())
    assert 0 < spent <= 6_000
    first, *others = Attempt.objects.order_by("pk")
    assert first.extracted == {"name": "Ann"}
    assert (first.status, first.reasons[0]["code"]) == ("partial_success", "budget_spent")
    assert [(each.status, each.number) for each in others] == [("cancelled", 1), ("cancelled", 1)]


def test_money_that_cannot_be_counted_is_not_spent(
    place: running.Place, request_people: Ask, scripted: Scripts
) -> None:
    run = request_people("ann", budget_micros=1_000_000, retries=0)
    scripted(SHOT, move("done", extracted=ANN))
    collect_all(run)
    attempt = Attempt.objects.get()
    assert attempt.status == "failed"
    assert "MODEL_PRICES" in attempt.reasons[0]["text"]
    assert not ModelUse.objects.exists()


def test_what_another_worker_spends_counts_while_a_sample_is_under_way(
    place: running.Place, request_people: Ask, scripted: Scripts, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = request_people("ann", retries=0)
    scripted(SHOT, *[move("save_progress", extracted={"name": "Ann"})] * 3, move("done", extracted=ANN))
    is_spent = runs.is_spent
    monkeypatch.setattr(runs, "is_spent", lambda each: is_spent(each) or Attempt.objects.filter(step__gte=2).exists())
    agents.collect_sample(runs.jobs_of(run).get().pk)
    attempt = Attempt.objects.get()
    assert (attempt.step, attempt.status, attempt.reasons[0]["code"]) == (2, "partial_success", "budget_spent")
    assert attempt.job.status == JobStatus.DONE


def test_each_step_of_the_log_says_what_it_cost(
    place: running.Place, request_people: Ask, scripted: Scripts, settings: Settings
) -> None:
    settings.MODEL_PRICES = PRICE
    run = request_people("ann")
    scripted(SHOT, move("done", extracted=ANN))
    collect_all(run)
    log = output.action_log_of(Attempt.objects.get())
    for entry in log:
        assert entry["input_tokens"] > 0
        assert entry["usd_at_most"] == pytest.approx((entry["input_tokens"] + entry["output_tokens"]) / 1_000_000)
    folder = output.sample_folder(run.samples.get())
    result = json.loads((folder / "result.json").read_text())
    steps = sum(entry["input_tokens"] for entry in log)
    assert result["usage"]["input_tokens"] >= steps
    assert output.summary_of(run)["usage"]["usd"] == pytest.approx(result["usage"]["usd"])
