"""A real Redis, and people with a site whose address is the practice site."""

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.db import connections
from pytest_django import DjangoDbBlocker
from pytest_django.fixtures import Settings

from examples.practice.server import PracticeSite
from recipes_app.browser.thread import BrowserThread
from recipes_app.jobs import running
from recipes_app.models import Job, Role, Site, Team, User
from tests.jobs.processes import Processes
from tests.jobs.redis_server import RedisServer
from tests.people import make_site, make_team, make_user


@pytest.fixture(scope="session")
def redis_server() -> Iterator[RedisServer]:
    server = RedisServer()
    server.start()
    yield server
    server.remove()


@pytest.fixture
def redis(redis_server: RedisServer, settings: Settings) -> RedisServer:
    """An empty Redis that the application uses."""
    redis_server.empty()
    settings.REDIS_URL = redis_server.url
    return redis_server


@pytest.fixture
def owner(transactional_db: None) -> User:
    return make_user("olga", make_team("Blue"), Role.OWNER)


@pytest.fixture
def site(owner: User, practice: PracticeSite) -> Site:
    return make_site(owner.memberships.get().team, owner, base_url=practice.url)


@pytest.fixture
def place(browser: BrowserThread) -> Iterator[running.Place]:
    """This process as the one that runs jobs."""
    with running.at(running.Place(running.new_name(), browser)) as here:
        yield here


@pytest.fixture(autouse=True)
def media(settings: Settings, tmp_path: Path) -> Path:
    """Pictures of this test."""
    storage = {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": {"location": str(tmp_path)}}
    settings.STORAGES = {**settings.STORAGES, "default": storage}
    return tmp_path


@pytest.fixture
def new_job(owner: User) -> Callable[..., Job]:
    """A waiting job of the queue `calls` that is about nothing."""

    def make(team: Team | None = None, **columns: object) -> Job:
        defaults = {"kind": "call", "title": "Call it", "queue": "calls", "deadline_s": 30}
        return Job.objects.create(team=team or owner.memberships.get().team, requested_by=owner, **(defaults | columns))

    return make


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory, redis_server: RedisServer) -> Path:
    """An empty database with all tables, to be copied."""
    folder = tmp_path_factory.mktemp("migrated")
    file = folder / "empty.sqlite3"
    Processes(folder, file, redis_server).run("migrate", "--verbosity", "0")
    with sqlite3.connect(file) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return file


@pytest.fixture
def processes(
    migrated_file: Path, tmp_path: Path, redis: RedisServer, settings: Settings, django_db_blocker: DjangoDbBlocker
) -> Iterator[Processes]:
    """Processes, and this test too, on a database file of their own."""
    file = tmp_path / "agentify.sqlite3"
    shutil.copy(migrated_file, file)
    folder = tmp_path / "var"
    folder.mkdir()
    started = Processes(folder, file, redis)
    settings.SECRET_KEY = started.env["SECRET_KEY"]
    settings.LEASE_S = int(started.env["LEASE_S"])
    with django_db_blocker.unblock():
        usual = connections["default"]
        connections["default"] = type(usual)({**usual.settings_dict, "NAME": str(file)}, "default")
        try:
            yield started
        finally:
            started.stop_all()
            connections["default"].close()
            connections["default"] = usual
