"""What becomes of a job's row, whatever happens to its work. The work is real, in a real browser."""

import threading
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django.fixtures import Settings
from rq.timeouts import JobTimeoutException

from recipes_app import wiring
from recipes_app.browser import thread
from recipes_app.browser.api import Page
from recipes_app.browser.chromium import Chromium
from recipes_app.browser.thread import BrowserThread, Desk
from recipes_app.engine.errors import StepFailure
from recipes_app.engine.events import About, Did, Progress
from recipes_app.jobs import running, worker
from recipes_app.models import Job, Site, User
from recipes_app.models.job import JobStatus
from recipes_app.services import runs
from recipes_app.services.errors import WrongState
from recipes_app.services.runs import Claim

NewJob = Callable[..., Job]
ENDLESS = "() => { while (true) {} }"


def driving(work: Callable[[Desk], object]) -> Callable[[Claim], None]:
    """A body that does this work and is done."""

    def body(claim: Claim) -> None:
        running.drive(claim, work)
        claim.finish(JobStatus.DONE)

    return body


def run(job: Job, body: Callable[[Claim], None]) -> Job:
    running.run(job.pk, body)
    job.refresh_from_db()
    return job


def opening(site: Site, then: Callable[[Desk, Page], object] = lambda _desk, _page: None) -> Callable[[Desk], object]:
    """Work that opens the practice site and goes on from there."""
    options = wiring.context_options(site)

    def work(desk: Desk) -> object:
        with desk.session(options) as session:
            session.goto(site.base_url)
            return then(desk, session.page)

    return work


def test_a_job_that_ends_well_is_done(place: running.Place, new_job: NewJob, site: Site) -> None:
    titles = []

    def body(claim: Claim) -> None:
        titles.append(running.drive(claim, opening(site, lambda _desk, page: page.title())))
        claim.finish(JobStatus.DONE)

    job = run(new_job(), body)
    assert (job.status, job.worker, job.lease_until) == ("done", place.name, None)
    assert titles[0]


def test_a_job_delivered_twice_runs_once(place: running.Place, new_job: NewJob) -> None:
    times = []

    def body(claim: Claim) -> None:
        times.append(1)
        claim.finish(JobStatus.DONE)

    job = new_job()
    run(job, body)
    assert run(job, body).status == "done"
    assert times == [1]


def test_an_about_is_in_the_database_before_the_step_acts(place: running.Place, new_job: NewJob) -> None:
    seen: list[int] = []

    def work(desk: Desk) -> None:
        desk.emit(About("steps[0]", "click", "Click Buy", may_write=True))
        # This thread has no connection of its own: what it may know is what the main thread has said so far.
        seen.append(len(said))
        desk.emit(Did("steps[0]", "click", 5))

    said: list[object] = []
    place.said = said.append
    job = run(new_job(), driving(work))
    assert seen == [1]
    assert job.steps.get().state == "did"


def test_a_bug_is_errored_with_its_traceback_and_the_next_job_runs(
    place: running.Place, new_job: NewJob, site: Site
) -> None:
    def work(_desk: Desk) -> None:
        raise ZeroDivisionError("oops")

    job = run(new_job(), driving(work))
    assert (job.status, (job.error or {})["kind"]) == ("errored", "bug")
    assert "ZeroDivisionError: oops" in job.traceback
    assert "oops" not in job.error_text
    assert run(new_job(), driving(opening(site))).status == "done"


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (StepFailure("missing", "There is no button Buy."), "missing"),
        (WrongState("Used up."), "refused"),
        (running.Failed("No page could be read.", "navigation"), "navigation"),
    ],
)
def test_an_expected_failure_has_one_line_for_a_person(
    place: running.Place, new_job: NewJob, error: Exception, kind: str
) -> None:
    def work(_desk: Desk) -> None:
        raise error

    job = run(new_job(), driving(work))
    assert (job.status, job.error) == ("failed", {"error": str(error), "kind": kind})
    assert job.traceback == ""


def test_an_address_the_site_may_not_reach_is_named(place: running.Place, new_job: NewJob, site: Site) -> None:
    site.private_hosts = []
    job = run(new_job(), driving(opening(site)))
    assert (job.status, (job.error or {})["kind"]) == ("failed", "blocked_by_policy")
    assert "127.0.0.1" in job.error_text


def test_what_a_page_loads_and_may_not_is_in_the_log_once_for_each_host(
    place: running.Place, new_job: NewJob, site: Site
) -> None:
    asked = "Promise.allSettled(['a', 'b'].map((path) => fetch('http://169.254.169.254/' + path)))"
    job = run(new_job(), driving(opening(site, lambda _desk, page: page.evaluate(asked))))
    said = "Not reached: 169.254.169.254:80, 169.254.169.254 is an address of a cloud's metadata service"
    assert job.status == "done"
    assert job.steps.get().sentence == f"{said}, which no run may reach (2 times)"
    for_ever = f"{asked}.then(() => {{ while (true) {{}} }})"
    failed = run(new_job(deadline_s=2), driving(opening(site, lambda _desk, page: page.evaluate(for_ever))))
    assert failed.status == "failed"
    assert failed.steps.get().sentence.startswith(said)


def test_a_page_that_never_answers_is_stopped_at_the_deadline(
    place: running.Place, new_job: NewJob, site: Site
) -> None:
    job = run(new_job(deadline_s=1), driving(opening(site, lambda _desk, page: page.evaluate(ENDLESS))))
    assert (job.status, (job.error or {})["kind"]) == ("failed", "timeout")
    assert job.finished_at is not None
    assert job.started_at is not None
    assert job.finished_at - job.started_at < timedelta(seconds=10)
    assert run(new_job(), driving(opening(site))).status == "done"


def test_a_deadline_in_a_writing_step_says_that_its_outcome_is_unknown(
    place: running.Place, new_job: NewJob, site: Site
) -> None:
    def write(desk: Desk, page: Page) -> None:
        desk.emit(About("steps[3]", "click", "Click Buy", may_write=True))
        page.evaluate(ENDLESS)

    job = run(new_job(deadline_s=1), driving(opening(site, write)))
    assert (job.status, (job.error or {})["outcome"], (job.error or {})["failed_step"]) == (
        "failed",
        "unknown",
        "steps[3]",
    )
    assert "Click Buy" in job.error_text


def test_a_job_is_cancelled_in_the_middle_of_a_step(
    place: running.Place, new_job: NewJob, site: Site, owner: User
) -> None:
    job = new_job()

    def ask(_event: object) -> None:
        runs.request_cancel(job=Job.objects.get(pk=job.pk), by=owner)

    def get_stuck(desk: Desk, page: Page) -> None:
        desk.emit(Progress("work", 0))
        page.evaluate(ENDLESS)

    place.said = ask
    run(job, driving(opening(site, get_stuck)))
    assert (job.status, (job.error or {})["kind"], job.cancelled_by) == ("cancelled", "cancelled", owner)
    place.said = lambda _event: None
    assert run(new_job(), driving(opening(site))).status == "done"


def test_a_worker_that_lost_its_lease_stops_and_writes_nothing_more(
    place: running.Place, new_job: NewJob, site: Site, settings: Settings
) -> None:
    job = new_job()

    def lose(_event: object) -> None:
        runs.sweep(timezone.now() + timedelta(hours=1))
        assert runs.claim(job.pk, "another worker") is not None

    def get_stuck(desk: Desk, page: Page) -> None:
        desk.emit(Progress("work", 0))
        page.evaluate(ENDLESS)

    place.said = lose
    run(job, driving(opening(site, get_stuck)))
    assert (job.status, job.worker, job.attempt, job.error) == ("running", "another worker", 2, None)


def test_a_long_job_keeps_its_lease(place: running.Place, new_job: NewJob, site: Site, settings: Settings) -> None:
    settings.LEASE_S = 1
    swept = []
    place.beat = lambda: swept.append(runs.sweep())
    job = run(new_job(), driving(opening(site, lambda _desk, page: page.wait_for_timeout(2500))))
    assert job.status == "done"
    assert len(swept) >= 3
    assert sum(swept) == 0


def kill_browser(place: running.Place) -> None:
    place.browser._chromium.kill()


def test_a_job_that_only_read_waits_again_when_the_browser_dies(
    place: running.Place, new_job: NewJob, site: Site
) -> None:
    def die(desk: Desk, page: Page) -> None:
        desk.emit(About("steps[0]", "goto", "Open the shop", may_write=False))
        kill_browser(place)
        page.evaluate(ENDLESS)

    job = run(new_job(), driving(opening(site, die)))
    assert (job.status, job.attempt, job.worker) == ("queued", 1, "")
    assert run(job, driving(opening(site))).status == "done"


def test_a_job_that_was_writing_when_the_browser_died_is_interrupted(
    place: running.Place, new_job: NewJob, site: Site
) -> None:
    def die(desk: Desk, page: Page) -> None:
        desk.emit(About("steps[0]", "click", "Click Buy", may_write=True))
        kill_browser(place)
        page.evaluate(ENDLESS)

    job = run(new_job(), driving(opening(site, die)))
    assert (job.status, (job.error or {})["outcome"]) == ("interrupted", "unknown")


def test_the_back_stop_of_rq_is_a_time_limit_and_no_bug(place: running.Place, new_job: NewJob) -> None:
    assert worker  # which knows of it

    def body(_claim: Claim) -> None:
        raise JobTimeoutException

    job = run(new_job(), body)
    assert (job.status, (job.error or {})["kind"], job.traceback) == ("failed", "timeout", "")


def test_stopping_the_process_gives_the_job_back(place: running.Place, new_job: NewJob) -> None:
    def body(_claim: Claim) -> None:
        raise SystemExit(0)

    job = new_job()
    with pytest.raises(SystemExit):
        running.run(job.pk, body)
    job.refresh_from_db()
    assert job.status == "queued"


def test_a_job_that_brings_its_browser_to_a_standstill_is_not_run_again(
    new_job: NewJob, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thread, "DRAIN_S", 0.2)
    monkeypatch.setattr(thread, "KILL_AGAIN_S", 0.05)
    over = threading.Event()
    monkeypatch.setattr(Chromium, "make_spare", lambda _self: None)  # a browser being started would be waited for
    browser = BrowserThread().start()
    browser.call(lambda _desk: None)
    try:
        with running.at(running.Place(running.new_name(), browser)):
            job = run(new_job(deadline_s=1), driving(lambda _desk: over.wait(60)))
            assert browser.is_stuck
            assert (job.status, (job.error or {})["kind"]) == ("failed", "timeout")
            assert "not run again" in job.error_text
            # The process has to end; a job that came to it all the same goes back to the others.
            assert run(new_job(), driving(lambda _desk: None)).status == "queued"
    finally:
        over.set()
        browser.stop()


def test_control_c_in_the_command_line_cancels_the_job(place: running.Place, new_job: NewJob) -> None:
    def body(_claim: Claim) -> None:
        raise KeyboardInterrupt

    job = new_job()
    with pytest.raises(KeyboardInterrupt):
        running.run(job.pk, body)
    job.refresh_from_db()
    assert job.status == "cancelled"
