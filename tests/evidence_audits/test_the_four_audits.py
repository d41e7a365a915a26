"""The four audit tasks of the back office, whole, each against what is true of it."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Callable, Iterable
from datetime import date
from typing import Any

import pytest

from evidence_app.models import Attempt, Run
from evidence_app.services import output
from examples.practice import office
from examples.practice.server import PracticeSite
from recipes_app.jobs import running
from tests.evidence_audits.auditors import Auditor, list_issues, look_up_person, request_access, review_commit
from tests.evidence_jobs.test_collecting import collect_all

Audits = Callable[..., Run]
Auditors = Callable[..., Auditor]
COMMITS = [office.COMMITS[at] for at in (0, 4, 5, 6, 11, 13, 16, 18)]
PEOPLE = [office.PEOPLE[at] for at in (0, 3, 8, 11, 23)]


def results(run: Run) -> dict[str, dict[str, Any]]:
    """What stands in each sample's result.json."""
    found = {}
    for sample in run.samples.all():
        found[sample.sample_id] = json.loads((output.sample_folder(sample) / "result.json").read_text())
    return found


def table(run: Run) -> list[dict[str, str]]:
    output.write_waiting()
    return list(csv.DictReader(io.StringIO((output.folder_of(run) / "combined.csv").read_text())))


def labels(result: dict[str, Any], kind: str = "screenshot") -> list[str]:
    return [each["label"] for each in result["artifacts"] if each["kind"] == kind]


def assert_shown(run: Run) -> None:
    """Every value was found where it stands, and its box lies on the picture it is shown on."""
    for attempt in Attempt.objects.filter(sample__run=run):
        for field in attempt.fields.select_related("artifact"):
            if field.value in (None, "", True, False):
                continue
            assert field.grounding == "text", (field.path, field.value, field.grounding)
            assert field.artifact is not None, field.path
            left, top, width, height = field.box or [-1, -1, 0, 0]
            assert left >= 0, field.path
            assert top >= 0, field.path
            assert 0 < width < field.artifact.width - left, field.path
            assert 0 < height < min(200, field.artifact.height - top), field.path


def assert_files_are_whole(run: Run) -> None:
    for sample in run.samples.all():
        folder = output.sample_folder(sample)
        kept = results(run)[sample.sample_id]["artifacts"]
        assert kept
        for each in kept:
            assert hashlib.sha256((folder / each["filename"]).read_bytes()).hexdigest() == each["sha256"]


def statuses(run: Run) -> set[str]:
    return set(Attempt.objects.filter(sample__run=run).values_list("status", flat=True))


def test_commits_are_judged_by_who_else_approved_them(place: running.Place, audit: Audits, auditor: Auditors) -> None:
    run = audit("commit_review", [{"sample_id": each.sha, "url": f"/office/code/{each.sha}"} for each in COMMITS])
    auditor(review_commit)
    collect_all(run)
    assert statuses(run) == {"done"}
    found = results(run)
    for commit in COMMITS:
        result = found[commit.sha]
        assert result["extracted"] == {
            "sha": commit.sha,
            "author": commit.author,
            "date": commit.when.isoformat(),
            "reviewers": list(commit.reviewers),
            "checks": commit.checks,
        }
        assert result["judgment"]["answer"] == ("yes" if commit.reviewed_by_another else "no")
        assert labels(result) == ["commit_page"]
    assert {each["judgment"]["answer"] for each in found.values()} == {"yes", "no"}
    assert_shown(run)
    assert_files_are_whole(run)
    rows = {row["sample_id"]: row for row in table(run)}
    assert json.loads(rows[COMMITS[1].sha]["judgment"])["answer"] == "no"


def test_a_list_over_two_pages_becomes_a_table_with_a_picture_of_each(
    place: running.Place, audit: Audits, auditor: Auditors
) -> None:
    run = audit("issue_list", [{"sample_id": "open", "url": "/office/issues?status=open"}])
    auditor(list_issues)
    collect_all(run)
    result = results(run)["open"]
    assert result["status"] == "done", result["reasons"]
    wanted = [
        {"id": each.key, "title": each.title, "kind": each.kind, "assignee": each.assignee}
        for each in office.ISSUES
        if each.status == "open"
    ]
    assert len(wanted) == 19
    assert result["extracted"]["issues"] == wanted
    assert labels(result) == ["page_1", "page_2"]
    assert json.loads(table(run)[0]["issues"]) == wanted
    pages = {each["path"]: each["artifact"] for each in result["fields"] if each["path"].endswith("].id")}
    assert pages["issues[0].id"] == "01_page_1.png"
    assert pages["issues[18].id"] == "02_page_2.png"
    assert_shown(run)
    assert_files_are_whole(run)


def test_names_become_whole_records_with_null_where_there_is_nothing(
    place: running.Place, audit: Audits, auditor: Auditors
) -> None:
    items = [{"sample_id": each.id, "url": f"/office/people/{each.id}", "name": each.name} for each in PEOPLE]
    run = audit("names_enrichment", items)
    auditor(look_up_person)
    collect_all(run)
    assert statuses(run) == {"done"}
    found = results(run)
    for person in PEOPLE:
        assert found[person.id]["extracted"] == {
            "name": person.name,
            "title": person.title,
            "team": person.team,
            "manager": person.manager,
            "email": person.email,
            "last_day": _iso(person.left),
            "account_disabled": _iso(person.disabled),
        }
        assert labels(found[person.id]) == ["person_page"]
    assert {person.disabled is None for person in PEOPLE if person.left} == {True, False}
    assert_shown(run)
    assert_files_are_whole(run)
    assert [row["sample_id"] for row in table(run)] == [person.id for person in PEOPLE]


@pytest.mark.parametrize("people", [["e1002", "e1017"]])
def test_a_form_is_filled_in_and_sent_once_and_its_receipt_is_kept(
    place: running.Place, practice: PracticeSite, audit: Audits, auditor: Auditors, people: list[str]
) -> None:
    run = audit("access_request", [{"sample_id": each, "url": "/office/access/new"} for each in people])
    auditor(request_access)
    collect_all(run)
    assert statuses(run) == {"done"}
    assert practice.state.submissions["access"] == len(people)
    reason = {"system": "ledger", "level": "read", "until": "2026-06-30", "reason": "quarterly review"}
    assert practice.state.access == [{"person": each, **reason} for each in people]
    for number, result in enumerate(results(run).values(), 1):
        assert result["extracted"] == {"request": f"AR-{number}", "state": "received"}
        assert labels(result)[-1] == "confirmation"
        assert labels(result, "download") == ["receipt"]
        wanted = f"request,person,system,level,until\nAR-{number},{people[number - 1]},ledger,read,2026-06-30\n"
        assert _bytes_of(run, result, "download") == [wanted.encode()]
    assert_shown(run)
    assert_files_are_whole(run)


def _bytes_of(run: Run, result: dict[str, Any], kind: str) -> Iterable[bytes]:
    folder = output.sample_folder(run.samples.get(sample_id=result["sample_id"]))
    return [(folder / each["filename"]).read_bytes() for each in result["artifacts"] if each["kind"] == kind]


def _iso(day: date | None) -> str | None:
    return day.isoformat() if day else None
