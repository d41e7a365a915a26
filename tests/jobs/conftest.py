"""A real Redis, and people with a site whose address is the practice site."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytest_django.fixtures import Settings

from examples.practice.server import PracticeSite
from recipes_app.browser.thread import BrowserThread
from recipes_app.jobs import running
from recipes_app.models import Job, Role, Site, Team, User
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
