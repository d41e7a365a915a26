"""`up` from start to end: one at a time, and nothing left of it however it ends."""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from agentify_site.runtime.paths import redis_socket, socket_url
from agentify_site.runtime.ports import first_free
from agentify_site.runtime.private_redis import answers
from tests.runtime.processes import descendants, environment, manage, started, wait_for

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")]
SERVICES = ("gunicorn", "worker calls", "worker agents", "worker packs", "upkeep")


@pytest.fixture
def var() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="agt") as name:
        yield Path(name)


@pytest.fixture
def up(var: Path) -> Iterator[subprocess.Popen[str]]:
    """`up`, once its address was printed and all its processes are there."""
    port = str(first_free(18000))
    with started(manage("up", "--port", port), var) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        assert first.startswith(f"Agentify is up at http://127.0.0.1:{port};"), first + str(process.stderr)
        assert wait_for(lambda: all(any(name in line for line in descendants(var)) for name in SERVICES))
        yield process


def nothing_is_left(var: Path) -> bool:
    """Redis hides its environment by renaming itself, so it is asked."""
    return not descendants(var) and not answers(socket_url(redis_socket(var)))


def address_of(var: Path) -> str:
    return str(json.loads((var / "run" / "up.lock").read_text())["address"])


def workers(var: Path, queue: str) -> set[int]:
    """The processes that work on a queue just now; one that is only being started, or gone, is not among them."""
    lines = subprocess.run(["ps", "-eo", "pid,args"], capture_output=True, text=True, check=True).stdout.splitlines()
    named = [int(line.split()[0]) for line in lines if line.endswith(f"manage.py worker {queue}")]
    return {pid for pid in named if _is_marked(pid, f"AGENTIFY_VAR={var}".encode())}


def _is_marked(pid: int, mark: bytes) -> bool:
    try:
        return mark in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return False  # it ended while we looked


def test_it_serves_pages_refuses_a_second_one_and_ctrl_c_leaves_nothing(up: subprocess.Popen[str], var: Path) -> None:
    with urllib.request.urlopen(address_of(var)) as page:
        assert page.status == 200
    for command in (manage("up"), manage("demo", "--once")):
        second = subprocess.run(command, env=environment(var), capture_output=True, text=True, check=False)
        assert second.returncode == 1
        assert re.fullmatch(rf"agentify: already running at {address_of(var)} \(process \d+\): .*\n", second.stderr)
    os.killpg(up.pid, signal.SIGINT)
    assert up.wait(timeout=30) == 0
    assert wait_for(lambda: nothing_is_left(var), limit_s=5), descendants(var)


def test_killing_it_leaves_nothing(up: subprocess.Popen[str], var: Path) -> None:
    up.kill()
    up.wait(timeout=10)
    assert wait_for(lambda: nothing_is_left(var), limit_s=20), descendants(var)


def test_a_worker_that_is_killed_is_started_again_and_that_is_said(up: subprocess.Popen[str], var: Path) -> None:
    assert wait_for(lambda: len(workers(var, "calls")) == 1)
    (before,) = workers(var, "calls")
    os.kill(before, signal.SIGKILL)
    assert up.stderr is not None
    assert up.stderr.readline().startswith("agentify: calls ended (killed by SIGKILL); starting it again in 1 s.")
    assert wait_for(lambda: workers(var, "calls") - {before})


def test_a_port_that_is_taken_is_one_line(var: Path) -> None:
    with started([sys.executable, "-m", "http.server", "18499", "--bind", "127.0.0.1"], var):
        assert wait_for(lambda: _answers("http://127.0.0.1:18499/"))
        refused = subprocess.run(
            manage("up", "--port", "18499"), env=environment(var), capture_output=True, text=True, check=False
        )
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr == ("agentify: port 18499 is taken: name a free one with --port, or leave --port out.\n")


def test_a_setting_of_models_that_makes_no_sense_is_one_line(var: Path) -> None:
    env = environment(var, MODEL_PRICES="{", RUN_BUDGET_USD="a lot")
    done = subprocess.run(manage("up"), env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("agentify: The setting RUN_BUDGET_USD makes no sense")
    assert "MODEL_PRICES" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert nothing_is_left(var)


def _answers(url: str) -> bool:
    try:
        urllib.request.urlopen(url).close()
    except OSError:
        return False
    return True
