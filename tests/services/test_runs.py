from datetime import timedelta
from pathlib import Path

import pytest
from django.db import transaction
from django.utils import timezone
from pytest_django.fixtures import Settings

from recipes_app.engine.events import About, Did, Picture, Progress, Sent, StepFailed, Warned
from recipes_app.models import Call, Job, JobPicture, Site
from recipes_app.models.job import JobStatus
from recipes_app.services import calls, runs
from recipes_app.services.errors import LostLease, NotAllowed, WrongState
from recipes_app.services.runs import Claim
from tests.people import make_published
from tests.services.conftest import People
from tests.services.documents import search, sign_up

LATER = timedelta(hours=1)
READ = About("steps[0]", "goto", "Open the shop", may_write=False)
WRITE = About("steps[2]", "click", "Click Sign up", may_write=True)


@pytest.fixture
def job(people: People, site: Site) -> Job:
    recipe = make_published(site, search(), people.owner)
    return calls.request_call(recipe=recipe, arguments={"q": "pens"}, by=people.operator).job


def take(job: Job, worker: str = "one") -> Claim:
    claim = runs.claim(job.pk, worker)
    assert claim is not None
    return claim


def lose(job: Job) -> Job:
    """The worker is gone, and its lease runs out."""
    assert runs.sweep(timezone.now() + LATER) == 1
    job.refresh_from_db()
    return job


def test_of_two_claims_one_wins(job: Job) -> None:
    claim = take(job)
    assert runs.claim(job.pk, "two") is None
    assert (claim.job.worker, claim.job.attempt, claim.fence) == ("one", 1, 1)


def test_a_job_that_was_held_up_to_its_deadline_is_not_run_again(job: Job) -> None:
    started = timezone.now() - timedelta(hours=1)
    take(job).record(READ)
    over = started + timedelta(seconds=job.deadline_s)
    Job.objects.update(started_at=started, lease_until=over + timedelta(seconds=25))
    lost = lose(job)
    assert (lost.status, (lost.error or {})["kind"]) == (JobStatus.FAILED, "timeout")


def test_a_job_lost_before_its_deadline_is_run_again(job: Job) -> None:
    started = timezone.now() - timedelta(hours=1)
    take(job).record(READ)
    over = started + timedelta(seconds=job.deadline_s)
    Job.objects.update(started_at=started, lease_until=over - timedelta(seconds=60))
    assert lose(job).status == JobStatus.QUEUED


def test_a_job_whose_page_sent_something_is_not_run_again_whatever_it_says_of_itself(job: Job) -> None:
    take(job).record(READ)
    claim = Claim(job, 1)
    claim.record(Sent("POST https://shop.example.test/cart"))
    assert lose(job).status == JobStatus.INTERRUPTED


@pytest.mark.parametrize("status", [status for status in JobStatus if status != JobStatus.QUEUED])
def test_only_a_waiting_job_is_claimed(job: Job, status: JobStatus) -> None:
    Job.objects.update(status=status)
    assert runs.claim(job.pk, "one") is None


def test_every_write_of_a_claim_that_was_overtaken_is_refused(job: Job, settings: Settings) -> None:
    old = take(job)
    lose(job)
    new = take(job, "two")
    settings.LEASE_S = 0
    for write in (
        old.renew,
        old.cancelled,
        lambda: old.progress("crawl", 1, 2),
        lambda: old.step(READ),
        lambda: old.picture(Picture("page", b"png")),
        lambda: old.finish(JobStatus.DONE),
        lambda: old.give_back("lost"),
    ):
        with pytest.raises(LostLease):
            write()
    job.refresh_from_db()
    assert (job.status, job.fence, job.worker) == ("running", new.fence, "two")
    assert not job.steps.exists()
    assert not JobPicture.objects.exists()


def test_what_was_written_about_the_subject_is_undone_with_the_lease(job: Job) -> None:
    old = take(job)
    lose(job)
    with pytest.raises(LostLease):
        calls.finish(claim=old, call=job.call, result={"ok": True, "data": {}})
    assert Call.objects.get().result is None


def test_a_lease_is_renewed_when_a_third_of_it_is_over(job: Job, settings: Settings) -> None:
    claim = take(job)
    before = claim.job.lease_until
    claim.renew()
    job.refresh_from_db()
    assert job.lease_until == before
    claim.renewed_at -= timedelta(seconds=settings.LEASE_S / 2)
    claim.renew()
    job.refresh_from_db()
    assert job.lease_until is not None
    assert before is not None
    assert job.lease_until > before


def test_no_lease_outlives_the_deadline_for_long(job: Job, settings: Settings) -> None:
    settings.LEASE_S = 3600
    claim = take(job)
    claim.renewed_at -= LATER
    claim.renew()
    job.refresh_from_db()
    assert job.lease_until is not None
    assert job.started_at is not None
    assert job.lease_until - job.started_at == timedelta(seconds=job.deadline_s + runs.GRACE_S)


def test_a_lost_job_that_only_read_waits_again_until_its_attempts_are_used_up(job: Job) -> None:
    take(job).step(READ)
    assert lose(job).status == "queued"
    take(job, "two").step(READ)
    assert lose(job).status == "interrupted"
    assert "2 times" in job.error_text


def test_a_lost_job_that_was_about_to_write_is_interrupted_with_outcome_unknown(job: Job) -> None:
    claim = take(job)
    claim.step(READ)
    claim.step(Did("steps[0]", "goto", 12))
    claim.step(WRITE)
    assert lose(job).status == "interrupted"
    assert job.error is not None
    assert (job.error["outcome"], job.error["failed_step"]) == ("unknown", "steps[2]")
    assert "Click Sign up" in job.error_text
    assert Call.objects.get().result is not None


def test_a_lost_job_that_has_written_is_not_run_again(job: Job) -> None:
    claim = take(job)
    claim.step(WRITE)
    claim.step(Did("steps[2]", "click", 40, "role"))
    assert lose(job).status == "interrupted"
    assert job.error is not None
    assert job.error["outcome"] == "partly done"


def test_a_lost_job_that_a_person_cancelled_is_cancelled(people: People, job: Job) -> None:
    take(job)
    runs.request_cancel(job=job, by=people.operator)
    assert lose(job).status == "cancelled"


def test_a_job_whose_lease_holds_is_left_alone(job: Job) -> None:
    take(job)
    assert runs.sweep() == 0


def test_a_step_is_one_row_from_about_to_did(job: Job) -> None:
    claim = take(job)
    claim.step(WRITE)
    assert job.steps.get().state == "about"
    claim.step(Did("steps[2]", "click", 40, "role"))
    step = job.steps.get()
    assert (step.state, step.ms, step.matched, step.sentence) == ("did", 40, "role", "Click Sign up")


def test_steps_keep_their_order_over_attempts_and_loops(job: Job) -> None:
    claim = take(job)
    for _ in range(2):
        claim.step(READ)
        claim.step(Did("steps[0]", "goto", 1))
    lose(job)
    again = take(job, "two")
    again.step(READ)
    again.step(Warned("steps[0]", "goto", "was slow"))
    again.step(StepFailed("steps[1]", "type", "missing", "No such field."))
    rows = list(job.steps.values_list("seq", "attempt", "state"))
    assert rows == [(1, 1, "did"), (2, 1, "did"), (3, 2, "warned"), (4, 2, "failed")]


def test_a_picture_is_a_file_with_the_hash_of_its_bytes(job: Job, settings: Settings, tmp_path: Path) -> None:
    settings.STORAGES = {
        **settings.STORAGES,
        "default": {
            "BACKEND": "django.core.files.storage.FileSystemStorage",
            "OPTIONS": {"location": str(tmp_path)},
        },
    }
    claim = take(job)
    picture = claim.picture(Picture("page", b"bytes", "image/png", 3, 4))
    assert picture.sha256 == "277089d91c0bdf4f2e6862ba7e4a07605119431f5d13f726dd352b06f1b206a9"
    assert (tmp_path / str(picture.file)).read_bytes() == b"bytes"
    lose(job)
    with pytest.raises(LostLease):
        claim.picture(Picture("page", b"more"))
    assert len([path for path in tmp_path.rglob("*") if path.is_file()]) == 1


def test_progress_is_visible_in_the_row(job: Job) -> None:
    take(job).record(Progress("crawl", 3, 10, "https://shop.example.test/pens"))
    job.refresh_from_db()
    assert (job.phase, job.done_count, job.total_count) == ("crawl", 3, 10)
    assert job.note.endswith("/pens")


def test_a_waiting_job_is_cancelled_at_once_and_never_claimed(people: People, job: Job) -> None:
    runs.request_cancel(job=job, by=people.operator)
    assert (job.status, job.cancelled_by) == ("cancelled", people.operator)
    assert Call.objects.get().result == {
        "ok": False, "data": {}, "warnings": [], "steps": [], "url": "", "error": "The call was cancelled.",
        "kind": "cancelled", "llm_calls": 0, "recipe_version": 1,
    }  # fmt: skip
    assert runs.claim(job.pk, "one") is None


def test_a_running_job_is_asked_to_stop_once(people: People, job: Job) -> None:
    claim = take(job)
    assert not claim.cancelled()
    runs.request_cancel(job=job, by=people.operator)
    assert claim.cancelled()
    with pytest.raises(WrongState):
        runs.request_cancel(job=job, by=people.owner)


def test_an_ended_job_is_not_cancelled(people: People, job: Job) -> None:
    take(job).finish(JobStatus.DONE)
    with pytest.raises(WrongState):
        runs.request_cancel(job=job, by=people.operator)


def test_a_viewer_cancels_only_what_is_theirs(people: People, job: Job) -> None:
    for person in (people.viewer, people.stranger):
        with pytest.raises(NotAllowed):
            runs.request_cancel(job=job, by=person)
    Job.objects.update(requested_by=people.viewer)
    job.refresh_from_db()
    runs.request_cancel(job=job, by=people.viewer)
    assert job.status == "cancelled"


@pytest.mark.django_db(transaction=True)
def test_an_about_is_committed_when_the_step_returns(people: People, job: Job) -> None:
    claim = take(job)
    claim.step(WRITE)
    assert not transaction.get_connection().in_atomic_block
    assert job.steps.get().state == "about"


def test_a_secret_is_blotted_out_of_steps_and_errors(people: People, site: Site) -> None:
    recipe = make_published(site, sign_up(), people.owner)
    arguments = {"email": "a@b.test", "password": "open-sesame"}
    job = calls.request_call(recipe=recipe, arguments=arguments, by=people.operator).job
    claim = take(job)
    claim.keep_secret(["open-sesame"])
    claim.step(WRITE)
    claim.step(StepFailed("steps[2]", "type", "value_not_kept", "The field holds open-sesam, not open-sesame."))
    claim.finish(JobStatus.FAILED, {"error": "not open-sesame", "kind": "value_not_kept"}, "at open-sesame")
    job.refresh_from_db()
    assert "open-sesame" not in repr([job.steps.get().detail, job.error, job.traceback])
