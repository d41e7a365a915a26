"""A process that cannot come up: the terminal says why, and what would wait for it gives up."""

import os
import sys
from pathlib import Path

import pytest

from agentify_site.runtime import supervisor as module
from agentify_site.runtime.children import Children
from agentify_site.runtime.errors import StartProblem
from agentify_site.runtime.supervisor import Service, StopFlag, Supervisor, last_line

BROKEN = Service("agents", (sys.executable, "-c", "raise ImportError('no such word')"))
ERRAND = Service("errand", (sys.executable, "-c", "import signal; signal.pause()"), once=True)


def test_an_errand_does_not_wait_for_ever_for_a_worker_that_cannot_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(module, "GIVEN_UP", 2)
    monkeypatch.setattr(module, "WORST_DELAY_S", 0.0)
    children = Children()
    keeper = Supervisor(children, env=os.environ, root=tmp_path, logs=tmp_path, stop=StopFlag())
    try:
        keeper.start([BROKEN, ERRAND])
        with pytest.raises(StartProblem, match="agents ended 2 times in a row: ImportError: no such word"):
            keeper.keep(until_done="errand")
    finally:
        children.end_all()
    said = capfd.readouterr().err
    assert "agents ended (exit status 1): ImportError: no such word; starting it again in" in said


def test_the_last_line_of_a_log_is_the_last_with_words(tmp_path: Path) -> None:
    log = tmp_path / "x.log"
    assert last_line(log) == ""
    log.write_text("first\n" + "long " * 5000 + "\n  ValueError: late  \n\n")
    assert last_line(log) == "ValueError: late"
