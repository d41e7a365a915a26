"""Starting the product's own programs from tests, and looking at what is left of them."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MARK = "AGENTIFY_TEST_MARK"
NOT_OURS = ("REDIS_URL", "DATABASE_URL", "DJANGO_SETTINGS_MODULE")  # of the tests themselves


def wait_for(truth: Callable[[], object], *, limit_s: float = 30.0) -> bool:
    """True as soon as `truth` is, False if it never was."""
    pause = threading.Event()
    limit = time.monotonic() + limit_s
    while not truth():
        if time.monotonic() > limit:
            return False
        pause.wait(0.05)
    return True


def environment(var: Path, **more: str) -> dict[str, str]:
    """What a program of ours is started with: a folder of its own, which also marks all that descends from it."""
    clean = {key: value for key, value in os.environ.items() if key not in NOT_OURS}
    return {**clean, "AGENTIFY_VAR": str(var), MARK: str(var), **more}


@contextmanager
def started(command: list[str], var: Path, **more: str) -> Iterator[subprocess.Popen[str]]:
    """The program, its output readable; killed at the end if it has not ended by itself."""
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment(var, **more),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=20)
        process.communicate()


def manage(*arguments: str) -> list[str]:
    return [sys.executable, str(ROOT / "manage.py"), *arguments]


def descendants(var: Path) -> list[str]:
    """The command lines of all processes that carry this folder's mark."""
    mark = f"{MARK}={var}".encode()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (folder / "environ").read_bytes().split(b"\0"):
                found.append((folder / "cmdline").read_bytes().replace(b"\0", b" ").decode())
        except OSError:
            continue  # it ended while we looked
    return [line for line in found if line]
