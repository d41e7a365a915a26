"""Evidence for programs: tasks written, runs asked for and stopped, what they brought fetched; others see nothing."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evidence_app.models import Artifact, Attempt, Field, Run, TaskSpecVersion
from evidence_app.models.run import RunStatus, SampleStatus
from evidence_app.services import artifacts, plans, runs
from recipes_app.engine.parameters import MASK
from recipes_app.models import Job
from recipes_app.models.job import JobStatus
from tests.api.conftest import BASE, Program, program
from tests.evidence_web.conftest import PLAIN, SPEC, Room

pytestmark = pytest.mark.django_db
ANN = {"sample_id": "ann", "url": "http://127.0.0.1:1/ann", "password": "hunter2-canary"}
BOB = {"sample_id": "bob", "url": "http://127.0.0.1:1/bob"}


def put(who: Program, path: str, body: object) -> Any:
    return who.client.put(BASE + path, body, content_type="application/json", headers=who.headers)


def started(who: Program, *samples: dict[str, str], **more: Any) -> dict[str, Any]:
    answer = who.post("/runs", {"task": "people", "samples": list(samples or (ANN, BOB)), **more})
    assert answer.status_code == 202, answer.json()
    made: dict[str, Any] = answer.json()
    assert answer["Location"] == made["url"] == f"{BASE}/runs/{made['id']}"
    return made


def brought(run_id: str, data: bytes = b"<script>alert(1)</script>") -> Artifact:
    """A saved page and a field of the first sample, as a worker would leave them."""
    attempt = Attempt.objects.get(sample__run__public_id=run_id, sample__number=1)
    blob = artifacts.blobs().put([data])
    row = Artifact.objects.create(
        attempt=attempt, seq=1, kind="download", label="page", name="01_Rückmeldung.html", sha256=blob.sha256,
        size=blob.size, media_type="text/html", source_url="http://127.0.0.1:1/ann",
    )  # fmt: skip
    Field.objects.create(attempt=attempt, path="name", value="Ann", grounding="text", artifact=row, box=[1, 2, 3, 4])
    reasons = [{"code": "inconclusive", "text": "The judgment is inconclusive."}]
    Attempt.objects.filter(pk=attempt.pk).update(
        status=SampleStatus.REVIEW, extracted={"name": "=1+1"}, reasons=reasons, finished_at=timezone.now()
    )
    return row


def test_a_task_is_imported_changed_and_read_back_in_every_version(editors: Program, room: Room) -> None:
    made = editors.post("/tasks", PLAIN)
    assert (made.status_code, made.json()["version"], made.json()["origin"]) == (201, 1, "imported")
    assert editors.post("/tasks", PLAIN).status_code == 200
    changed = put(editors, "/tasks/plain", {**PLAIN, "goal": "Take down the name."})
    assert (changed.status_code, changed.json()["version"]) == (201, 2)
    assert changed["Location"] == f"{BASE}/tasks/plain/versions/2"
    assert editors.get("/tasks/plain").json()["document"]["goal"] == "Take down the name."
    assert editors.get("/tasks/plain/versions/1").json()["document"]["goal"] == PLAIN["goal"]
    assert [each["version"] for each in editors.get("/tasks/plain/versions").json()] == [2, 1]
    first = editors.get("/tasks?limit=1").json()
    assert ([each["task_id"] for each in first["tasks"]], first["next"]) == (["people"], "people")
    rest = editors.get("/tasks?limit=1&cursor=people").json()
    assert (rest["tasks"][0]["task_id"], rest["tasks"][0]["version"], rest["next"]) == ("plain", 2, None)


def test_what_is_wrong_with_a_task_is_said_with_its_path(editors: Program, operators: Program) -> None:
    wrong = editors.post("/tasks", {**PLAIN, "max_steps": "many"})
    assert wrong.status_code == 422
    assert "max_steps" in wrong.json()["error"]
    assert put(editors, "/tasks/plain", PLAIN).status_code == 404
    assert put(editors, "/tasks/people", PLAIN).status_code == 422
    assert operators.post("/tasks", PLAIN).status_code == 403
    assert not TaskSpecVersion.objects.filter(spec__task_id="plain").exists()


def test_a_run_is_started_and_says_its_counts_and_cost(operators: Program, room: Room) -> None:
    made = started(operators, title="Q3", control="CC6.2", budget_usd=1.5)
    assert (made["status"], made["samples"], made["by_status"]) == ("queued", 2, {"queued": 2})
    assert (made["task"], made["task_version"], made["via"], made["control"]) == ("people", 1, "api", "CC6.2")
    assert (made["budget_usd"], made["cost"]["requests"], made["requested_by"]) == (1.5, 0, "otto")
    run = Run.objects.get()
    assert (run.token is not None, run.title, run.population["rows"]) == (True, "Q3", 2)
    assert operators.get(f"/runs/{made['id']}").json() == made
    assert run.public_id in made["page"]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({}, 'expected {"task"'),
        ({"task": "people"}, 'expected {"task"'),
        ({"task": "people", "samples": [ANN], "sentence": "x"}, 'expected {"task"'),
        ({"task": "people", "sentence": "Names, please"}, 'expected {"task"'),
        ({"samples": [ANN]}, 'expected {"task"'),
        ({"task": "people", "samples": [ANN, ANN]}, "'ann' stands there twice; see item 1"),
        ({"task": "people", "samples": [{"url": "http://x.example/"}]}, "item 1"),
        ({"task": "people", "samples": []}, "there is no sample in it"),
        ({"task": "people", "samples": [{**ANN, "password": MASK}]}, "ann: only dots stand in password"),
        ({"task": "people", "samples": [ANN], "retries": 9}, "retries"),
        ({"task": "people", "samples": [ANN], "budget": 9}, "budget is not known here"),
        ({"task": "people", "start_url": "file:///etc/passwd"}, "start_url"),
    ],
)
def test_what_makes_no_sense_starts_nothing(operators: Program, body: object, said: str) -> None:
    answer = operators.post("/runs", body)
    assert (answer.status_code, answer.json()["kind"]) == (422, "bad_arguments")
    assert said in answer.json()["error"]
    assert not Run.objects.exists()


def test_an_unknown_task_or_version_is_404(operators: Program) -> None:
    assert operators.post("/runs", {"task": "nope", "samples": [ANN]}).status_code == 404
    assert operators.post("/runs", {"task": "people", "version": 7, "samples": [ANN]}).status_code == 404


def test_a_draft_waits_until_it_is_confirmed(operators: Program) -> None:
    made = started(operators, draft=True)
    assert (made["status"], Job.objects.count()) == ("draft", 0)
    confirmed = operators.post(f"/runs/{made['id']}/confirm")
    assert (confirmed.status_code, confirmed.json()["status"], Job.objects.count()) == (200, "queued", 2)
    assert operators.post(f"/runs/{made['id']}/confirm").status_code == 409
    other = started(operators, draft=True)
    assert operators.post(f"/runs/{other['id']}/discard").json()["status"] == "cancelled"
    assert operators.post(f"/runs/{other['id']}/confirm").status_code == 409


def test_the_samples_of_a_draft_are_changed_before_it_is_confirmed(operators: Program) -> None:
    made = started(operators, ANN, draft=True)
    path = f"/runs/{made['id']}/samples"
    assert put(operators, path, {"samples": [{**ANN, "password": MASK}, BOB]}).json()["samples"] == 2
    assert operators.get(f"{path}/1").json()["columns"] == {"password": MASK}
    assert "stands there twice" in put(operators, path, {"samples": [BOB, BOB]}).json()["error"]
    operators.post(f"/runs/{made['id']}/confirm")
    assert put(operators, path, {"samples": [BOB]}).status_code == 409


def test_a_sentence_is_planned_and_a_list_page_discovered(operators: Program) -> None:
    planned = operators.post("/runs", {"sentence": "Names of everybody at https://people.example/"})
    assert (planned.status_code, planned.json()["status"], planned.json()["task"]) == (202, "planning", None)
    found = operators.post("/runs", {"task": "people", "start_url": "http://127.0.0.1:1/list"})
    assert (found.status_code, found.json()["status"]) == (202, "planning")
    assert operators.get(f"/runs/{found.json()['discovery']}").json()["samples"] == 1
    assert operators.get(f"/runs/{planned.json()['id']}/combined.csv").status_code == 404


def test_the_same_idempotency_key_begins_one_run(operators: Program, room: Room) -> None:
    body = {"task": "people", "samples": [{"sample_id": "ann", "url": "http://127.0.0.1:1/ann"}]}
    refused = operators.post("/runs", {**body, "samples": []}, Idempotency_Key="q3")
    assert refused.status_code == 422
    first, again = (operators.post("/runs", body, Idempotency_Key="q3") for _ in range(2))
    assert (first.status_code, again.status_code) == (202, 202)
    assert first.json()["id"] == again.json()["id"]
    assert Run.objects.count() == 1
    other = operators.post("/runs", {**body, "title": "Another"}, Idempotency_Key="q3")
    assert (other.status_code, other.json()["kind"]) == (409, "wrong_state")
    assert operators.post("/runs", body, Idempotency_Key="q4").json()["id"] != first.json()["id"]


def test_a_run_is_cancelled_and_taken_up_again(operators: Program) -> None:
    made = started(operators)
    stopped = operators.post(f"/runs/{made['id']}/cancel")
    assert (stopped.status_code, stopped.json()["status"]) == (200, "cancelled")
    assert operators.post(f"/runs/{made['id']}/cancel").status_code == 409
    again = operators.post(f"/runs/{made['id']}/resume").json()
    assert (again["again"], again["status"], again["by_status"]) == (2, "queued", {"queued": 2})
    assert operators.post(f"/runs/{made['id']}/resume").status_code == 409


def test_a_plan_that_is_cancelled_stops_its_job_and_stays_cancelled(
    operators: Program, room: Room, client: Client
) -> None:
    run = plans.request_plan(team=room.team, by=room.operator, sentence="Names at https://people.example/")
    assert run.plan_job is not None
    assert operators.post(f"/runs/{run.public_id}/cancel").json()["status"] == "cancelled"
    run.plan_job.refresh_from_db()
    assert run.plan_job.status == JobStatus.CANCELLED
    run.refresh_from_db()
    assert (run.status, run.error) == (RunStatus.CANCELLED, None)
    client.force_login(room.operator)
    page = client.get(reverse("run_detail", args=[run.public_id])).content.decode()
    assert "Cancelled before it was planned" in page


def test_a_discovery_ends_with_the_run_it_is_for(operators: Program, room: Room) -> None:
    run = plans.request_discovery(version=room.version, start_url="http://127.0.0.1:1/list", by=room.operator)
    run.refresh_from_db()
    runs.cancel(run=run, by=room.operator)
    assert run.discovery is not None
    run.discovery.refresh_from_db()
    assert (run.status, run.discovery.status) == (RunStatus.CANCELLED, RunStatus.CANCELLED)
    assert not Job.objects.filter(status=JobStatus.QUEUED).exists()


def test_runs_are_listed_page_by_page_and_by_status(operators: Program) -> None:
    ids = [started(operators, BOB)["id"] for _ in range(3)]
    operators.post(f"/runs/{ids[0]}/cancel")
    first = operators.get("/runs?limit=2").json()
    assert [each["id"] for each in first["runs"]] == [ids[2], ids[1]]
    assert first["runs"][0]["by_status"] == {"queued": 1}
    rest = operators.get(f"/runs?limit=2&cursor={first['next']}").json()
    assert ([each["id"] for each in rest["runs"]], rest["next"]) == ([ids[0]], None)
    assert [each["id"] for each in operators.get("/runs?status=cancelled").json()["runs"]] == [ids[0]]
    assert operators.get("/runs?status=tired").status_code == 422
    assert len(operators.get("/runs?task=people").json()["runs"]) == 3


def test_samples_show_fields_reasons_and_attempts_and_mask_secrets(operators: Program) -> None:
    made = started(operators)
    row = brought(made["id"])
    listed = operators.get(f"/runs/{made['id']}/samples?limit=1").json()
    assert (listed["samples"][0]["sample_id"], listed["samples"][0]["attempts"], listed["next"]) == ("ann", 1, 1)
    assert operators.get(f"/runs/{made['id']}/samples?cursor=1").json()["samples"][0]["sample_id"] == "bob"
    answer = operators.get(f"/runs/{made['id']}/samples/1")
    assert "hunter2" not in answer.content.decode()
    sample = answer.json()
    assert (sample["columns"], sample["reasons"][0]["code"]) == ({"password": MASK}, "inconclusive")
    tried = sample["tries"][0]
    assert (tried["number"], tried["cause"], tried["status"]) == (1, "first", "needs_review")
    assert (tried["fields"][0]["artifact"], tried["fields"][0]["box"]) == (row.pk, [1, 2, 3, 4])
    assert tried["artifacts"][0]["sha256"] == row.sha256
    assert operators.get(f"/runs/{made['id']}/samples/3").status_code == 404


def test_an_artifact_is_saved_and_never_shown(operators: Program) -> None:
    made = started(operators)
    row = brought(made["id"])
    listed = operators.get(f"/runs/{made['id']}/artifacts").json()["artifacts"]
    assert [(each["id"], each["sample"], each["size"]) for each in listed] == [(row.pk, 1, row.size)]
    answer = operators.client.get(listed[0]["url"], headers=operators.headers)
    data = b"".join(answer.streaming_content)  # type: ignore[attr-defined]
    assert hashlib.sha256(data).hexdigest() == row.sha256 == answer["ETag"].strip('"')
    assert answer["Content-Disposition"].startswith("attachment; filename*=utf-8''01_R%C3%BCckmeldung.html")
    assert (answer["Content-Type"], answer["X-Content-Type-Options"]) == ("text/html", "nosniff")
    assert answer["Content-Security-Policy"] == "default-src 'none'; sandbox"
    Artifact.objects.filter(pk=row.pk).update(removed_at=timezone.now())
    assert "retention" in operators.get(f"/artifacts/{row.pk}").json()["error"]


def test_all_samples_come_as_one_table_without_formulas(operators: Program) -> None:
    made = started(operators)
    brought(made["id"])
    answer = operators.get(f"/runs/{made['id']}/combined.csv")
    assert answer["Content-Disposition"].startswith("attachment; ")
    assert answer.content.decode().splitlines()[1].startswith("ann,needs_review,'=1+1")


def test_another_team_finds_nothing_and_scopes_hold(operators: Program, strangers: Program, room: Room) -> None:
    made = started(operators)
    row = brought(made["id"])
    reads = [
        "/tasks/people", "/tasks/people/versions", "/tasks/people/versions/1", "/tasks/people/estimate",
        *(f"/runs/{made['id']}{rest}" for rest in ("", "/samples", "/samples/1", "/artifacts", "/combined.csv")),
        f"/artifacts/{row.pk}",
    ]  # fmt: skip
    writes = [f"/runs/{made['id']}/{rest}" for rest in ("confirm", "discard", "cancel", "resume")]
    assert {path: strangers.get(path).status_code for path in reads} == dict.fromkeys(reads, 404)
    assert {path: strangers.post(path).status_code for path in writes} == dict.fromkeys(writes, 404)
    assert put(strangers, f"/runs/{made['id']}/samples", {"samples": [ANN]}).status_code == 404
    assert (strangers.get("/runs").json()["runs"], strangers.get("/tasks").json()["tasks"]) == ([], [])
    assert strangers.get(f"/runs?cursor={made['id']}").status_code == 422
    reader = program(room.viewer, "read")
    answers = {path: reader.get(path) for path in reads}
    answers[f"/artifacts/{row.pk}"].close()
    assert {path: answer.status_code for path, answer in answers.items()} == dict.fromkeys(reads, 200)
    assert {path: reader.post(path).status_code for path in writes} == dict.fromkeys(writes, 403)
    assert reader.post("/runs", {"task": "people", "samples": [ANN]}).status_code == 403
    assert {Program("").get(path).status_code for path in reads} == {401}


def test_the_estimate_says_what_it_rests_on(operators: Program) -> None:
    said = operators.get("/tasks/people/estimate?samples=10").json()
    assert said["samples"] == 10
    assert 0 < said["tokens"] <= said["most_tokens"]
    assert operators.get("/tasks/people/estimate?samples=0").status_code == 422


def test_the_document_of_the_api_lists_evidence(operators: Program) -> None:
    paths = operators.get("/openapi.json").json()["paths"]
    assert {"/api/v1/runs/{public_id}/samples/{number}", "/api/v1/artifacts/{number}", "/api/v1/tasks"} <= set(paths)
    assert SPEC["title"] not in str(paths)
