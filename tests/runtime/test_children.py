"""Processes we start end with us, their own children included."""

import os
import signal
import sys
import threading
from pathlib import Path

import pytest

from agentify_site.runtime.children import Children
from tests.runtime.processes import descendants, environment, started, wait_for

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")

STUBBORN = (
    "import signal, subprocess, sys, threading\n"
    "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    "subprocess.Popen([sys.executable, '-c', 'import threading; threading.Event().wait()'])\n"
    "print('ready', flush=True)\n"
    "threading.Event().wait()\n"
)
OWNER = f"""
import sys, threading
from agentify_site.runtime.children import Children
children = Children()
children.start("stubborn", [sys.executable, "-c", {STUBBORN!r}])
threading.Event().wait()
"""


def test_a_child_that_ignores_sigterm_is_killed_with_its_own_children(tmp_path: Path) -> None:
    children = Children()
    log = tmp_path / "log"
    child = children.start("stubborn", [sys.executable, "-c", STUBBORN], env=environment(tmp_path), log=log)
    assert wait_for(lambda: "ready" in log.read_text())
    assert len(descendants(tmp_path)) == 2
    children.end(child, grace_s=0.2)
    assert wait_for(lambda: not descendants(tmp_path), limit_s=5)
    children.end_all()


@pytest.mark.slow
def test_killing_the_owner_ends_even_a_child_that_ignores_sigterm(tmp_path: Path) -> None:
    with started([sys.executable, "-c", OWNER], tmp_path, PYTHONPATH=str(Path.cwd())) as owner:
        assert owner.stdout is not None
        assert owner.stdout.readline() == "ready\n"
        os.kill(owner.pid, signal.SIGKILL)
        owner.wait(timeout=10)
        assert wait_for(lambda: not descendants(tmp_path), limit_s=15), descendants(tmp_path)


def test_a_thread_that_may_end_before_the_child_cannot_start_one() -> None:
    refusals: list[str] = []

    def try_to_start() -> None:
        try:
            Children().start("child", ["true"])
        except RuntimeError as refusal:
            refusals.append(str(refusal))

    thread = threading.Thread(target=try_to_start)
    thread.start()
    thread.join()
    assert len(refusals) == 1
    assert "main thread" in refusals[0]
