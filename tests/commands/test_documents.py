"""The commands that the documents show are accepted as they stand there, and README's really do what it says."""

import json
import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class
from django.core.management.base import BaseCommand

from agentify_site.runtime.overview import COMMANDS
from agentify_site.runtime.ports import first_free
from recipes_app.management.given import take_words
from tests.runtime.processes import ROOT, environment, manage, started

DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"```sh\n(.*?)```", re.DOTALL)
INLINE = re.compile(r"`\./agentify ([^`]+)`")
OF_THE_SCRIPT = {"prepare", "test", "check", "help"}
WORDS = {"call": ("site", "tool"), "crawl": ("url",), "map": ("url",), "export": ("site",), "list": ("site",)}
NUMBERS = {"N": "3"}


def shown(path: Path) -> Iterator[str]:
    """What follows `./agentify` in its blocks and in its text."""
    text = path.read_text()
    for block in BLOCK.findall(text):
        lines = block.replace("\\\n", " ").splitlines()
        yield from (line.removeprefix("./agentify ") for line in lines if line.startswith("./agentify "))
    yield from INLINE.findall(text)


def examples() -> list[str]:
    found = [command for path in DOCUMENTS for command in shown(path)]
    found += [name for group in COMMANDS.values() for name in group if name != "NAME"]
    return sorted({re.sub(r"[\[\]]", "", command.split(" #")[0]).strip() for command in found})


def test_there_are_examples_to_look_at() -> None:
    assert len(examples()) > 15


@pytest.mark.parametrize("example", examples())
def test_every_command_that_is_shown_is_accepted_as_it_stands(example: str) -> None:
    name, *words = [NUMBERS.get(word, word) for word in shlex.split(example, comments=True)]
    name = name.replace("-", "_")
    if name in OF_THE_SCRIPT:
        return
    command: BaseCommand = load_command_class(get_commands()[name], name)
    parser = command.create_parser("./agentify", name)
    if words:  # else only its name is mentioned
        options = vars(parser.parse_args(words))
        if name in WORDS:
            take_words(options, *WORDS[name], optional=("site",) if name == "list" else ())


def ours(line: str, address: str, practice: str) -> list[str]:
    """README's line, but for where things are on this machine."""
    line = (
        line.split(" #", maxsplit=1)[0]
        .replace("http://127.0.0.1:8000", address)
        .replace("https://shop.example", practice)
    )
    words = shlex.split(os.path.expandvars(line.replace("--name shop", "--name practice")))
    return [*manage(), *words[1:]] if words[0] == "./agentify" else ["curl", "-sS", *words[1:]]


def readme_lines() -> dict[str, str]:
    """By their first words: `map`, `call`, `list`, `crawl`, `curl`."""
    blocks = "\n".join(BLOCK.findall((ROOT / "README.md").read_text())).replace("\\\n", " ")
    lines = [line for line in blocks.splitlines() if line.startswith(("./agentify ", "curl "))]
    return {line.split()[1] if line.startswith("./") else "curl": line for line in lines}


def make_token(var: Path) -> str:
    program = (
        "from recipes_app.models import Team, User; from recipes_app.services.tokens import make_token\n"
        "team, owner = Team.objects.get(), User.objects.get()\n"
        "print(make_token(team=team, owner=owner, name='readme', scopes=['read', 'call'])[1])"
    )
    done = subprocess.run(
        manage("shell", "--no-imports", "-c", program), env=environment(var), capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.mark.slow
def test_readme_s_commands_do_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    port = first_free(18700)
    with started(manage("up", "--port", str(port)), tmp_path) as up:
        assert up.stdout is not None
        assert up.stdout.readline().startswith(f"Agentify is up at http://127.0.0.1:{port};")
        shop = json.loads((tmp_path / "run" / "up.lock").read_text())["practice_port"]

        def run(name: str, typed: str = "") -> subprocess.CompletedProcess[str]:
            words = ours(readme_lines()[name], f"http://127.0.0.1:{port}", f"http://127.0.0.1:{shop}")
            return subprocess.run(
                words, cwd=tmp_path, env=environment(tmp_path), input=typed, capture_output=True, text=True, check=False
            )

        mapped = run("map", "search_products\n")
        assert (mapped.returncode, mapped.stdout) == (0, "search_products\n"), mapped.stderr
        assert (tmp_path / "recipes" / "practice.tools.json").exists()
        assert "search_products" in run("list").stdout
        called = run("call")
        assert json.loads(called.stdout)["ok"], called.stderr
        monkeypatch.setenv("AGENTIFY_TOKEN", make_token(tmp_path))
        answered = json.loads(run("curl").stdout)
        assert (answered["status"], answered["arguments"]["query"]) == ("done", "lamp"), answered
        assert run("crawl").returncode == 0
