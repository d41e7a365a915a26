"""What goes into Redis, in which order, and that nothing is lost when Redis forgets or is away."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone
from pytest_django.fixtures import Settings

from recipes_app import queues
from recipes_app.models import Job, Recipe, Site, User
from recipes_app.queues import over_redis
from recipes_app.services import calls, dispatch
from tests.jobs.redis_server import RedisServer
from tests.people import make_published, make_team
from tests.services.documents import search

NewJob = Callable[..., Job]


@pytest.fixture
def recipe(owner: User, site: Site) -> Recipe:
    return make_published(site, search(), owner)


def test_a_call_is_in_redis_once_its_transaction_has_committed(redis: RedisServer, owner: User, recipe: Recipe) -> None:
    with transaction.atomic():
        call = calls.request_call(recipe=recipe, arguments={"q": "pens"}, by=owner)
        assert queues.waiting_ids("calls") == set()
    assert queues.waiting_ids("calls") == {call.job.pk}
    assert Job.objects.get().dispatched_at is not None


def test_a_call_that_was_rolled_back_never_gets_to_redis(redis: RedisServer, owner: User, recipe: Recipe) -> None:
    with transaction.atomic():
        calls.request_call(recipe=recipe, arguments={"q": "pens"}, by=owner)
        transaction.set_rollback(True)
    assert queues.waiting_ids("calls") == set()
    assert not Job.objects.exists()


def test_only_ids_travel_and_rq_keeps_no_result(redis: RedisServer, new_job: NewJob) -> None:
    job = new_job()
    dispatch.dispatch_waiting()
    [rq_id] = over_redis._queue("calls").get_job_ids()
    rq_job = over_redis._queue("calls").fetch_job(rq_id)
    assert rq_job is not None
    assert (rq_job.args, rq_job.result_ttl, rq_job.timeout) == ([job.pk], 0, job.deadline_s + queues.BACK_STOP_S)


def test_redis_holds_two_ids_where_there_is_no_worker_yet(redis: RedisServer, new_job: NewJob) -> None:
    made = [new_job() for _ in range(5)]
    assert dispatch.dispatch_waiting() == 2
    assert dispatch.dispatch_waiting() == 0
    assert queues.waiting_ids("calls") == {made[0].pk, made[1].pk}


def test_redis_holds_twice_as_many_ids_as_there_are_living_workers(redis: RedisServer, new_job: NewJob) -> None:
    for name, is_alive in (("one", True), ("two", True), ("killed", False)):
        redis.client().sadd("rq:workers:calls", f"rq:worker:{name}")
        if is_alive:
            redis.client().hset(f"rq:worker:{name}", "birth", "now")
    for _ in range(9):
        new_job()
    assert dispatch.dispatch_waiting() == 4


def test_interactive_jobs_overtake_bulk_and_teams_take_turns(redis: RedisServer, new_job: NewJob) -> None:
    red = make_team("Red")
    bulk = new_job(interactive=False)
    blues = [new_job() for _ in range(3)]
    reds = [new_job(team=red) for _ in range(2)]
    order = dispatch.next_jobs("calls", 10)
    assert order == [blues[0], reds[0], blues[1], reds[1], blues[2], bulk]


def test_a_team_with_much_under_way_waits_for_the_others(redis: RedisServer, new_job: NewJob) -> None:
    for _ in range(3):
        new_job(status="running", dispatched_at=timezone.now())
    blue, red = new_job(), new_job(team=make_team("Red"))
    assert dispatch.next_jobs("calls", 2) == [red, blue]


def test_without_redis_rows_are_made_and_dispatched_later(
    redis: RedisServer, settings: Settings, owner: User, recipe: Recipe
) -> None:
    settings.REDIS_URL = "unix:///nowhere/redis.sock?db=0"
    call = calls.request_call(recipe=recipe, arguments={"q": "pens"}, by=owner)
    call.job.refresh_from_db()
    assert (call.job.status, call.job.dispatched_at) == ("queued", None)
    settings.REDIS_URL = redis.url
    assert dispatch.dispatch_waiting() == 1
    assert queues.waiting_ids("calls") == {call.job.pk}


def test_what_redis_forgot_is_dispatched_again_under_a_new_id(redis: RedisServer, new_job: NewJob) -> None:
    job = new_job()
    dispatch.dispatch_waiting()
    [before] = over_redis._queue("calls").get_job_ids()
    redis.empty()
    assert dispatch.take_back_lost(older_than_s=60) == 0
    Job.objects.update(dispatched_at=timezone.now() - timedelta(seconds=61))
    assert dispatch.take_back_lost(older_than_s=60) == 1
    dispatch.dispatch_waiting()
    [after] = over_redis._queue("calls").get_job_ids()
    assert queues.waiting_ids("calls") == {job.pk}
    assert before != after


def test_what_still_lies_in_redis_is_not_put_in_twice(redis: RedisServer, new_job: NewJob) -> None:
    new_job()
    dispatch.dispatch_waiting()
    Job.objects.update(dispatched_at=timezone.now() - timedelta(hours=1))
    assert dispatch.take_back_lost(older_than_s=60) == 0


def test_jobs_that_stay_here_are_offered_to_nobody(redis: RedisServer, owner: User, recipe: Recipe) -> None:
    with dispatch.staying_here():
        calls.request_call(recipe=recipe, arguments={"q": "pens"}, by=owner)
    dispatch.dispatch_waiting()
    assert queues.waiting_ids("calls") == set()
