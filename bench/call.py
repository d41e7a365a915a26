"""From HTTP POST to the result over the queue, warm, minus the steps of the flow.

An installation of its own is started for it (`./agentify up` in a folder that is removed again), with one tool of
three steps. What is left after the steps: the API, the rows, the queue, the context taken and given back, the wait.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from threading import Event
from time import perf_counter
from typing import Any
from urllib.parse import urlsplit

from agentify_site.runtime.ports import first_free
from bench.cold import GREETING, NAME, PAGE, ROOT, TOOL, registry
from bench.frame import NotReady, Options, Result, median
from bench.serving import served

ROUNDS = 30
WARM_UP = 3
GOAL_MS = 60
LIMIT_S = 120
SITE = "greeting"
# The measuring process may itself be of another installation.
NOT_OURS = ("REDIS_URL", "DATABASE_URL", "DJANGO_SETTINGS_MODULE")
MAKE_TOKEN = f"""
from recipes_app.models import Site
from recipes_app.management.acting import find_user
from recipes_app.services.tokens import make_token
site = Site.objects.get(slug="{SITE}")
print(make_token(team=site.team, owner=find_user(""), name="bench", scopes=["read", "call"])[1])
"""


@dataclass(frozen=True, slots=True)
class Installation:
    folder: Path

    @property
    def environment(self) -> dict[str, str]:
        clean = {key: value for key, value in os.environ.items() if key not in NOT_OURS}
        return {**clean, "AGENTIFY_VAR": str(self.folder / "var")}

    def say(self, *words: str) -> str:
        """What `./agentify …` puts on standard output."""
        ended = subprocess.run(
            [str(ROOT / "agentify"), *words],
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
            check=False,
        )
        if ended.returncode:
            raise NotReady(f"./agentify {words[0]} ended with {ended.returncode}: {ended.stderr.strip()[-300:]}")
        return ended.stdout.strip()

    def prepare(self, address: str) -> str:
        """One published tool that may reach its site; returns the secret of a token that may call it."""
        file = self.folder / "greeting.tools.json"
        file.write_text(json.dumps(registry(address)), encoding="utf-8")
        self.say("import", str(file), "--site", SITE, "--accept", "measured only")
        self.say("call", SITE, TOOL, "--args", json.dumps({"name": NAME}), "--allow-private")
        return self.say("shell", "-c", MAKE_TOKEN).splitlines()[-1]

    @contextmanager
    def up(self) -> Iterator[str]:
        """Its address as host and port, as long as the block lasts."""
        command = [str(ROOT / "agentify"), "up", "--port", str(first_free(18600))]
        log = self.folder / "up.log"
        with (
            log.open("w", encoding="utf-8") as errors,
            subprocess.Popen(
                command, cwd=ROOT, env=self.environment, stdout=subprocess.PIPE, stderr=errors, text=True
            ) as process,
        ):
            try:
                assert process.stdout is not None
                first = process.stdout.readline()
                if "http://" not in first:
                    raise NotReady(f"./agentify up did not start: {first}{log.read_text(encoding='utf-8')[-300:]}")
                yield urlsplit(first.partition("at ")[2].partition(";")[0]).netloc
            finally:
                process.send_signal(signal.SIGTERM)
                process.wait(timeout=LIMIT_S)


@dataclass(frozen=True, slots=True)
class Caller:
    netloc: str
    token: str

    def call(self) -> tuple[float, float]:
        """Milliseconds from the request to its answer, and those of the steps in it."""
        headers = {
            "Authorization": f"Bearer {self.token}",
            "Content-Type": "application/json",
            "Prefer": "wait=30",
        }
        body = json.dumps({"arguments": {"name": NAME}})
        started = perf_counter()
        connection = HTTPConnection(self.netloc, timeout=LIMIT_S)
        try:
            connection.request("POST", f"/api/v1/sites/{SITE}/tools/{TOOL}/calls", body, headers)
            answer = connection.getresponse()
            said = answer.read()
        finally:
            connection.close()
        total = (perf_counter() - started) * 1000
        return total, steps_ms(answer.status, said)


def steps_ms(status: int, said: bytes) -> float:
    given: Mapping[str, Any] = json.loads(said)
    result = given.get("result") or {}
    if status != 200 or (result.get("data") or {}).get("greeting") != GREETING:
        raise NotReady(f"the call was answered with {status}: {said.decode()[:300]}")
    return float(sum(step["ms"] for step in result["steps"]))


def run(options: Options) -> Result:
    # Short, as the path of a socket has to be.
    with tempfile.TemporaryDirectory(prefix="agt", ignore_cleanup_errors=True) as folder, served({"/": PAGE}) as site:
        installation = Installation(Path(folder))
        options.tell("preparing an installation")
        token = installation.prepare(site)
        with installation.up() as netloc:
            taken = calls(Caller(netloc, token), options)
    return result_of(taken)


def calls(caller: Caller, options: Options) -> list[tuple[float, float]]:
    """The first ones, which find a worker that is still starting, are not counted."""
    taken: list[tuple[float, float]] = []
    for number in range(-WARM_UP, options.rounds or ROUNDS):
        total, steps = caller.call()
        options.tell(f"call {number + 1}: {total:.0f} ms, steps {steps:.0f} ms")
        if number >= 0:
            taken.append((total, steps))
        # Between calls a worker makes its next context ready, as it does where calls do not follow at once.
        Event().wait(0.3)
    return taken


def result_of(taken: list[tuple[float, float]]) -> Result:
    rest = [total - steps for total, steps in taken]
    value = median(rest)
    detail = {
        "rounds": len(taken),
        "median ms": {"whole": median([total for total, _ in taken]), "steps": median([steps for _, steps in taken])},
        "least ms": min(rest),
        "most ms": max(rest),
    }
    return Result("call", value, "ms", f"<= {GOAL_MS} ms", value <= GOAL_MS, None, detail)
