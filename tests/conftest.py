"""Fixtures every test may use: the practice site, one warm Chromium, sessions and people."""

import signal
from collections.abc import Callable, Iterator
from itertools import count

import pytest
from django.db import connection
from django.test import TransactionTestCase
from hypothesis import HealthCheck, settings
from pytest_django import DjangoDbBlocker, Settings

from examples.practice import start
from examples.practice.server import PracticeSite
from recipes_app.browser.launch import LaunchOptions, find_browser
from recipes_app.browser.policy import Policy
from recipes_app.browser.session import BrowserSession, ContextOptions
from recipes_app.browser.thread import BrowserThread, Desk
from tests import restoring
from tests.desks import desk_faults, desk_replay, desk_script

__all__ = ["desk_faults", "desk_replay", "desk_script"]

NUMBERS = count()

# Started in the background of a shell, the suite inherits that Ctrl-C is ignored; so would the processes it stops so.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# A busy machine is no fault of what is tested.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests marked `postgres` run on PostgreSQL only: `./agentify test --postgres`."""
    if connection.vendor == "postgresql":
        return
    for item in items:
        if item.get_closest_marker("postgres"):
            item.add_marker(pytest.mark.skip(reason="needs PostgreSQL: ./agentify test --postgres"))


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Transactional tests are followed by the migrated database, put back from a copy, not by a flush."""
    with django_db_blocker.unblock():
        template = restoring.take()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", lambda self: template.restore())
        yield


@pytest.fixture(autouse=True)
def quick_passwords(settings: Settings) -> None:
    """Password hashes meant to be slow would be most of the suite's time."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(autouse=True)
def ledger_apart(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Each test's ledger is signed by a key of its own, and remembered in a folder of its own."""
    settings.LEDGER_DIR = tmp_path_factory.getbasetemp() / f"ledger-{next(NUMBERS)}"


@pytest.fixture(scope="session")
def practice_server() -> Iterator[PracticeSite]:
    with start(port=0) as site:
        yield site


@pytest.fixture
def practice(practice_server: PracticeSite) -> PracticeSite:
    """The practice site in its first state."""
    practice_server.reset()
    return practice_server


@pytest.fixture(scope="session")
def browser() -> Iterator[BrowserThread]:
    thread = BrowserThread(LaunchOptions(executable=find_browser()))
    thread.start()
    yield thread
    thread.stop()


def loopback_policy(url: str) -> Policy:
    """A policy that reaches one server on this machine and nothing else."""
    return Policy.for_site(url, [], [url.split("://", 1)[1].split("/", 1)[0]])


@pytest.fixture
def browse(browser: BrowserThread) -> Callable[..., object]:
    """`browse(fn, url=site.url)` runs `fn(session)` on the browser thread and returns what it returns."""

    def run(work: Callable[[BrowserSession], object], *, url: str, locale: str = "en-US") -> object:
        def on_desk(desk: Desk) -> object:
            with desk.session(ContextOptions(policy=loopback_policy(url), locale=locale)) as session:
                return work(session)

        events = browser.drive(on_desk, deadline_s=60, cancelled=lambda: False, on_tick=lambda: None)
        while True:
            try:
                next(events)
            except StopIteration as end:
                return end.value

    return run
