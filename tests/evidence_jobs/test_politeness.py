"""Leaving a site alone between two pages: by domain, over all workers, and never at the cost of another domain."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest
from pytest_django.fixtures import Settings

from evidence_app import polite, wiring
from evidence_app.agent.politeness import BadPace, OwnTurns, Paces, paces_from, registrable
from evidence_app.polite import Turns
from recipes_app.queues import Unreachable, turns
from tests.jobs.redis_server import RedisServer


@pytest.fixture
def redis(settings: Settings) -> Iterator[RedisServer]:
    server = RedisServer()
    server.start()
    settings.REDIS_URL = server.url
    yield server
    server.remove()


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://www.linkedin.com/in/ann", ("linkedin.com", 3.0)),
        ("https://acme.atlassian.net/browse/X-1", ("atlassian.net", 1.0)),
        ("https://other.atlassian.net/", ("atlassian.net", 1.0)),
        ("https://github.com/x", ("github.com", 0.5)),
        ("https://notgithub.com/x", ("notgithub.com", 0.2)),
        ("https://a.shop.example.co.uk/", ("example.co.uk", 0.2)),
        ("http://127.0.0.1:8700/", ("", 0.0)),
        ("http://10.1.2.3/", ("", 0.0)),
        ("http://[::1]/", ("", 0.0)),
        ("http://localhost:1/", ("", 0.0)),
        ("http://wiki.internal/", ("", 0.0)),
        ("about:blank", ("", 0.0)),
        ("", ("", 0.0)),
    ],
)
def test_an_address_counts_to_its_domain(url: str, expected: tuple[str, float]) -> None:
    assert Paces().of(url) == expected


def test_the_setting_changes_and_adds_domains() -> None:
    paces = paces_from('{"Example.com": 2, "github.com": 0, "*": 0.7}')
    urls = ("https://a.example.com/", "https://github.com/", "https://x.org/", "https://linear.app/")
    assert [paces.of(url)[1] for url in urls] == [2.0, 0.0, 0.7, 1.0]


@pytest.mark.parametrize("text", ["{", "[1]", '{"a.b": "x"}', '{"a.b": -1}', '{"a.b": true}', '{"a.b": 3600}'])
def test_a_setting_that_says_no_seconds_is_refused(text: str) -> None:
    with pytest.raises(BadPace):
        paces_from(text)


def test_an_owner_is_told_from_the_country() -> None:
    hosts = ("a.b.example.com", "example.de", "www.example.com.au")
    assert [registrable(host) for host in hosts] == ["example.com", "example.de", "example.com.au"]


def test_two_workers_of_one_domain_take_turns_and_another_domain_does_not_wait(redis: RedisServer) -> None:
    assert turns.take("one.example", 30) == 0
    assert 29 < turns.take("one.example", 30) <= 30
    assert turns.take("two.example", 30) == 0


def test_a_turn_comes_when_the_time_is_over(redis: RedisServer) -> None:
    paces = Paces({"one.example": 0.05})
    for _ in range(3):
        Turns(paces)("https://one.example/")
    assert turns.take("one.example", 30) > 0


class Enough(Exception):
    pass


def waiting(turn: Callable[[Callable[[], None]], None]) -> tuple[threading.Thread, threading.Event, threading.Event]:
    """A thread that waits for its turn until it is told that it is enough."""
    waits, enough = threading.Event(), threading.Event()

    def look() -> None:
        waits.set()
        if enough.is_set():
            raise Enough

    def work() -> None:
        with pytest.raises(Enough):
            turn(look)

    thread = threading.Thread(target=work)
    thread.start()
    assert waits.wait(20)
    return thread, waits, enough


@pytest.mark.parametrize("is_away", [False, True])
def test_whoever_waits_keeps_nobody_else_waiting(redis: RedisServer, is_away: bool) -> None:
    if is_away:
        redis.stop()
    own, paces = OwnTurns(), Paces({"one.example": 30.0, "two.example": 30.0})
    Turns(paces, own=own)("https://one.example/")
    thread, _, enough = waiting(lambda look: Turns(paces, look, own)("https://sub.one.example/"))
    Turns(paces, own=own)("https://two.example/")
    assert thread.is_alive()
    enough.set()
    thread.join(20)
    assert not thread.is_alive()


def test_a_turn_that_does_not_come_is_not_waited_for_for_ever(
    redis: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(polite, "LONGEST_S", 0.01)
    assert turns.take("one.example", 30) == 0
    Turns(Paces({"one.example": 30.0}))("https://one.example/")


def test_redis_away_is_said(redis: RedisServer) -> None:
    redis.stop()
    with pytest.raises(Unreachable):
        turns.take("one.example", 1)


def test_the_settings_make_a_pause(redis: RedisServer, settings: Settings) -> None:
    settings.POLITENESS = '{"one.example": 30}'
    wiring.pause(polite.nothing)("https://one.example/")
    assert turns.take("one.example", 30) > 0
