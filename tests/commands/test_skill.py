"""The skill: put in its place, and each of its commands run as it is written there."""

import json
import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from examples.practice.server import PracticeSite
from recipes_app.version import VERSION
from tests.commands.conftest import Agentify
from tests.runtime.processes import ROOT, environment, manage

BLOCK = re.compile(r"```sh\n(.*?)```", re.DOTALL)
KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY")


def commands() -> list[str]:
    return [line for block in BLOCK.findall((ROOT / "SKILL.md").read_text()) for line in block.splitlines()]


def test_it_is_installed_for_either_tool_and_leads_here(agentify: Agentify, tmp_path: Path) -> None:
    for tool in ("claude", "codex"):
        for _ in range(2):  # twice does no harm
            ended = agentify("install_skill", "--tool", tool, "--into", str(tmp_path / tool))
            assert (ended.status, ended.out) == (0, "")
        folder = tmp_path / tool / "agentify"
        assert sorted(path.name for path in folder.iterdir()) == ["SKILL.md", "agentify"]
        assert (folder / "SKILL.md").read_text() == (ROOT / "SKILL.md").read_text()
        said = subprocess.run(
            ["sh", "-c", '"$SKILL_DIR/agentify" --version'], env={**os.environ, "SKILL_DIR": str(folder)},
            cwd=tmp_path, capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert said.stdout == f"Agentify {VERSION}\n"


def test_what_somebody_else_keeps_there_is_left_alone(agentify: Agentify, tmp_path: Path) -> None:
    mine = tmp_path / "skills" / "agentify"
    mine.mkdir(parents=True)
    (mine / "notes.md").write_text("mine")
    ended = agentify("install_skill", "--tool", "claude", "--into", str(tmp_path / "skills"))
    assert (ended.status, "move it away first" in ended.err) == (2, True)
    assert [path.name for path in mine.iterdir()] == ["notes.md"]


def test_its_head_says_name_and_when_to_use_it() -> None:
    head = (ROOT / "SKILL.md").read_text().split("---\n")[1].splitlines()
    fields = dict(line.split(": ", 1) for line in head)
    assert fields["name"] == "agentify"
    assert 50 < len(fields["description"]) <= 1024


@pytest.mark.slow
def test_each_of_its_commands_does_what_it_says(tmp_path: Path, practice: PracticeSite) -> None:
    """As written, in a shell; only the shop's address is another, and what is private is allowed beforehand."""
    (tmp_path / "agentify").write_text(f'#!/bin/sh\nname=$1; shift\nexec {shlex.join(manage())} "$name" "$@"\n')
    (tmp_path / "agentify").chmod(0o755)
    host = practice.url.removeprefix("http://")
    env = environment(tmp_path / "var") | {"SKILL_DIR": str(tmp_path), "ALLOWED_PRIVATE_HOSTS": host}
    env = {name: value for name, value in env.items() if name not in KEYS}

    def run(line: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["sh", "-c", line.replace("https://shop.example", practice.url)],
            cwd=tmp_path, env=env, input="", capture_output=True, text=True, check=False,
        )  # fmt: skip

    ended = [(line, run(underscored(line))) for line in commands()]
    wants_a_key = {line: 2 if "run-mapped" in line else 1 for line in commands() if " run-" in line}
    expected = {line: wants_a_key.get(line, 0) for line in commands()}
    assert {line: done.returncode for line, done in ended} == expected, "\n".join(done.stderr for _, done in ended)
    said = {line.split('agentify" ')[1]: done for line, done in ended}
    assert json.loads(said["list --json"].stdout) == []
    call = next(done for line, done in said.items() if line.startswith("call "))
    assert json.loads(call.stdout)["ok"] is True
    assert json.loads((tmp_path / "shop.openapi.json").read_text())["openapi"] == "3.1.0"
    assert "def search_products(" in (tmp_path / "shop_tools.py").read_text()
    for line, done in ended:
        if line in wants_a_key:
            assert "_API_KEY" in done.stderr, line


def underscored(line: str) -> str:
    """As the script does with the command's name."""
    return re.sub(r'(agentify" )([a-z-]+)', lambda found: found[1] + found[2].replace("-", "_"), line)
