"""Whether it lives, and whether it can work."""

from django.test import Client
from pytest_django import Settings

from tests.jobs.conftest import redis, redis_server
from tests.jobs.redis_server import RedisServer

__all__ = ["redis", "redis_server"]


def test_it_lives_and_is_ready_for_anybody(db: None, redis: RedisServer) -> None:
    assert Client().get("/healthz").json() == {"ok": True}
    answer = Client().get("/readyz")
    assert (answer.status_code, answer.json()) == (200, {"ok": True, "lacking": []})
    assert Client().post("/readyz").status_code == 405


def test_what_is_not_there_is_named(db: None, settings: Settings) -> None:
    settings.REDIS_URL = "unix:///nowhere/at/all?db=0"
    answer = Client().get("/readyz")
    assert (answer.status_code, answer.json()) == (503, {"ok": False, "lacking": ["redis"]})
