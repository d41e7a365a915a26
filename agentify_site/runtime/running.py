"""One `up` or `demo` per folder: who runs, and where."""

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from agentify_site.runtime.errors import AlreadyRunning
from agentify_site.runtime.paths import make_folder


def lock_file(var: Path) -> Path:
    return var / "run" / "up.lock"


@contextmanager
def the_only_one(var: Path, *, address: str) -> Iterator[None]:
    """Hold `var` for this process; AlreadyRunning names the address of the one that holds it."""
    make_folder(lock_file(var).parent)
    with lock_file(var).open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise AlreadyRunning(already_running(file.name)) from None
        _write(file.fileno(), {"pid": os.getpid(), "address": address})
        try:
            yield
        finally:
            _write(file.fileno(), {})


def is_running(var: Path) -> bool:
    """True while some process holds `var`."""
    try:
        with lock_file(var).open("a") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def already_running(path: str) -> str:
    who = _read(path)
    return (
        f"already running at {who.get('address', 'an address not known yet')} (process {who.get('pid', 'unknown')}): "
        "use that one, or end it with Ctrl-C first."
    )


def _read(path: str) -> dict[str, Any]:
    try:
        found = json.loads(Path(path).read_text() or "{}")
    except ValueError:  # read while it was written
        return {}
    return found if isinstance(found, dict) else {}


def _write(descriptor: int, content: dict[str, Any]) -> None:
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, json.dumps(content).encode() if content else b"", 0)
