"""An audit of more than fifty steps, whose worker dies on the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from evidence_app.agent.events import Acted, Decided, Saved
from evidence_app.jobs import agents
from evidence_app.models import Attempt, Run
from evidence_app.services import runs
from examples.practice import office
from examples.practice.server import PracticeSite
from recipes_app.engine.events import Event
from recipes_app.jobs import running
from recipes_app.models import Role
from tests.evidence_audits.auditors import Auditor, walk_the_office
from tests.evidence_audits.conftest import request_audit
from tests.evidence_audits.desk import at_the_desk, prompt_of
from tests.evidence_jobs.test_collecting import Killed, collect_all, killed_after, lose
from tests.jobs.conftest import migrated_file, processes, redis, redis_server
from tests.jobs.processes import Processes, kill_hard, until
from tests.llm_desk import DeskServer, ScriptSource
from tests.people import make_team, make_user

__all__ = ["migrated_file", "processes", "redis", "redis_server"]

LONG_S = 600

LONG: dict[str, Any] = {
    "task_id": "whole_office",
    "goal": "List every issue, every person and every commit, over all pages, and request access once in between.",
    "keywords": ["next page", "send request"],
    "output_schema": {
        "issues": [{"id": "string", "title": "string", "kind": "string", "assignee": "string"}],
        "people": [{"id": "string", "name": "string"}],
        "commits": [{"id": "string", "message": "string", "author": "string"}],
        "request": "string",
    },
    "required_fields": ["issues", "people", "commits", "request"],
    "required_artifacts": ["form"],
    "milestones": ["sent"],
    "max_steps": 60,
    "judgment_required": False,
}


def assert_complete(run: Run, practice: PracticeSite) -> Attempt:
    attempt = Attempt.objects.get(sample__run=run)
    assert attempt.status == "done", attempt.reasons
    found = attempt.extracted
    assert [row["id"] for row in found["issues"]] == [each.key for each in office.ISSUES]
    assert [row["id"] for row in found["people"]] == [each.id for each in office.PEOPLE]
    assert [row["id"] for row in found["commits"]] == [each.sha for each in office.COMMITS]
    assert found["request"] == "AR-1"
    assert practice.state.submissions["access"] == 1
    assert attempt.actions.count() >= 50
    assert set(attempt.actions.values_list("state", flat=True)) == {"did"}
    pictures = Counter(attempt.artifacts.filter(kind="screenshot").values_list("label", flat=True))
    assert {label: count for label, count in pictures.items() if count > 1} == {}
    assert not attempt.fields.filter(grounding="not_found").exists()
    return attempt


@pytest.mark.parametrize(
    ("kind", "count"),
    [
        pytest.param(Acted, 40, id="once the form was sent, before that is in a checkpoint"),
        pytest.param(Saved, 40, id="after a step", marks=pytest.mark.slow),
        pytest.param(Decided, 42, id="before it does what it decided", marks=pytest.mark.slow),
    ],
)
def test_a_worker_that_dies_at_step_forty_leaves_nothing_to_do_twice(
    place: running.Place,
    practice: PracticeSite,
    audit: Callable[..., Run],
    auditor: Callable[..., Auditor],
    kind: type[Event],
    count: int,
) -> None:
    run = audit("issue_list", [{"sample_id": "e1002", "url": "/office/issues"}], spec=LONG)
    asked = auditor(walk_the_office)
    killed_after(place, kind, count)
    job = runs.jobs_of(run).get()
    with pytest.raises(Killed):
        agents.collect_sample(job.pk)
    assert practice.state.submissions["access"] == 1
    lose(job)
    place.said = lambda _event: None
    collect_all(run)
    attempt = assert_complete(run, practice)
    steps = Counter(prompt.step for prompt in asked.prompts)
    assert {step: number for step, number in steps.items() if number > 1} == {}
    assert len(asked.prompts) == attempt.actions.count()
    done = Counter(attempt.actions.values_list("action", flat=True))
    assert (done["type"], done["select_option"], done["check"]) == (3, 1, 1)


@pytest.mark.slow
def test_a_worker_process_killed_after_forty_answers_is_replaced_by_another(
    processes: Processes, practice: PracticeSite
) -> None:
    """Two real workers, one after the other; the model's questions are counted at a desk they both reach."""
    answered: list[int] = []
    reads = at_the_desk(walk_the_office)

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        given = reads(request)
        if "done" in {tool["name"] for tool in request["tools"]}:
            answered.append(prompt_of(request).step)
        return given

    with DeskServer(ScriptSource(answer)) as desk:
        processes.env.update(
            desk.environment(), LLM_PROVIDER="openai", EVIDENCE_ROOT=str(processes.folder / "evidence")
        )
        first = processes.start("worker", "agents")
        person = make_user("olga", make_team("Blue"), Role.OWNER)
        run = request_audit(
            person, practice, "issue_list", [{"sample_id": "e1002", "url": "/office/issues"}], spec=LONG
        )
        until(lambda: len(answered) >= 40, processes, patience_s=LONG_S)
        kill_hard(first)
        processes.start("upkeep")
        processes.start("worker", "agents")
        until(lambda: Attempt.objects.get().finished_at, processes, patience_s=LONG_S)
    attempt = assert_complete(run, practice)
    twice = {step: number for step, number in Counter(answered).items() if number > 1}
    # The answer that was on its way when the worker died was never heard.
    assert set(twice) <= {answered[39]}, twice
    assert attempt.job.attempt == 2
