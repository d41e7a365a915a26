"""The pages that other tools of the field got wrong, which are tests of the engine: run here and counted."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
FILES = (
    "tests/engine/test_known_cases.py",
    "tests/engine/test_wrong_actions.py",
    "tests/engine/test_targets.py",
)
LIMIT_S = 900
COUNTED = re.compile(r"(\d+) (passed|failed|error)")


@dataclass(frozen=True, slots=True)
class Cases:
    passed: int
    failed: int

    def __str__(self) -> str:
        return f"{self.passed} of {self.passed + self.failed}"


def run_cases() -> Cases:
    command = [sys.executable, "-m", "pytest", "-q", "--no-header", "-p", "no:cacheprovider", *FILES]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=LIMIT_S, check=False).stdout
    counts = {word: int(number) for number, word in COUNTED.findall(said.splitlines()[-1] if said else "")}
    failed = counts.get("failed", 0) + counts.get("error", 0)
    # A run that counted nothing did not run.
    return Cases(counts.get("passed", 0), failed if counts else 1)
