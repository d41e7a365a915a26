"""Real worker and upkeep processes: killed, cut off from Redis, told to stop."""

import pytest

from examples.practice.server import PracticeSite
from recipes_app import queues
from recipes_app.models import Job, Mapping, Role, Site, User
from recipes_app.services import runs, sites
from tests.jobs.processes import Processes, kill_hard, until
from tests.jobs.redis_server import RedisServer
from tests.people import make_site, make_team, make_user

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
