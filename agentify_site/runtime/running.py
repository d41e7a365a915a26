"""One `up` or `demo` per folder: who runs, and where."""

import fcntl
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agentify_site.runtime.errors import AlreadyRunning
from agentify_site.runtime.paths import make_folder


def lock_file(var: Path) -> Path:
    return var / "run" / "up.lock"


@dataclass(frozen=True, slots=True)
class Running:
    """Where the `up` or `demo` of a folder listens."""

    address: str
    practice_port: int | None = None


@contextmanager
def the_only_one(var: Path, *, address: str) -> Iterator[Callable[[int | None], None]]:
    """Hold `var` for this process; AlreadyRunning names the address of the one that holds it.

    Gives the function that notes the port of the practice site once that is known.
    """
    make_folder(lock_file(var).parent)
    with lock_file(var).open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise AlreadyRunning(already_running(file.name)) from None
        who = {"pid": os.getpid(), "address": address}
        _write(file.fileno(), who)
        try:
            yield lambda practice_port: _write(file.fileno(), {**who, "practice_port": practice_port})
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


def who_runs(var: Path) -> Running | None:
    """What runs on `var` now; the lock itself is only tried while the one that wrote there lives."""
    who = _read(str(lock_file(var)))
    try:
        os.kill(int(who["pid"]), 0)
        found = Running(str(who["address"]), who.get("practice_port"))
    except PermissionError:  # it lives, and is somebody else's
        return Running(str(who["address"]), who.get("practice_port"))
    except (KeyError, ValueError, TypeError, OSError):
        return None
    return found if is_running(var) else None


def already_running(path: str) -> str:
    who = _read(path)
    return (
        f"already running at {who.get('address', 'an address not known yet')} (process {who.get('pid', 'unknown')}): "
        "use that one, or end it with Ctrl-C first."
    )


def _read(path: str) -> dict[str, Any]:
    with suppress(ValueError, OSError):  # read while it was written; or there is none
        found = json.loads(Path(path).read_text() or "{}")
        return found if isinstance(found, dict) else {}
    return {}


def _write(descriptor: int, content: dict[str, Any]) -> None:
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, json.dumps(content).encode() if content else b"", 0)
