"""The audits with the services' real clients: answered at a desk, from cassettes, and by a service that misbehaves."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from pytest_django import Settings

from evidence_app.models import Attempt, Run
from examples.practice import office
from examples.practice.server import PracticeSite
from recipes_app.jobs import running
from recipes_app.models import ModelUse
from tests.desks import DeskFaults, DeskReplay
from tests.evidence_audits.auditors import Reads, list_issues, look_up_person, request_access, review_commit
from tests.evidence_audits.desk import MASKS, at_the_desk
from tests.evidence_jobs.test_collecting import collect_all

Audits = Callable[..., Run]
PERSON, COMMIT = office.PEOPLE[3], office.COMMITS[6]
TASKS: dict[str, tuple[Reads, dict[str, Any]]] = {
    "commit_review": (review_commit, {"sample_id": COMMIT.sha, "url": f"/office/code/{COMMIT.sha}"}),
    "issue_list": (list_issues, {"sample_id": "open", "url": "/office/issues?status=open"}),
    "names_enrichment": (
        look_up_person,
        {"sample_id": PERSON.id, "url": f"/office/people/{PERSON.id}", "name": PERSON.name},
    ),
    "access_request": (request_access, {"sample_id": "e1002", "url": "/office/access/new"}),
}
OPEN = [each.key for each in office.ISSUES if each.status == "open"]


def all_four(audit: Audits) -> dict[str, Attempt]:
    found = {}
    for task, (_, item) in TASKS.items():
        run = audit(task, [item], retries=0)
        collect_all(run)
        found[task] = Attempt.objects.get(sample__run=run)
    return found


def assert_true(found: dict[str, Attempt], practice: PracticeSite) -> None:
    assert {task: each.status for task, each in found.items()} == dict.fromkeys(TASKS, "done")
    assert [row["id"] for row in found["issue_list"].extracted["issues"]] == OPEN
    assert (found["commit_review"].judgment or {})["answer"] == "no"
    assert found["names_enrichment"].extracted["last_day"] == str(PERSON.left)
    assert found["access_request"].extracted == {"request": "AR-1", "state": "received"}
    assert practice.state.submissions["access"] == 1


@pytest.mark.parametrize("service", ["openai", "anthropic"])
def test_the_four_audits_from_answers_that_were_written_from_the_questions_alone(
    place: running.Place,
    practice: PracticeSite,
    audit: Audits,
    desk_replay: DeskReplay,
    settings: Settings,
    service: str,
) -> None:
    settings.LLM_PROVIDER = service
    desk = desk_replay(f"audits_{service}", masks=MASKS, loose=True)
    found = all_four(audit)
    assert_true(found, practice)
    report = desk.report()
    assert report["unused"] == []
    assert sum(ModelUse.objects.values_list("requests", flat=True)) == report["answered"]
    assert set(ModelUse.objects.values_list("provider", flat=True)) == {service}


FAULTS = "2:429=0.1,4:500,6:reset,8:empty,10:unknown_tool,12:wrong_type,14:truncated,16:cut,18:max_tokens,20:529"


@pytest.mark.parametrize("task", ["issue_list", "access_request"])
def test_a_service_that_misbehaves_costs_requests_and_no_evidence(
    place: running.Place, practice: PracticeSite, audit: Audits, desk_faults: DeskFaults, task: str
) -> None:
    reads, item = TASKS[task]
    desk = desk_faults(FAULTS, at_the_desk(reads))
    run = audit(task, [item], retries=0)
    collect_all(run)
    attempt = Attempt.objects.get()
    assert attempt.status == "done", attempt.reasons
    assert len(desk.report()["faults"]) >= 5
    if task == "access_request":
        assert practice.state.submissions["access"] == 1
    else:
        assert [row["id"] for row in attempt.extracted["issues"]] == OPEN
    assert json.dumps(attempt.reasons) == "[]"
