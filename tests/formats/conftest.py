"""Recordings read and then really replayed, and scripts really run, on the practice site."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from examples.practice.server import PracticeSite
from recipes_app.browser.launch import find_browser
from recipes_app.browser.session import BrowserSession
from recipes_app.engine.document import Recipe, dump_recipe, parse_recipe
from recipes_app.engine.runner import Outcome, RunOptions, run
from recipes_app.formats.playwright_py import write

Replay = Callable[..., Outcome]


@pytest.fixture
def replay(practice: PracticeSite, browse: Callable[..., Any]) -> Replay:
    """`replay(recipe, **arguments)`: the engine runs it on the practice site; the recipe survives a file first."""

    def go(recipe: Recipe, **arguments: Any) -> Outcome:
        document = parse_recipe(json.loads(json.dumps(dump_recipe(recipe))))
        assert document == recipe
        options = RunOptions(picture_on_failure=False, base_url=practice.url)

        def work(session: BrowserSession) -> Outcome:
            return run(document, arguments, session, emit=lambda event: None, options=options)

        outcome: Outcome = browse(work, url=practice.url)
        return outcome

    return go


@dataclass(frozen=True)
class Ran:
    status: int
    out: str
    err: str
    folder: Path

    @property
    def result(self) -> dict[str, Any]:
        assert self.out, self.err
        found: dict[str, Any] = json.loads(self.out)
        return found


RunScript = Callable[..., Ran]


@pytest.fixture
def run_script(practice: PracticeSite, tmp_path: Path) -> RunScript:
    """`run_script(recipe, "--q", "lamp")`: the exported script as a process of its own, without Agentify around it."""

    def go(recipe: Recipe, *arguments: str, **environment: str) -> Ran:
        file = tmp_path / f"{recipe.name}.py"
        file.write_text(write(recipe, base_url=practice.url), encoding="utf-8")
        env = {**os.environ, "CHROMIUM_PATH": find_browser(), "PYTHONPATH": "", **environment}
        command = [sys.executable, "-I", file.name, "--save-to", "saved", *arguments]
        done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=120, check=False)
        return Ran(done.returncode, done.stdout, done.stderr, tmp_path / "saved")

    return go
