"""The review room with a million files of 200,000 samples on PostgreSQL: queue, run page, search; and re-verification.

A database of its own is filled by COPY, first with a hundredth, then with all of it; 1,000 of the files are really
there. Each page is asked for in one process, through the whole of the web application but its server, by a reviewer.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from typing import Any

from agentify_site.runtime.errors import RuntimeProblem
from agentify_site.runtime.postgres import throwaway_postgres
from bench.cold import ROOT
from bench.frame import NotReady, Options, Result

FILES = 1_000_000
FIRST = 10_000
ROUNDS = 40
MOST_MS = 150.0
FLAT = 2.0  # times what a hundredth takes, or within a few milliseconds of it
FLAT_MS = 25.0
SHARE = 0.6


def run(options: Options) -> Result:
    """`samples`: how many rows of files in all; `rounds`: requests of each kind."""
    most = options.samples or FILES
    sizes = sorted({min(FIRST, most), most})
    measured: dict[int, dict[str, Any]] = {}
    try:
        with tempfile.TemporaryDirectory(prefix="agentify-bench-") as folder, throwaway_postgres() as url:
            env = {**os.environ, "DATABASE_URL": url, "AGENTIFY_VAR": folder, "EVIDENCE_ROOT": f"{folder}/evidence"}
            manage(env, "migrate", "--noinput", "-v0")
            for size in sizes:
                options.tell(f"{size:,} rows of files: {step(env, 'filling', size)}")
                measured[size] = step(env, "looking", options.rounds or ROUNDS)
                options.tell(f"{size:,}: {measured[size]}")
            verified = step(env, "reverifying")
    except RuntimeProblem as problem:
        raise NotReady(str(problem)) from problem
    return result_of(measured, verified)


def manage(env: Mapping[str, str], *words: str) -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), *words], env=env, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise NotReady(last_words(done.stderr))


def step(env: Mapping[str, str], name: str, *words: object) -> dict[str, Any]:
    """In a process of its own, with the database of the bench; what its last line says."""
    command = [sys.executable, "-m", "bench.audit", name, *map(str, words)]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NotReady(f"{name}: {last_words(done.stderr)}")
    said: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return said


def last_words(said: str) -> str:
    """The last line of an error that is one: a database points into its statement below it."""
    lines = [line.strip() for line in said.splitlines() if line.strip(" ^")]
    return next((line for line in reversed(lines) if "Error" in line), lines[-1] if lines else "no word")


def result_of(measured: Mapping[int, Mapping[str, float]], verified: Mapping[str, float]) -> Result:
    small, large = measured[min(measured)], measured[max(measured)]
    slowest = max(large.values())
    is_flat = all(large[name] <= max(FLAT * small[name], small[name] + FLAT_MS) for name in large)
    share = verified["hashlib s"] / verified["verified s"]
    detail = {
        "95th percentile, ms": {f"{size:,}": dict(found) for size, found in measured.items()},
        "flat": is_flat,
        "re-verified": {**verified, "share": share},
    }
    goal = f"<= {MOST_MS:.0f}, flat, re-verified at >= {SHARE} of hashlib"
    return Result("audit", slowest, "ms", goal, slowest <= MOST_MS and is_flat and share >= SHARE, None, detail)
