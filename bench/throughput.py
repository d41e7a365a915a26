"""Two workers against one, beside two bare Playwright loops against one in the same run; and a worker's memory.

A worker here is a process with a browser thread that replays the flow of the bench `replay` again and again; a bare
loop is a process that does the same steps by hand. What the second one adds depends on the machine, so the goal is a
share of what it adds to the bare loop. Memory is that of one worker with all its processes, over many short calls.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

from bench.cold import GREETING, NAME, PAGE, ROOT, registry
from bench.frame import NotReady, Options, Result, median
from bench.replay import by_hand, open_place, pages, recorded, rows_at_once
from bench.serving import context_for, served
from recipes_app.browser.thread import BrowserThread, Desk
from recipes_app.engine.document import Recipe, parse_registry
from recipes_app.engine.runner import Outcome
from recipes_app.engine.runner import run as run_recipe

ROUNDS = 30
GOAL = 0.9
SPAN_S = 2.0
WARM_UP = 3
CALLS = 500
CALLS_A_ROUND = 20
SAMPLE_EVERY = 25
# From one hundred calls, when the browser has been replaced once, to the end.
MOST_GROWTH = 1.1
KINDS = ("workers", "bare loops")


def run(options: Options) -> Result:
    rounds = options.rounds or ROUNDS
    with served(pages()) as address:
        taken = rates(address, rounds, options)
    sizes = memory(CALLS if rounds >= ROUNDS else max(4 * SAMPLE_EVERY, CALLS_A_ROUND * rounds), options)
    return result_of(taken, sizes)


# --- calls a second


def rates(address: str, rounds: int, options: Options) -> dict[tuple[str, int], list[float]]:
    """By kind and number of processes; they take turns, and all processes stay up, so that none is favoured."""
    taken: dict[tuple[str, int], list[float]] = {(kind, count): [] for kind in KINDS for count in (1, 2)}
    with ExitStack() as stack:
        loops = {kind: [stack.enter_context(loop(kind, address)) for _ in range(2)] for kind in KINDS}
        for number in range(rounds):
            for kind, count in turned(list(taken), number):
                taken[kind, count].append(rate_of(loops[kind][:count]))
            options.tell(f"round {number + 1}: { ({key: round(values[-1], 2) for key, values in taken.items()}) }")
    return taken


def turned(arms: list[tuple[str, int]], number: int) -> list[tuple[str, int]]:
    shift = number % len(arms)
    return arms[shift:] + arms[:shift]


@contextmanager
def loop(kind: str, address: str) -> Iterator[subprocess.Popen[str]]:
    """A process that answers each line it is given with how many times a second it went through the flow."""
    command = [sys.executable, "-m", "bench.throughput", kind, address]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            if said(process) != "ready":
                raise NotReady(f"one of the {kind} did not start")
            yield process
        finally:
            process.communicate("\n")


def rate_of(processes: list[subprocess.Popen[str]]) -> float:
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    return sum(float(said(process) or "nan") for process in processes)


def said(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def serve_loop(kind: str, address: str) -> None:
    """The other side of `loop`: until an empty line comes."""
    with open_place(address) as place:
        once: Callable[[], object] = (
            partial(place.replay, recorded(place))
            if kind == "workers"
            else partial(by_hand, place.browser, address, rows_at_once)
        )
        for _ in range(WARM_UP):
            once()
        print("ready", flush=True)
        while sys.stdin.readline().strip():
            print(timed(once), flush=True)


def timed(once: Callable[[], object]) -> float:
    """How often a second: whole runs only, until SPAN_S have passed."""
    started, done = monotonic(), 0
    while monotonic() - started < SPAN_S:
        once()
        done += 1
    return done / (monotonic() - started)


# --- memory


def memory(calls: int, options: Options) -> list[float]:
    """Megabytes of a worker and all its processes, every SAMPLE_EVERY calls, with the limits a worker has."""
    with served({"/": PAGE}) as address:
        tool = parse_registry(registry(address)).tools[0]
        thread = BrowserThread()
        sizes = []
        try:
            thread.warm(context_for(address))
            for number in range(1, calls + 1):
                greet(thread, tool, address)
                if number % SAMPLE_EVERY == 0:
                    sizes.append(tree_mb())
                    options.tell(f"call {number}: {sizes[-1]:.0f} MB")
        finally:
            thread.stop()
    return sizes


def greet(thread: BrowserThread, tool: Recipe, address: str) -> None:
    def work(desk: Desk) -> Outcome:
        with desk.session(context_for(address)) as session:
            return run_recipe(tool, {"name": NAME}, session, emit=desk.emit)

    outcome = thread.call(work)
    if outcome.data.get("greeting") != GREETING:
        raise NotReady(f"the recipe failed: {outcome.error}")


def tree_mb() -> float:
    """Of this process and all below it; a page that several of them share is shared out among them."""
    sizes: dict[int, float] = {}
    parents: dict[int, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            lines = (folder / "smaps_rollup").read_text().splitlines()
            sizes[int(folder.name)] = next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024
        except (OSError, StopIteration):
            # It has ended, or is the system's own.
            continue
    own = int(Path("/proc/self").readlink().name)
    return sum(size for pid, size in sizes.items() if is_below(pid, own, parents))


def is_below(pid: int, own: int, parents: Mapping[int, int]) -> bool:
    while pid and pid != own:
        pid = parents.get(pid, 0)
    return pid == own


def growth(sizes: list[float]) -> float:
    """Of the last fifth against what it was after the first."""
    part = max(1, len(sizes) // 5)
    return statistics.fmean(sizes[-part:]) / statistics.fmean(sizes[part : 2 * part])


def result_of(taken: Mapping[tuple[str, int], list[float]], sizes: list[float]) -> Result:
    per_s = {key: median(values) for key, values in taken.items()}
    gains = {kind: per_s[kind, 2] / per_s[kind, 1] for kind in KINDS}
    value, grown = gains["workers"] / gains["bare loops"], growth(sizes)
    detail: dict[str, Any] = {
        "rounds": len(taken["workers", 1]),
        "flows a second": {f"{count} {kind}": rate for (kind, count), rate in per_s.items()},
        "two against one": gains,
        "calls": len(sizes) * SAMPLE_EVERY,
        "memory MB": [round(size) for size in sizes],
        "memory grown": grown,
    }
    met = value >= GOAL and grown <= MOST_GROWTH
    goal = f">= {GOAL}, memory grown <= {MOST_GROWTH}"
    return Result("throughput", value, "of two bare loops against one", goal, met, 1.0, detail)


if __name__ == "__main__":
    serve_loop(*sys.argv[1:])
