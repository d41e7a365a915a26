"""Keeps a set of processes running: starts them in order, again after a crash, and ends them all.

The main thread does everything; signals only set a flag it looks at. See `children` for what happens when this
process itself is killed.
"""

import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from agentify_site.runtime.children import Child, Children
from agentify_site.runtime.errors import StartProblem
from agentify_site.runtime.terminal import say

LOOK_S = 0.2
CALM_S = 60.0  # a process that ran this long has recovered
WORST_DELAY_S = 30.0
RECYCLED_S = 3.0
HOPELESS = 3  # crashes in a row while coming up
GIVEN_UP = 5  # crashes in a row, about 15 s, of what an errand would wait for without an end
TAIL_BYTES = 4096


@dataclass(frozen=True, slots=True)
class Service:
    """A process to keep running.

    `once`: its end is its result, and it writes to our terminal. `last`: others need it, so it is ended after them.
    """

    name: str
    command: tuple[str, ...]
    once: bool = False
    last: bool = False


@dataclass(slots=True)
class _Slot:
    service: Service
    child: Child | None = None
    started: float = 0.0
    crashes: int = 0
    due: float = 0.0
    result: int | None = None


@dataclass(slots=True)
class StopFlag:
    """Set by Ctrl-C, SIGTERM or a closed terminal; how often says how patient the sender still is."""

    event: threading.Event = field(default_factory=threading.Event)
    times: int = 0

    def raise_flag(self, _number: int, _frame: object) -> None:
        self.times += 1
        self.event.set()


@contextmanager
def listening_for_stop() -> Iterator[StopFlag]:
    """Signals set the flag inside this block, and do what they did before after it."""
    flag = StopFlag()
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.signal(number, flag.raise_flag) for number in numbers}
    try:
        yield flag
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class Supervisor:
    def __init__(self, children: Children, *, env: Mapping[str, str], root: Path, logs: Path, stop: StopFlag) -> None:
        self._children = children
        self._env = dict(env)
        self._root = root
        self._logs = logs
        self._stop = stop
        self._slots: list[_Slot] = []

    def start(self, services: Sequence[Service]) -> None:
        for service in services:
            slot = _Slot(service)
            self._slots.append(slot)
            self._launch(slot)

    def adopt(self, service: Service, child: Child) -> None:
        """Look after a process that was started already."""
        self._slots.append(_Slot(service, child, started=time.monotonic()))

    def wait_until(self, ready: Callable[[], bool], *, limit_s: float, what: str) -> None:
        """Look after the processes until `ready`, or raise StartProblem; a stop ends the wait."""
        limit = time.monotonic() + limit_s
        while not self._stop.event.wait(LOOK_S) and not ready():
            self.look()
            if time.monotonic() > limit or any(slot.crashes >= HOPELESS for slot in self._slots):
                raise StartProblem(
                    f"{what} did not come up in {limit_s:.0f} s; the reason is at the end of {self._logs}/."
                )

    def keep(self, *, until_done: str | None = None) -> int | None:
        """Look after the processes until told to stop, or until the `once` service of that name ended; its status.

        While such a one is waited for, StartProblem where a process it may need does not come up.
        """
        while not self._stop.event.wait(LOOK_S):
            self.look()
            if until_done is not None:
                self._refuse_the_hopeless()
            done = next((slot for slot in self._slots if slot.service.name == until_done), None)
            if done is not None and done.result is not None:
                return done.result
        return None

    def _refuse_the_hopeless(self) -> None:
        for slot in self._slots:
            if slot.crashes >= GIVEN_UP:
                name = slot.service.name
                log = self._logs / f"{name}.log"
                raise StartProblem(f"{name} ended {slot.crashes} times in a row: {last_line(log)} (the end of {log})")

    def look(self) -> None:
        """Notice processes that ended; start again those whose time has come."""
        now = time.monotonic()
        for slot in self._slots:
            if slot.child is not None and (status := slot.child.ended()) is not None:
                self._children.forget(slot.child)
                slot.child = None
                self._ended(slot, status, now)
            if slot.child is None and slot.result is None and now >= slot.due:
                self._launch(slot)

    def end(self) -> None:
        """End them all; a second Ctrl-C makes it quick."""
        grace_s = 5.0 if self._stop.times < 2 else 0.5
        for last in (False, True):
            slots = [slot for slot in self._slots if slot.service.last == last]
            self._children.end(*(slot.child for slot in slots if slot.child is not None), grace_s=grace_s)
            for slot in slots:
                slot.child = None

    def _launch(self, slot: _Slot) -> None:
        log = None if slot.service.once else self._logs / f"{slot.service.name}.log"
        slot.started = time.monotonic()
        slot.child = self._children.start(
            slot.service.name, slot.service.command, env=self._env, cwd=self._root, log=log
        )

    def _ended(self, slot: _Slot, status: int, now: float) -> None:
        if slot.service.once:
            slot.result = status
            return
        ran = now - slot.started
        if status == 0 and ran > RECYCLED_S:  # a worker that had its number of jobs: not worth a word
            slot.due = now
            return
        slot.crashes = 1 if ran > CALM_S else slot.crashes + 1
        name, log = slot.service.name, self._logs / f"{slot.service.name}.log"
        delay = min(2.0 ** (slot.crashes - 1), WORST_DELAY_S)
        slot.due = now + delay
        said = f": {reason}" if status > 0 and (reason := last_line(log)) else ""
        say(f"{name} ended ({in_words(status)}){said}; starting it again in {delay:.0f} s. Its log: {log}")


def last_line(log: Path) -> str:
    """Mostly the exception that ended the process."""
    try:
        with log.open("rb") as file:
            file.seek(max(0, log.stat().st_size - TAIL_BYTES))
            lines = file.read().decode(errors="replace").split("\n")
    except OSError:
        return ""
    return next((line.strip() for line in reversed(lines) if line.strip()), "")


def in_words(status: int) -> str:
    """An exit status as people say it: `exit status 1`, `killed by SIGKILL`."""
    if status >= 0:
        return f"exit status {status}"
    try:
        return f"killed by {signal.Signals(-status).name}"
    except ValueError:
        return f"killed by signal {-status}"
