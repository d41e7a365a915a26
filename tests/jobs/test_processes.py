"""Real worker and upkeep processes: killed, cut off from Redis, told to stop."""

from pathlib import Path
from typing import Any

import pytest
from rq import Queue
from rq.command import send_stop_job_command

from examples.practice.server import PracticeSite
from recipes_app import queues
from recipes_app.models import Job, Mapping, Recipe, Role, Site, User
from recipes_app.services import calls, runs, sites
from tests.jobs.documents import search_products, stuck, subscribe
from tests.jobs.processes import Processes, kill_hard, until
from tests.jobs.redis_server import RedisServer
from tests.people import make_published, make_site, make_team, make_user

pytestmark = pytest.mark.slow


@pytest.fixture
def person(processes: Processes) -> User:
    return make_user("olga", make_team("Blue"), Role.OWNER)


@pytest.fixture
def shop(person: User, practice: PracticeSite) -> Site:
    return make_site(person.memberships.get().team, person, base_url=practice.url)


def status_of(job: Job) -> str:
    return str(Job.objects.values_list("status", flat=True).get(pk=job.pk))


def test_a_worker_maps_and_stops_when_told_to(processes: Processes, shop: Site, person: User) -> None:
    mapping = sites.request_map(site=shop, by=person, max_pages=1)
    worker = processes.start("worker", "agents")
    until(lambda: status_of(mapping.job) == "done", processes)
    assert mapping.pages.count() == 1
    worker.terminate()
    assert worker.wait(timeout=30) == 0


def test_a_worker_killed_while_reading_is_replaced_and_its_job_run_again(
    processes: Processes, shop: Site, person: User
) -> None:
    first = processes.start("worker", "agents")
    mapping = sites.request_map(site=shop, by=person, max_pages=6)
    until(lambda: mapping.pages.count() >= 1, processes)
    kill_hard(first)
    assert status_of(mapping.job) == "running"
    processes.start("upkeep")
    processes.start("worker", "agents")
    until(lambda: status_of(mapping.job) == "done", processes)
    mapping.job.refresh_from_db()
    assert mapping.job.attempt == 2
    assert mapping.pages.count() == 6


def test_a_worker_outlives_redis_going_and_coming_back(
    processes: Processes, shop: Site, person: User, redis: RedisServer
) -> None:
    worker = processes.start("worker", "agents")
    processes.start("upkeep")
    until(lambda: queues.live_workers("agents") == 1, processes)
    redis.stop()
    mapping = sites.request_map(site=shop, by=person, max_pages=1)
    assert status_of(mapping.job) == "queued"
    redis.start()
    until(lambda: status_of(mapping.job) == "done", processes)
    assert worker.poll() is None


def test_what_somebody_wrote_into_redis_is_not_run(
    processes: Processes, shop: Site, person: User, redis: RedisServer, tmp_path: Path
) -> None:
    """Neither a pickle nor a function of the system; our own job beside them is done."""
    marks = [tmp_path / "named", tmp_path / "pickled", tmp_path / "ours"]
    client = redis.client()
    queues.queue_of("agents", client).enqueue_call("os.mkdir", args=(str(marks[0]),))
    Queue("agents", connection=client).enqueue_call("os.mkdir", args=(str(marks[1]),))
    queues.queue_of("agents", client).enqueue_call("recipes_app.jobs.agents.map_site", args=(str(marks[2]),))
    mapping = sites.request_map(site=shop, by=person, max_pages=1)
    processes.start("worker", "agents")
    until(lambda: status_of(mapping.job) == "done", processes)
    until(lambda: processes.logs().count("no job of ours: dropped") == 3, processes)
    assert not [mark for mark in marks if mark.exists()]


def test_a_flushed_redis_loses_no_job(processes: Processes, shop: Site, person: User, redis: RedisServer) -> None:
    mapping = sites.request_map(site=shop, by=person, max_pages=1)
    assert queues.waiting_ids("agents") == {mapping.job.pk}
    redis.empty()
    processes.start("upkeep")
    processes.start("worker", "agents")
    until(lambda: status_of(mapping.job) == "done", processes)


def test_a_redis_that_is_flushed_and_restarted_while_a_job_runs_does_not_disturb_it(
    processes: Processes, shop: Site, person: User, redis: RedisServer
) -> None:
    worker = processes.start("worker", "agents")
    processes.start("upkeep")
    mapping = sites.request_map(site=shop, by=person, max_pages=5)
    until(lambda: mapping.pages.count() >= 1, processes)
    redis.stop()
    redis.start()
    until(lambda: status_of(mapping.job) == "done", processes)
    mapping.job.refresh_from_db()
    assert mapping.job.attempt == 1
    again = sites.request_map(site=shop, by=person, max_pages=1)
    until(lambda: status_of(again.job) == "done", processes)
    assert worker.poll() is None


def test_a_person_cancels_what_a_worker_is_doing(processes: Processes, shop: Site, person: User) -> None:
    processes.start("worker", "agents")
    mapping = sites.request_map(site=shop, by=person, max_pages=50, max_depth=6)
    until(lambda: mapping.pages.count() >= 1, processes)
    runs.request_cancel(job=mapping.job, by=person)
    until(lambda: status_of(mapping.job) == "cancelled", processes)
    again = sites.request_map(site=shop, by=person, max_pages=1)
    until(lambda: status_of(again.job) == "done", processes)
    assert Mapping.objects.count() == 2


def submissions(practice: PracticeSite) -> int:
    return practice.state.submissions["POST /newsletter/frame"]


def ask(site: Site, document: dict[str, Any], by: User, **arguments: Any) -> Job:
    recipe = Recipe.objects.filter(site=site, name=document["name"]).first() or make_published(site, document, by)
    return calls.request_call(recipe=recipe, arguments=arguments, by=by).job


def test_a_worker_killed_while_it_submits_leaves_an_unknown_outcome_and_nothing_is_submitted_twice(
    processes: Processes, shop: Site, person: User, practice: PracticeSite
) -> None:
    first = processes.start("worker", "calls")
    job = ask(shop, subscribe(shop.base_url, then_stuck=True), person, email="a@b.test")
    until(lambda: submissions(practice) == 1, processes)
    kill_hard(first)
    processes.start("upkeep")
    processes.start("worker", "calls")
    until(lambda: status_of(job) == "interrupted", processes)
    job.refresh_from_db()
    assert job.error is not None
    assert (job.error["outcome"], job.error["failed_step"]) == ("unknown", "steps[2]")
    after = ask(shop, search_products(shop.base_url), person, q="pen")
    until(lambda: status_of(after) == "done", processes)
    assert (submissions(practice), job.attempt) == (1, 1)


def test_a_worker_killed_in_a_call_that_only_reads_is_replaced_and_the_call_run_again(
    processes: Processes, shop: Site, person: User
) -> None:
    first = processes.start("worker", "calls")
    job = ask(shop, stuck(shop.base_url), person)
    until(lambda: job.steps.filter(path="steps[1]").exists(), processes)
    kill_hard(first)
    processes.start("upkeep")
    processes.start("worker", "calls")
    until(lambda: job.steps.filter(path="steps[1]", attempt=2).exists(), processes)
    runs.request_cancel(job=Job.objects.get(pk=job.pk), by=person)
    until(lambda: status_of(job) == "cancelled", processes)


def test_a_call_that_is_delivered_twice_runs_once(
    processes: Processes, shop: Site, person: User, practice: PracticeSite
) -> None:
    job = ask(shop, subscribe(shop.base_url), person, email="a@b.test")
    queues.put("calls", queues.Entry("recipes_app.jobs.calls.run_call", job.pk, "again", 30))
    queues.put("calls", queues.Entry("recipes_app.jobs.calls.run_call", job.pk, "and again", 30))
    workers = [processes.start("worker", "calls", "--burst") for _ in range(2)]
    for worker in workers:
        assert worker.wait(timeout=60) == 0
    assert (status_of(job), submissions(practice)) == ("done", 1)
    assert queues.waiting_ids("calls") == set()


def test_a_cancel_command_wakes_a_worker_that_is_stuck_in_a_page(
    processes: Processes, shop: Site, person: User
) -> None:
    worker = processes.start("worker", "calls")
    job = ask(shop, stuck(shop.base_url), person)
    until(lambda: job.steps.filter(path="steps[1]").exists(), processes)
    runs.request_cancel(job=Job.objects.get(pk=job.pk), by=person)
    until(lambda: status_of(job) == "cancelled", processes)
    assert worker.poll() is None


def test_the_stop_button_of_django_rq_does_not_stop_what_nobody_cancelled(
    processes: Processes, shop: Site, person: User
) -> None:
    processes.start("worker", "calls")
    job = ask(shop, stuck(shop.base_url), person)
    until(lambda: job.steps.filter(path="steps[1]").exists(), processes)
    [rq_id] = Queue("calls", connection=queues.connection()).started_job_registry.get_job_ids()
    send_stop_job_command(queues.connection(), rq_id)
    assert status_of(job) == "running"
    runs.request_cancel(job=Job.objects.get(pk=job.pk), by=person)
    until(lambda: status_of(job) == "cancelled", processes)
    after = ask(shop, search_products(shop.base_url), person, q="pen")
    until(lambda: status_of(after) == "done", processes)


def test_a_worker_told_to_stop_finishes_its_job_first(processes: Processes, shop: Site, person: User) -> None:
    worker = processes.start("worker", "agents")
    mapping = sites.request_map(site=shop, by=person, max_pages=4)
    until(lambda: mapping.pages.count() >= 1, processes)
    worker.terminate()
    assert worker.wait(timeout=60) == 0
    assert status_of(mapping.job) == "done"


def test_a_worker_told_twice_gives_its_job_back(processes: Processes, shop: Site, person: User) -> None:
    worker = processes.start("worker", "calls")
    job = ask(shop, stuck(shop.base_url), person)
    until(lambda: job.steps.filter(path="steps[1]").exists(), processes)
    worker.terminate()

    def has_ended() -> bool:
        # RQ takes a second signal within a second for an echo of the first.
        worker.terminate()
        return worker.poll() is not None

    until(has_ended, processes)
    assert status_of(job) == "queued"


def test_a_worker_that_is_started_before_redis_waits_for_it(
    processes: Processes, shop: Site, person: User, redis: RedisServer
) -> None:
    redis.stop()
    worker = processes.start("worker", "agents")
    upkeep = processes.start("upkeep")
    mapping = sites.request_map(site=shop, by=person, max_pages=1)
    until(lambda: "trying again" in processes.logs(), processes)
    redis.start()
    until(lambda: status_of(mapping.job) == "done", processes)
    redis.stop()
    for process in (worker, upkeep):
        process.terminate()
        assert process.wait(timeout=60) == 0
    redis.start()
