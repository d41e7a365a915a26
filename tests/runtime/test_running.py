"""Who runs on a folder, and where."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from agentify_site.runtime.errors import AlreadyRunning
from agentify_site.runtime.running import Running, lock_file, the_only_one, who_runs
from tests.runtime.processes import ROOT, environment


def test_the_address_is_known_while_it_runs_and_no_longer(tmp_path: Path) -> None:
    assert who_runs(tmp_path) is None
    with the_only_one(tmp_path, address="http://127.0.0.1:8003") as note_practice:
        assert who_runs(tmp_path) == Running("http://127.0.0.1:8003")
        note_practice(8702)
        assert who_runs(tmp_path) == Running("http://127.0.0.1:8003", 8702)
        with pytest.raises(AlreadyRunning, match="8003"), the_only_one(tmp_path, address="http://127.0.0.1:1"):
            pass
    assert who_runs(tmp_path) is None


@pytest.mark.parametrize(
    "left", ["", "[1]", "{", '{"pid": "x"}', '{"pid": 999999999, "address": "http://a"}', '{"pid": OWN}']
)
def test_what_a_killed_one_left_behind_is_not_believed(tmp_path: Path, left: str) -> None:
    lock_file(tmp_path).parent.mkdir()
    lock_file(tmp_path).write_text(left.replace("OWN", str(os.getpid())))
    assert who_runs(tmp_path) is None


def test_a_living_process_that_does_not_hold_the_folder_is_not_it(tmp_path: Path) -> None:
    lock_file(tmp_path).parent.mkdir()
    lock_file(tmp_path).write_text(json.dumps({"pid": os.getpid(), "address": "http://127.0.0.1:8003"}))
    assert who_runs(tmp_path) is None


def settings_beside(var: Path, **env: str) -> list[str]:
    """PUBLIC_URL, PRACTICE_PORT and PRACTICE_RUNS of a command on that folder."""
    program = "from agentify_site.settings import *; print(PUBLIC_URL, PRACTICE_PORT, PRACTICE_RUNS)"
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=environment(var, **{"PUBLIC_URL": "", **env}),
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.split()


def test_a_command_beside_it_knows_where_the_pages_and_the_practice_shop_are(tmp_path: Path) -> None:
    assert settings_beside(tmp_path) == ["http://127.0.0.1:8000", "8700", "False"]
    with the_only_one(tmp_path, address="http://127.0.0.1:8003") as note_practice:
        note_practice(8702)
        assert settings_beside(tmp_path) == ["http://127.0.0.1:8003", "8702", "True"]
        assert settings_beside(tmp_path, PUBLIC_URL="https://tools.example.org/")[0] == "https://tools.example.org"
