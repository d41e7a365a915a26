"""Real processes of this application on a database file and a Redis of their own."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from time import monotonic

from tests.jobs.redis_server import RedisServer

ROOT = Path(__file__).resolve().parent.parent.parent
PATIENCE_S = 60


class Processes:
    """Started with small leases, so that what is lost is found while a test waits."""

    def __init__(self, folder: Path, database: Path, redis: RedisServer) -> None:
        self.folder = folder
        self.env = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "agentify_site.settings",
            "AGENTIFY_VAR": str(folder),
            "SECRET_KEY": "a key of this test",
            "DATABASE_URL": f"sqlite:///{database}",
            "REDIS_URL": redis.url,
            "LEASE_S": "3",
        }
        self._started: list[subprocess.Popen[bytes]] = []

    def start(self, *command: str) -> subprocess.Popen[bytes]:
        path = self.folder / f"{'-'.join(command)}.{len(self._started)}.log"
        with path.open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, "manage.py", *command], cwd=ROOT, env=self.env, stdout=log, stderr=subprocess.STDOUT
            )
        self._started.append(process)
        return process

    def run(self, *command: str) -> None:
        subprocess.run([sys.executable, "manage.py", *command], cwd=ROOT, env=self.env, check=True)

    def stop_all(self) -> None:
        for process in self._started:
            process.kill()
            process.wait()

    def logs(self) -> str:
        return "\n".join(f"== {path.name}\n{path.read_text()}" for path in sorted(self.folder.glob("*.log")))


def kill_hard(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGKILL)
    process.wait()


def until(holds: Callable[[], object], processes: Processes | None = None, *, patience_s: float = PATIENCE_S) -> None:
    """Wait for something that must come to be; what the processes wrote is shown if it does not."""
    tick, end = threading.Event(), monotonic() + patience_s
    while not holds():
        if monotonic() > end:
            raise AssertionError(f"did not come to be\n{processes.logs() if processes else ''}")
        tick.wait(0.05)
