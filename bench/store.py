"""Two gigabytes streamed into the store, hashed on the way: its memory; and re-verification beside hashlib alone.

The file is made and stored in a process of its own, whose largest memory the system keeps. Then the same bytes are
verified as `verify-ledger` does it, and hashed by a bare loop over the open file; both take turns.
"""

from __future__ import annotations

import hashlib
import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

from bench.cold import ROOT
from bench.frame import NotReady, Options, Result, alternate, median
from evidence_app.store.blobs import CHUNK, FileBlobs, check

MEGABYTES = 2048
MOST_MIB = 200
SHARE = 0.6
ROUNDS = 3


def run(options: Options) -> Result:
    """`samples`: megabytes to stream."""
    megabytes = options.samples or MEGABYTES
    with tempfile.TemporaryDirectory(prefix="agentify-bench-") as folder:
        stored = stored_elsewhere(Path(folder), megabytes)
        options.tell(f"stored: {stored}")
        blobs = FileBlobs(Path(folder))
        path = blobs.path_of(stored["sha256"])
        arms = {"verified": lambda: check(blobs, stored["sha256"]), "hashlib": lambda: bare(path)}
        taken = alternate(arms, options.rounds or ROUNDS)
    return result_of(stored, {name: median(values) for name, values in taken.items()}, megabytes)


def stored_elsewhere(folder: Path, megabytes: int) -> dict[str, Any]:
    command = [sys.executable, "-m", "bench.store", str(folder), str(megabytes)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NotReady(f"nothing was stored: {done.stderr.strip().splitlines()[-1]}")
    said: dict[str, Any] = json.loads(done.stdout)
    return said


def pieces(megabytes: int) -> Iterator[bytes]:
    """No two alike, and none that compresses."""
    seed = hashlib.shake_256(b"bench").digest(CHUNK)
    for number in range(megabytes):
        yield number.to_bytes(8, "big") + seed[8:]


def bare(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def result_of(stored: dict[str, Any], seconds: dict[str, float], megabytes: int) -> Result:
    share = seconds["hashlib"] / seconds["verified"]
    peak = stored["peak KiB"] / 1024
    detail = {
        "megabytes": megabytes,
        "stored MB/s": megabytes / stored["s"],
        "verified MB/s": megabytes / seconds["verified"],
        "hashlib MB/s": megabytes / seconds["hashlib"],
        "verified against hashlib": share,
    }
    goal = f"< {MOST_MIB} MiB, verified at >= {SHARE} of hashlib"
    return Result("store", peak, "MiB at most", goal, peak < MOST_MIB and share >= SHARE, None, detail)


def store_here(folder: str, megabytes: str) -> None:
    """The other side of `stored_elsewhere`."""
    started = perf_counter()
    blob = FileBlobs(Path(folder)).put(pieces(int(megabytes)))
    peak = peak_kib()
    print(json.dumps({"sha256": blob.sha256, "size": blob.size, "s": perf_counter() - started, "peak KiB": peak}))


def peak_kib() -> int:
    """Of this process alone: Linux's ru_maxrss remembers what the process that started it held."""
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
        return int(line.split()[1])
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (1024 if sys.platform == "darwin" else 1)


if __name__ == "__main__":
    store_here(*sys.argv[1:])
