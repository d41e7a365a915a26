"""What `manage.py check` says of Redis and the database."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.checks import run_checks
from django.db import connections
from pytest_django.fixtures import Settings

from recipes_app.checks import RUNTIME, sqlite_writes_ahead
from tests.jobs.redis_server import RedisServer

NOWHERE = "unix:///nowhere/redis.sock?db=0"


@pytest.fixture
def careless_redis(redis: RedisServer) -> Iterator[RedisServer]:
    redis.client().config_set("maxmemory-policy", "allkeys-lru")
    yield redis
    redis.client().config_set("maxmemory-policy", "noeviction")


def ids(*, deploy: bool = False) -> list[str | None]:
    return [message.id for message in run_checks(tags=[RUNTIME], include_deployment_checks=deploy)]


def test_a_redis_that_keeps_everything_is_fine(redis: RedisServer) -> None:
    assert ids(deploy=True) == []


def test_a_redis_that_evicts_is_an_error(careless_redis: RedisServer) -> None:
    assert ids() == ["agentify.E001"]


def test_a_redis_that_does_not_answer_is_said_before_deploying_only(settings: Settings) -> None:
    settings.REDIS_URL = NOWHERE
    assert ids() == []
    assert ids(deploy=True) == ["agentify.W001"]


@pytest.mark.parametrize(("mode", "said"), [("wal", []), ("delete", ["agentify.W002"])])
def test_a_database_file_without_wal_is_said(db: None, tmp_path: Path, mode: str, said: list[str]) -> None:
    usual = connections["default"]
    options = {"init_command": f"PRAGMA journal_mode={mode}"}
    file = type(usual)({**usual.settings_dict, "NAME": str(tmp_path / "db"), "OPTIONS": options}, "default")
    connections["default"] = file
    try:
        assert [message.id for message in sqlite_writes_ahead(databases=["default"])] == said
    finally:
        file.close()
        connections["default"] = usual
