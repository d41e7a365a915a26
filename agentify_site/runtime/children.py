"""Processes that never outlive the one that started them."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from agentify_site.runtime.guardian import end_groups, send

HERE = Path(__file__).resolve().parent
LOG_LIMIT_BYTES = 5_000_000


@dataclass(slots=True)
class Child:
    """One process, leader of its own process group."""

    name: str
    process: subprocess.Popen[bytes]

    @property
    def group(self) -> int:
        return self.process.pid

    def ended(self) -> int | None:
        """Its exit status, or None while it runs."""
        return self.process.poll()


class Children:
    """Starts processes in groups of their own and ends them all: when told to, or when this process is killed."""

    def __init__(self) -> None:
        self._children: dict[int, Child] = {}
        self._guardian: subprocess.Popen[bytes] | None = None

    def start(
        self,
        name: str,
        command: Sequence[str],
        *,
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        log: Path | None = None,
    ) -> Child:
        """Start `command`; its output goes to the end of `log`, or to ours. Only from the main thread."""
        if threading.current_thread() is not threading.main_thread():
            raise RuntimeError("start children from the main thread: the kernel's tie is with the thread")
        tied = [sys.executable, "-I", "-S", str(HERE / "tether.py"), str(os.getpid()), *command]
        output = _open_log(log)
        try:
            process = subprocess.Popen(
                tied,
                env=dict(env) if env is not None else None,
                cwd=cwd,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT if output else None,
                start_new_session=True,
            )
        finally:
            if output:
                output.close()
        child = Child(name, process)
        self._children[child.group] = child
        self._tell(f"+{child.group}")
        return child

    def forget(self, child: Child) -> None:
        """After `child` ended: end what is left of its group."""
        send(child.group, signal.SIGKILL)
        child.process.wait()
        self._children.pop(child.group, None)
        self._tell(f"-{child.group}")

    def end(self, *children: Child, grace_s: float = 5.0) -> None:
        """SIGTERM to the groups of `children`, SIGKILL after `grace_s` to what is left; returns when they are gone."""
        reaper = _Reaper([child.process for child in children])
        with reaper:
            end_groups({child.group for child in children}, grace_s=grace_s)
        for child in children:
            self.forget(child)

    def end_all(self, *, grace_s: float = 5.0) -> None:
        self.end(*self._children.values(), grace_s=grace_s)
        if self._guardian is not None:
            self._guardian.communicate()
            self._guardian = None

    def _tell(self, line: str) -> None:
        if self._guardian is None:
            self._guardian = subprocess.Popen(
                [sys.executable, "-I", str(HERE / "guardian.py")], stdin=subprocess.PIPE, start_new_session=True
            )
        pipe = self._guardian.stdin
        if pipe is not None and self._guardian.poll() is None:
            pipe.write(f"{line}\n".encode())
            pipe.flush()


class _Reaper:
    """Waits for processes in the background: a group with an unreaped zombie looks alive."""

    def __init__(self, processes: Sequence[subprocess.Popen[bytes]]) -> None:
        self._threads = [threading.Thread(target=process.wait, daemon=True) for process in processes]

    def __enter__(self) -> None:
        for thread in self._threads:
            thread.start()

    def __exit__(self, *_: object) -> None:
        for thread in self._threads:
            thread.join(timeout=5)


def _open_log(path: Path | None) -> IO[bytes] | None:
    """`path` opened for appending; a long one is put aside first, replacing the one before it."""
    if path is None:
        return None
    if path.exists() and path.stat().st_size > LOG_LIMIT_BYTES:
        path.replace(path.with_suffix(".1.log"))
    return path.open("ab")
