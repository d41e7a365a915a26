"""What an agent did is done again from its log alone: no model is asked, whatever the log is of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from evidence_app.models import Run
from evidence_app.services import output
from examples.practice import office
from examples.practice.server import PracticeSite
from recipes_app import model_wiring
from recipes_app.jobs import running
from tests.commands.conftest import Agentify, Ended, agentify, folder
from tests.evidence_audits.auditors import Auditor, list_issues, look_up_person, request_access, review_commit
from tests.evidence_jobs.test_collecting import collect_all

__all__ = ["agentify", "folder"]

Replays = Callable[..., Ended]


@pytest.fixture
def replay(
    place: running.Place,
    audit: Callable[..., Run],
    auditor: Callable[..., Auditor],
    agentify: Agentify,
    monkeypatch: pytest.MonkeyPatch,
) -> Replays:
    """`replay(task, url, reads, "--yes")`: collected once with an auditor, then its log run by the command."""

    def no_model(*_args: Any, **_more: Any) -> Any:
        raise AssertionError("a model was asked for")

    def run(task: str, url: str, reads: Any, *arguments: str, sample: str = "s1") -> Ended:
        made = audit(task, [{"sample_id": sample, "url": url, "name": "as the list has it"}])
        auditor(reads)
        collect_all(made)
        log = output.sample_folder(made.samples.get()) / "action_log.json"
        monkeypatch.setattr(model_wiring, "provider_for", no_model)
        # The browser of this process is in use by the test; the command starts its own.
        return agentify("replay_log", str(log), "--allow-private", "--json", *arguments)

    return run


def ops(ended: Ended) -> list[str]:
    return [step["op"] for step in ended.data["steps"]]


def test_the_log_of_a_commit_review(replay: Replays) -> None:
    commit = office.COMMITS[0]
    ended = replay("commit_review", f"/office/code/{commit.sha}", review_commit)
    assert ended.status == 0, ended.err
    assert ended.data["llm_calls"] == 0
    assert ended.data["url"].endswith(commit.sha)
    assert ops(ended) == ["goto", "screenshot"]


def test_the_log_of_a_list_over_two_pages(replay: Replays) -> None:
    ended = replay("issue_list", "/office/issues?status=open", list_issues)
    assert ended.status == 0, ended.err
    assert ops(ended) == ["goto", "screenshot", "click", "screenshot"]
    assert ended.data["url"].endswith("status=open&page=2")


def test_the_log_of_a_person_looked_up(replay: Replays) -> None:
    ended = replay("names_enrichment", "/office/people/e1003", look_up_person)
    assert ended.status == 0, ended.err
    assert ops(ended) == ["goto", "screenshot"]


def test_the_log_of_a_form_is_sent_again_only_when_that_is_wanted(replay: Replays, practice: PracticeSite) -> None:
    refused = replay("access_request", "/office/access/new", request_access, sample="e1002")
    assert refused.status != 0
    assert "--yes" in refused.err
    assert practice.state.submissions["access"] == 1


def test_the_log_of_a_form_sends_it_a_second_time(replay: Replays, practice: PracticeSite) -> None:
    ended = replay("access_request", "/office/access/new", request_access, "--yes", sample="e1002")
    assert ended.status == 0, ended.err
    assert practice.state.submissions["access"] == 2
    assert practice.state.access[0] == practice.state.access[1]
    assert ended.data["data"]["receipt"]["name"] == "AR-2.csv"
