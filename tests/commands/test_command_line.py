"""The words after ./agentify, in processes of their own: what is loaded, what is said, and the exit status."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from agentify_site.command_line import will_browse
from examples.practice.server import PracticeSite
from tests.runtime.processes import ROOT, descendants, environment, manage, started, wait_for


def run(var: Path, *words: str, typed: str | None = None, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        manage(*words), cwd=var, env=environment(var, **env), capture_output=True, text=True, check=False, input=typed
    )


@pytest.fixture(scope="module")
def var(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder whose database is made."""
    folder = tmp_path_factory.mktemp("var")
    assert run(folder, "list").returncode == 0
    return folder


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("lst",), "there is no command lst; did you mean list? ./agentify lists them."),
        (("run-demoo",), "there is no command run-demoo"),
        (("list", "--nope"), "unrecognized arguments: --nope; ./agentify list --help shows what it takes."),
        (("map", "x.test", "--max-pages", "y"), "argument --max-pages: invalid int value: 'y'; ./agentify map --help"),
        (("worker", "nope"), "argument queue: invalid choice: 'nope'"),
        (("up", "--port", "x"), "argument --port: invalid int value"),
        (("reset", "--site", "nope"), "There is no site nope."),
        (("reset", "--site", "a", "--everything"), "argument --everything: not allowed with argument --site"),
        (("call", "nope", "search", "--args", "{}"), "there is no site nope."),
        (("migrate", "--nope"), "unrecognized arguments: --nope; ./agentify migrate --help"),
        (("createsuperuser", "--noinput"), "You must use --username with --noinput."),
    ],
)
def test_what_is_refused_is_one_line_by_our_name(var: Path, words: tuple[str, ...], said: str) -> None:
    ended = run(var, *words)
    assert ended.stderr.startswith("agentify: ")
    assert said in ended.stderr
    assert (ended.stderr.count("\n"), ended.stdout) == (1, "")
    assert ended.returncode == (1 if words[0] == "createsuperuser" else 2)


@pytest.mark.parametrize("way", [("--task", "--url"), ("--prompt",)])
def test_a_run_without_a_model_is_refused_in_one_line(var: Path, tmp_path: Path, way: tuple[str, ...]) -> None:
    task = tmp_path / "task.json"
    task.write_text(json.dumps({"task_id": "t", "goal": "g", "output_schema": {"name": "string"}}))
    given = {"--task": str(task), "--url": "http://a.example/", "--prompt": "collect the owners"}
    no_keys = {"OPENAI_API_KEY": "", "OPENAI_BASE_URL": "", "ANTHROPIC_API_KEY": "", "LLM_PROVIDER": ""}
    ended = run(var, "run_task", *[word for each in way for word in (each, given[each])], **no_keys)
    assert ended.stderr == "agentify: No model is set up: set OPENAI_API_KEY or ANTHROPIC_API_KEY.\n"
    assert ended.returncode == 1


@pytest.mark.parametrize("command", ["list", "up", "createsuperuser"])
@pytest.mark.parametrize(
    ("setting", "value", "said"),
    [
        ("LEASE_S", "abc", "the setting LEASE_S makes no sense: invalid literal for int()"),
        ("DATABASE_URL", "nonsense", "the setting DATABASE_URL names no database"),
        ("DATABASE_URL", "postgres://a:b@127.0.0.1:1/x", "Connection refused"),
    ],
)
def test_a_setting_that_makes_no_sense_is_named(var: Path, command: str, setting: str, value: str, said: str) -> None:
    ended = run(var, command, **{setting: value})
    assert ended.returncode == 2
    assert said in ended.stderr
    assert "Traceback" not in ended.stderr


def test_commands_that_need_only_rows_load_no_pages_no_admin_and_no_api(var: Path) -> None:
    program = (
        "import sys; sys.argv = ['manage.py', 'list', '--json']\n"
        "from agentify_site.command_line import run; run(sys.argv)\n"
        "print(*sorted({name for name in sys.modules}), sep='\\n')"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=environment(var), capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.splitlines())
    assert "recipes_app.services.access" in loaded
    assert not {"ninja", "recipes_app.admin", "django.contrib.admin", "django_rq", "recipes_app.views"} & loaded


def test_the_database_a_quick_command_makes_has_all_tables(var: Path) -> None:
    assert run(var, "migrate", "--check").returncode == 0


def test_old_tables_are_said_with_the_way_out(tmp_path: Path) -> None:
    run(tmp_path, "migrate", "recipes_app", "0001")
    ended = run(tmp_path, "list")
    assert ended.returncode in (0, 2)
    assert "Traceback" not in ended.stderr
    if ended.returncode == 2:
        assert ended.stderr.endswith("; ./agentify migrate brings it up to date.\n")


def test_a_reader_that_has_seen_enough_is_no_trouble(var: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w") as closed:
        words, env = manage("list", "--json"), environment(var)
        done = subprocess.run(words, env=env, stdout=closed, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "")


@pytest.mark.parametrize(
    ("words", "does"),
    [
        (("call", "shop", "search"), True),
        (("call", "--file", "x.json", "search", "--args", "{}"), True),
        (("call", "shop"), False),
        (("call", "shop", "search", "--queue"), False),
        (("call", "shop", "search", "--no-headless"), False),
        (("call", "--help", "x"), False),
        (("list", "shop", "search"), False),
    ],
)
def test_a_browser_is_started_ahead_only_where_it_will_be_used(words: tuple[str, ...], does: bool) -> None:
    assert will_browse(["manage.py", *words]) is does


@pytest.mark.slow
def test_a_call_uses_the_browser_that_was_started_ahead_and_a_refused_one_leaves_none(
    tmp_path: Path, practice: PracticeSite
) -> None:
    tool = {
        "name": "look",
        "description": "Look.",
        "parameters": {"type": "object", "properties": {}},
        "side_effect": "read",
        "steps": [{"op": "goto", "url": f"{practice.url}/products"}],
    }
    content = {"format": 2, "site": "x", "base_url": f"{practice.url}/", "mapped_at": "2026-01-01T00:00:00Z"}
    (tmp_path / "x.json").write_text(json.dumps({**content, "tools": [tool]}))
    called = run(tmp_path, "call", "--file", "x.json", "look", "--allow-private", "--json")
    assert json.loads(called.stdout)["ok"], called.stderr
    refused = run(tmp_path, "call", "--file", "x.json", "nope", "--allow-private")
    assert (refused.returncode, refused.stderr) == (2, "agentify: x.json has no tool nope; known: look.\n")
    assert wait_for(lambda: not descendants(tmp_path), limit_s=5), descendants(tmp_path)


@pytest.mark.slow
def test_ctrl_c_is_one_line_and_status_130(tmp_path: Path, practice: PracticeSite) -> None:
    run(tmp_path, "list")
    words = ("crawl", practice.url, "--allow-private", "--max-pages", "50")
    with started(manage(*words), tmp_path) as process:
        assert process.stderr is not None
        assert process.stderr.readline().startswith("agentify:   ")
        os.killpg(process.pid, signal.SIGINT)
        rest = process.stderr.read().splitlines()
        assert process.wait(timeout=20) == 130
    assert rest[-1] == "agentify: stopped."
    assert not [line for line in rest if not line.startswith("agentify: ")]


@pytest.mark.slow
def test_up_says_one_line_when_it_is_stopped(tmp_path: Path) -> None:
    with started(manage("up", "--port", "18077"), tmp_path) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith("Agentify is up at")
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait(timeout=30) == 0
        assert process.stderr.read().splitlines()[-1] == "agentify: stopped."
