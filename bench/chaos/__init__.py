"""Evidence collected while workers are killed and Redis is restarted: nothing lost, nothing done twice.

Samples of a task that fills in a form of the practice site and sends it once, with a scripted model behind the real
client, two workers as real processes with upkeep beside them. Every 20 s one of them, in turns, is killed -9 and
started anew, in the midst of a sample if it has one; once Redis is restarted, empty. The site says how often each
request arrived.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from bench.frame import NotReady, Options, Result

ROOT = Path(__file__).resolve().parent.parent.parent
SAMPLES = 200
KILL_EVERY_S = 20.0
MOST_RESUME_S = 90.0
ZEROS = ("duplicated", "repeated", "never sent", "rows without file", "files without row")
GOAL = f"all complete, {', '.join(f'0 {name}' for name in ZEROS)}, a killed sample goes on within {MOST_RESUME_S:g} s"


def run(options: Options) -> Result:
    """`samples`: how many, SAMPLES unless given; `only`: seconds between two kills, KILL_EVERY_S unless given."""
    figures = conducted(options.samples or SAMPLES, seconds_between(options.only), options)
    return result_of(figures)


def result_of(figures: dict[str, Any]) -> Result:
    is_met = (
        figures["complete"] == figures["samples"]
        and not any(figures[name] for name in ZEROS)
        and figures["longest resume s"] <= MOST_RESUME_S
    )
    return Result("chaos", figures["complete"], f"of {figures['samples']} complete", GOAL, is_met, detail=figures)


def seconds_between(only: tuple[str, ...]) -> float:
    if not only:
        return KILL_EVERY_S
    if len(only) > 1 or not only[0].isdecimal() or not int(only[0]):
        raise NotReady("--only is the seconds between two kills here.")
    return float(only[0])


def conducted(samples: int, kill_every_s: float, options: Options) -> dict[str, Any]:
    """In a process of its own, whose settings name a folder and a database of this bench."""
    # The path of a socket must be short.
    with tempfile.TemporaryDirectory(prefix="agc") as folder:
        command = [sys.executable, "-m", "bench.chaos", folder, str(samples), str(kill_every_s)]
        env = {**os.environ, **environment(Path(folder))}
        with subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True) as process:
            last = ""
            for line in process.stdout or ():
                last = line.strip()
                options.tell(last)
        if process.returncode:
            raise NotReady(f"the bench ended with {process.returncode}: {last}")
    figures: dict[str, Any] = json.loads(last)
    return figures


def environment(folder: Path) -> dict[str, str]:
    return {
        "DJANGO_SETTINGS_MODULE": "agentify_site.settings",
        "AGENTIFY_VAR": str(folder),
        "EVIDENCE_ROOT": str(folder / "evidence"),
        "DATABASE_URL": f"sqlite:///{folder / 'chaos.sqlite3'}",
        "REDIS_URL": f"unix://{folder / 'redis'}?db=0",
        "SECRET_KEY": "of this bench",
        "LLM_PROVIDER": "anthropic",
        "LOG_LEVEL": "WARNING",
    }
