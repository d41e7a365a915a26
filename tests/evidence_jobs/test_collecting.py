"""Collecting as a job: rows, files and statuses, with a real browser and a real database."""

import csv
import hashlib
import io
import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from evidence_app.agent.events import Acted, Saved
from evidence_app.jobs import agents
from evidence_app.models import ActionEntry, Artifact, Attempt, Run, RunMemory
from evidence_app.services import artifacts, attempts, output, runs
from evidence_app.spec.samples import from_items
from recipes_app.engine.events import About, Did, Event
from recipes_app.jobs import running
from recipes_app.models import Job, ModelUse, User
from recipes_app.models.job import JobStatus
from recipes_app.services import runs as jobs
from recipes_app.services.errors import LostLease
from tests.browser.site import LittleSite
from tests.evidence.collecting import Moves
from tests.pilot.flying import move

ANN = {"name": "Ann", "title": "Engineer"}
SHOT = move("screenshot", label="person page")
Ask = Callable[..., Run]
Scripts = Callable[..., Moves]


def collect_all(run: Run) -> None:
    """Every waiting job of the run, one after the other, retries included."""
    while job := runs.jobs_of(run).filter(status=JobStatus.QUEUED).order_by("pk").first():
        agents.collect_sample(job.pk)
    run.refresh_from_db()


def test_a_sample_becomes_rows_and_a_folder_of_files(
    place: running.Place, request_people: Ask, scripted: Scripts, evidence_root: Path
) -> None:
    run = request_people("ann")
    scripted(SHOT, move("done", extracted=ANN))
    collect_all(run)
    attempt = Attempt.objects.get()
    assert (run.status, attempt.status, attempt.sample.status) == ("done", "done", "done")
    assert attempt.extracted == ANN
    assert [(row.seq, row.action, row.state) for row in attempt.actions.all()] == [
        (1, "screenshot", "did"),
        (2, "done", "did"),
    ]
    field = attempt.fields.get(path="title")
    assert (field.grounding, field.artifact and field.artifact.kind) == ("text", "screenshot")
    assert field.box
    folder = output.sample_folder(attempt.sample)
    result = json.loads((folder / "result.json").read_text())
    assert (result["status"], result["extracted"], result["usage"]["requests"]) == ("done", ANN, 2)
    for kept in result["artifacts"]:
        assert hashlib.sha256((folder / kept["filename"]).read_bytes()).hexdigest() == kept["sha256"]
    assert (folder / "01_person_page.png").exists()
    assert [entry["action"] for entry in json.loads((folder / "action_log.json").read_text())] == ["screenshot", "done"]


def test_each_capture_has_a_statement_that_names_the_hash_of_each_of_its_files(
    place: running.Place, request_people: Ask, scripted: Scripts
) -> None:
    run = request_people("ann")
    scripted(SHOT, move("done", extracted=ANN))
    collect_all(run)
    statement = Artifact.objects.get(kind="statement")
    with artifacts.blobs().open(statement.sha256) as file:
        said = json.load(file)
    originals = Artifact.objects.filter(derived_from=None).exclude(kind="statement")
    assert {each["sha256"] for each in said["artifacts"]} == set(originals.values_list("sha256", flat=True))
    assert said["sample"] == "ann"


def test_a_run_is_done_when_its_last_sample_is_and_its_table_has_every_sample(
    place: running.Place, request_people: Ask, scripted: Scripts
) -> None:
    run = request_people("ann", "bo")
    for name, title in (("Ann", "Engineer"), ("Bo", "=HYPERLINK(1)")):
        scripted(SHOT, move("done", extracted={"name": name, "title": title}))
        agents.collect_sample(runs.jobs_of(run).filter(status="queued").order_by("pk")[0].pk)
    run.refresh_from_db()
    assert run.status == "done"
    output.write_waiting()
    rows = list(csv.DictReader(io.StringIO((output.folder_of(run) / "combined.csv").read_text())))
    assert [(row["sample_id"], row["status"], row["title"]) for row in rows] == [
        ("ann", "done", "Engineer"),
        ("bo", "needs_review", "'=HYPERLINK(1)"),
    ]
    summary = json.loads((output.folder_of(run) / "run_summary.json").read_text())
    assert (summary["samples"], summary["by_status"]) == (2, {"done": 1, "needs_review": 1})
    log = (output.folder_of(run) / "logs" / f"{run.folder}.log").read_text()
    assert log.count("[ann]") == 2


def test_a_failed_sample_is_tried_again_twice_beside_the_old_attempts(
    place: running.Place, request_people: Ask, scripted: Scripts
) -> None:
    run = request_people("ann")
    scripted(move("fail", note="no access"))
    collect_all(run)
    assert [(each.number, each.cause, each.status) for each in Attempt.objects.all()] == [
        (1, "first", "failed"),
        (2, "retry", "failed"),
        (3, "retry", "failed"),
    ]
    assert (run.status, run.samples.get().status) == ("done", "failed")
    folder = output.sample_folder(run.samples.get())
    assert json.loads((folder / "result.json").read_text())["attempt"] == 3
    assert json.loads((folder / "attempt_1" / "result.json").read_text())["reasons"][0]["text"] == "no access"


def test_samples_that_are_not_done_can_be_resumed(
    place: running.Place, request_people: Ask, scripted: Scripts, owner: User
) -> None:
    run = request_people("ann", retries=0)
    scripted(move("fail", note="no access"))
    collect_all(run)
    assert runs.resume(run=run, by=owner) == 1
    scripted(SHOT, move("done", extracted=ANN))
    collect_all(run)
    assert (run.status, run.samples.get().status) == ("done", "done")


def test_later_samples_learn_from_earlier_ones_of_the_same_run_only(
    place: running.Place, request_people: Ask, scripted: Scripts
) -> None:
    run = request_people("ann", "bo")
    scripted(SHOT, ("extract", {"name": "name", "words": "Ann"}), move("done", extracted=ANN))
    agents.collect_sample(runs.jobs_of(run).order_by("pk")[0].pk)
    assert RunMemory.objects.get().kind == "pattern"
    script = scripted(SHOT, move("done", extracted={"name": "Bo", "title": "Director"}))
    agents.collect_sample(runs.jobs_of(run).order_by("pk")[1].pk)
    assert "Worked (reading): screenshot" in script.requests[0].messages[0].text


class Killed(BaseException):
    """The worker is gone at once: nothing after it is written."""


def killed_after(place: running.Place, kind: type[Event], count: int) -> None:
    seen: list[Event] = []

    def said(event: Event) -> None:
        if isinstance(event, kind):
            seen.append(event)
            if len(seen) == count:
                raise Killed

    place.said = said


def lose(job: Job) -> None:
    """What the sweeper does once the lease of a dead worker has run out."""
    Job.objects.filter(pk=job.pk).update(lease_until=job.created_at)
    jobs.sweep()


@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_killed_worker_loses_nothing_and_asks_nothing_twice(
    place: running.Place, request_people: Ask, scripted: Scripts, count: int
) -> None:
    moves = [
        move("save_progress", extracted={"name": "Ann"}),
        SHOT,
        ("extract", {"name": "t", "words": "Engineer"}),
        move("done", extracted=ANN),
    ]
    run = request_people("ann")
    script = scripted(*moves)
    killed_after(place, Saved, count)
    job = runs.jobs_of(run).get()
    with pytest.raises(Killed):
        agents.collect_sample(job.pk)
    job.refresh_from_db()
    assert job.status == "running"
    lose(job)
    place.said = lambda _event: None
    collect_all(run)
    attempt = Attempt.objects.get()
    assert attempt.status == "done", attempt.reasons
    assert [row.action for row in attempt.actions.all()] == ["save_progress", "screenshot", "extract", "done"]
    assert len([request for request in script.requests if request.purpose == "agent"]) == 4
    assert ActionEntry.objects.filter(state="about").count() == 0


def test_an_action_done_after_the_last_checkpoint_is_not_done_again(
    place: running.Place, request_people: Ask, scripted: Scripts
) -> None:
    run = request_people("ann")
    script = scripted(SHOT, move("done", extracted=ANN))
    killed_after(place, Acted, 1)
    job = runs.jobs_of(run).get()
    with pytest.raises(Killed):
        agents.collect_sample(job.pk)
    lose(job)
    place.said = lambda _event: None
    collect_all(run)
    attempt = Attempt.objects.get()
    assert attempt.status == "done", attempt.reasons
    assert attempt.artifacts.filter(kind="screenshot").count() == 1
    assert len([request for request in script.requests if request.purpose == "agent"]) == 2


def test_cancelling_a_run_ends_what_waits(place: running.Place, request_people: Ask, owner: User) -> None:
    run = request_people("ann", "bo")
    runs.cancel(run=run, by=owner)
    run.refresh_from_db()
    assert run.status == "cancelled"
    assert set(run.samples.values_list("status", flat=True)) == {"cancelled"}


def test_a_budget_that_is_spent_ends_the_run_without_beginning_more(
    place: running.Place, request_people: Ask, scripted: Scripts
) -> None:
    run = request_people("ann", "bo", budget_tokens=1)
    scripted(SHOT, move("done", extracted=ANN))
    collect_all(run)
    assert run.status == "done"
    assert ModelUse.objects.count() <= 2
    assert {reason["code"] for each in Attempt.objects.all() for reason in each.reasons} & {"budget_spent", "stopped"}


def test_what_was_lost_on_the_disk_is_written_again(
    place: running.Place, request_people: Ask, scripted: Scripts
) -> None:
    run = request_people("ann")
    scripted(SHOT, move("done", extracted=ANN))
    collect_all(run)
    Attempt.objects.update(written_at=None)
    output.write_waiting()
    assert Attempt.objects.get().written_at


def test_the_fence_of_a_lost_claim_keeps_its_writes_out(
    place: running.Place, request_people: Ask, scripted: Scripts
) -> None:
    """A worker that comes back after its job was given to another writes nothing."""
    run = request_people("ann")
    job = runs.jobs_of(run).get()
    claim = jobs.claim(job.pk, "old")
    assert claim is not None
    attempt = attempts.begin(claim=claim)
    lose(job)
    event = Saved({"step": 9}, 9, 25, "", "http://x/")
    with pytest.raises(LostLease):
        attempts.save_checkpoint(claim=claim, attempt=attempt, event=event)
    attempt.refresh_from_db()
    assert attempt.checkpoint == {}


def test_thousands_of_samples_are_opened_with_few_statements(
    request_people: Ask, owner: User, django_assert_max_num_queries: Callable[[int], AbstractContextManager[object]]
) -> None:
    version = request_people("ann").version
    assert version is not None
    samples = from_items([{"sample_id": f"s{at}", "url": f"http://127.0.0.1:1/{at}"} for at in range(3000)])
    with django_assert_max_num_queries(200):
        run = runs.request_run(version=version, samples=samples, by=owner)
    assert run.samples.count() == Attempt.objects.filter(sample__run=run).count() == 3000
    assert {job.title for job in runs.jobs_of(run)[:2]} <= {f"people: s{at}" for at in range(3000)}


FORM = "<title>Form</title><h1>Form</h1><form action=/sent><button>Send request</button></form>"


@pytest.mark.parametrize(("kind", "state"), [(About, "failed"), (Did, "did")])
def test_a_click_that_may_have_sent_something_is_not_repeated_and_the_agent_is_told_which_it_was(
    place: running.Place,
    request_people: Ask,
    scripted: Scripts,
    people_site: LittleSite,
    kind: type[Event],
    state: str,
) -> None:
    people_site.pages["/ann"] = FORM
    people_site.pages["/sent"] = people_site.pages["/sent?"] = "<title>Sent</title><p>Ann</p><p>Engineer</p>"
    run = request_people("ann")
    script = scripted(move("click", on="Send request"), SHOT, move("done", extracted=ANN))
    killed_after(place, kind, 1)
    job = runs.jobs_of(run).get()
    with pytest.raises(Killed):
        agents.collect_sample(job.pk)
    lose(job)
    place.said = lambda _event: None
    collect_all(run)
    attempt = Attempt.objects.get()
    log = [(row.seq, row.action, row.state) for row in attempt.actions.all()]
    assert log[:2] == [(1, "click", state), (2, "screenshot", "did")]
    prompt = script.requests[1].messages[0].text
    assert "Send request" in prompt.partition("Done so far")[2].partition("The page now")[0]
    assert ("is not known" in prompt) == (state == "failed")


def test_each_action_has_its_own_tokens(place: running.Place, request_people: Ask, scripted: Scripts) -> None:
    run = request_people("ann")
    scripted(SHOT, SHOT, move("done", extracted=ANN))
    collect_all(run)
    tokens = [row.input_tokens for row in ActionEntry.objects.order_by("seq")]
    used = sum(ModelUse.objects.filter(purpose="agent").values_list("input_tokens", flat=True))
    assert sum(tokens) == used
