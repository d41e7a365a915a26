"""The private Redis: ours alone, and never longer than its owner."""

import os
import signal
import socket
import stat
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from agentify_site.runtime.children import Children
from agentify_site.runtime.errors import RedisProblem
from agentify_site.runtime.paths import SOCKET_LIMIT, redis_socket, socket_url
from agentify_site.runtime.private_redis import answers, private_redis, start_redis
from tests.runtime.processes import descendants, started, wait_for

OWNER = """
import sys
from pathlib import Path
from agentify_site.runtime.private_redis import private_redis
with private_redis(Path(sys.argv[1])) as url:
    print(url, flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def var() -> Iterator[Path]:
    """pytest's own temporary folders have names too long for a socket."""
    with tempfile.TemporaryDirectory(prefix="agt") as name:
        yield Path(name)


def test_it_answers_on_a_socket_that_only_its_owner_can_open_and_refuses_to_forget_jobs(var: Path) -> None:
    with private_redis(var) as url:
        with redis.Redis.from_url(url) as client:
            assert client.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}
            assert client.config_get("port") == {"port": "0"}
            assert client.config_get("appendonly") == {"appendonly": "yes"}
        assert stat.S_IMODE(redis_socket(var).stat().st_mode) == 0o700
    assert not answers(url)


def test_one_that_is_there_already_is_used_and_left_running(var: Path) -> None:
    with private_redis(var) as first:
        with private_redis(var) as second:
            assert second == first
        assert answers(first)


def test_what_was_queued_is_there_after_a_restart(var: Path) -> None:
    with private_redis(var) as url, redis.Redis.from_url(url) as client:
        client.rpush("rq:queue:calls", "a job")
    with private_redis(var) as url, redis.Redis.from_url(url) as client:
        assert client.lrange("rq:queue:calls", 0, -1) == [b"a job"]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM])
def test_it_dies_with_its_owner(var: Path, end: signal.Signals) -> None:
    with started([sys.executable, "-c", OWNER, str(var)], var, PYTHONPATH=str(Path.cwd())) as owner:
        assert owner.stdout is not None
        url = owner.stdout.readline().strip()
        assert answers(url)
        os.kill(owner.pid, end)
        owner.wait(timeout=10)
        assert wait_for(lambda: not descendants(var), limit_s=10), descendants(var)
        assert not answers(url)


def test_a_folder_with_a_long_name_gets_a_socket_elsewhere_that_is_ours_alone(tmp_path: Path) -> None:
    deep = tmp_path / ("long" * 30)
    found = redis_socket(deep)
    assert len(os.fsencode(found)) < SOCKET_LIMIT
    assert found == redis_socket(deep)
    assert found != redis_socket(tmp_path / ("loud" * 30))
    with private_redis(deep) as url:
        assert url == socket_url(found)
        assert stat.S_IMODE(found.parent.stat().st_mode) == 0o700


def test_a_named_server_that_is_silent_is_one_line(var: Path) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        url = f"redis://127.0.0.1:{nobody.getsockname()[1]}/0"
    with pytest.raises(RedisProblem, match=r"^REDIS_URL names .* does not answer: start it, or remove REDIS_URL\.$"):
        start_redis(var, Children(), named=url)


def test_no_server_at_all_is_one_line(var: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(var))
    monkeypatch.setattr("agentify_site.runtime.private_redis._packaged_server", lambda: None)
    with pytest.raises(RedisProblem, match=r"^found no Redis: "):
        start_redis(var, Children())
