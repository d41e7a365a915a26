"""The `agentify` script: its first use, what it forwards, and one line for each thing that is missing."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from agentify_site.runtime.browser_install import make_sure_of_browser
from agentify_site.runtime.errors import BrowserProblem
from recipes_app.version import VERSION
from tests.runtime.processes import ROOT, wait_for

TOOLS = ("sh", "dirname", "readlink", "cksum", "grep", "tr", "cat")
FAKE_PYTHON = '#!/bin/sh\nfor argument; do printf "%s\\n" "$argument"; done\n'


@pytest.fixture
def copy() -> Iterator[Path]:
    """A copy of what the script needs, with nothing to install, so that no network is needed."""
    with tempfile.TemporaryDirectory(prefix="agt") as name:
        folder = Path(name) / "copy"
        folder.mkdir()
        shutil.copy(ROOT / "agentify", folder)
        shutil.copytree(ROOT / "agentify_site", folder / "agentify_site", ignore=shutil.ignore_patterns("__pycache__"))
        for lists in ("requirements.txt", "requirements-dev.txt"):
            (folder / lists).write_text("# nothing\n")
        (folder / "manage.py").write_text("import sys; print(*sys.argv[1:])\n")
        yield folder.resolve()


def run(folder: Path, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("PIP_", "AGENTIFY_", "CHROMIUM"))}
    return subprocess.run(
        [str(folder / "agentify"), *arguments],
        env={**clean, "AGENTIFY_PYTHON": sys.executable, **env},
        capture_output=True,
        text=True,
        check=False,
    )


def pretend_ready(folder: Path) -> None:
    """A set-up that is right, but for a Python that only prints its arguments."""
    marks = folder / ".venv" / "agentify"
    marks.mkdir(parents=True)
    python = folder / ".venv" / "bin" / "python"
    python.parent.mkdir()
    python.write_text(FAKE_PYTHON)
    python.chmod(0o755)
    for mark, name in (("packages", "requirements.txt"), ("dev", "requirements-dev.txt")):
        with (folder / name).open() as file:
            done = subprocess.run(["cksum"], stdin=file, capture_output=True, text=True, check=True)
        (marks / mark).write_text(done.stdout)


@pytest.mark.parametrize(
    ("given", "forwarded"),
    [
        (("list", "shop"), ("manage.py", "list", "shop")),
        (("run-mapped", "a-b", "--as-json"), ("manage.py", "run_mapped", "a-b", "--as-json")),
        (("check", "x y"), ("-P", "-m", "agentify_site.runtime.checks", "x y")),
        (
            ("test", "--postgres", "-k", "a or b"),
            ("-P", "-m", "agentify_site.runtime.suite", "--postgres", "-k", "a or b"),
        ),
        ((), ("-P", "-m", "agentify_site.runtime.overview")),
    ],
)
def test_it_forwards_words_as_they_are_and_only_the_command_with_underscores(
    copy: Path, given: tuple[str, ...], forwarded: tuple[str, ...]
) -> None:
    pretend_ready(copy)
    browser = copy / "browser"
    browser.write_text(FAKE_PYTHON)
    browser.chmod(0o755)
    done = run(copy, *given, CHROMIUM_PATH=str(browser))
    assert done.stderr == ""
    assert tuple(line.removeprefix(f"{copy}/") for line in done.stdout.splitlines()) == forwarded


def test_it_works_through_a_link_and_from_another_folder(copy: Path, tmp_path: Path) -> None:
    pretend_ready(copy)
    (tmp_path / "link").symlink_to(copy / "agentify")
    done = subprocess.run([tmp_path / "link", "list"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == [f"{copy}/manage.py", "list"]


def test_help_needs_nothing_installed(copy: Path) -> None:
    done = run(copy)
    assert (done.returncode, done.stderr) == (0, "")
    assert "demo" in done.stdout
    assert not (copy / ".venv").exists()


@pytest.mark.parametrize("word", ["version", "--version"])
def test_the_version_is_our_own_and_needs_nothing_installed(copy: Path, word: str) -> None:
    (copy / "recipes_app").mkdir()
    shutil.copy(ROOT / "recipes_app" / "version.py", copy / "recipes_app")
    assert run(copy, word).stdout == f"Agentify {VERSION}\n"
    assert not (copy / ".venv").exists()


def test_no_python_is_one_line(copy: Path) -> None:
    tools = copy / "tools"
    tools.mkdir()
    for name in TOOLS:
        found = shutil.which(name)
        assert found
        (tools / name).symlink_to(found)
    done = run(copy, "list", PATH=str(tools), AGENTIFY_PYTHON="")
    assert done.returncode == 1
    assert done.stderr.startswith("agentify: needs Python 3.11, 3.12 or 3.13 and found none: install one")
    assert done.stderr.count("\n") == 1


def run_as_one_who_may_only_read(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [str(folder / "agentify"), *arguments]
    if os.geteuid() != 0:
        folder.chmod(0o555)
    elif shutil.which("setpriv"):
        command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", *command]
        folder.parent.chmod(0o755)
    else:
        pytest.skip("root may write everywhere, and there is no setpriv to become someone else")
    env = {"PATH": "/usr/local/bin:/usr/bin:/bin"}
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False)


def test_a_folder_one_may_not_write_in_is_one_line(copy: Path) -> None:
    done = run_as_one_who_may_only_read(copy, "list")
    if "found none" in done.stderr:
        pytest.skip("no Python that another user may run")
    assert done.returncode == 1
    assert done.stderr.startswith(f"agentify: cannot write in {copy} (Permission denied): make the folder writable")
    assert done.stderr.count("\n") == 1


def test_a_folder_that_was_set_up_by_another_is_one_line_too_unless_data_may_go_elsewhere(
    copy: Path, tmp_path: Path
) -> None:
    pretend_ready(copy)
    done = run_as_one_who_may_only_read(copy, "list")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"agentify: cannot write in {copy}/var: make the folder writable, or name one that is in AGENTIFY_VAR.\n"
    )
    elsewhere = run(copy, "list", AGENTIFY_VAR=str(tmp_path / "not" / "yet"))
    assert (elsewhere.returncode, elsewhere.stderr) == (0, "")


@pytest.mark.slow
def test_the_first_use_installs_the_second_does_not_and_an_interrupted_one_is_made_good(copy: Path) -> None:
    first = run(copy, "list", "a")
    assert (first.returncode, first.stdout) == (0, "list a\n"), first.stderr
    assert "installing" in first.stderr
    second = run(copy, "list", "b")
    assert (second.stdout, second.stderr) == ("list b\n", "")
    (copy / ".venv" / "agentify" / "unfinished").touch()
    (copy / ".venv" / "agentify" / "packages").unlink()
    (copy / ".venv" / "half").touch()
    third = run(copy, "list", "c")
    assert third.stdout == "list c\n", third.stderr
    assert not (copy / ".venv" / "half").exists()


@pytest.mark.slow
def test_two_first_uses_at_once_and_one_of_them_stopped_leave_a_working_folder(copy: Path) -> None:
    command = [str(copy / "agentify"), "list"]
    env = {**os.environ, "AGENTIFY_PYTHON": sys.executable}
    first = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    assert wait_for((copy / ".venv").exists)
    second = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    os.killpg(first.pid, signal.SIGINT)
    first.communicate()
    output, trouble = second.communicate()
    assert (second.returncode, output) == (0, "list\n"), trouble
    assert first.returncode != 0


@pytest.mark.slow
def test_no_network_is_one_line_beside_the_line_that_says_what_is_done(copy: Path) -> None:
    (copy / "requirements.txt").write_text("django>=5.2,<6\n")
    done = run(copy, "list", PIP_INDEX_URL="http://127.0.0.1:9/simple", PIP_CONFIG_FILE=os.devnull)
    progress, trouble = done.stderr.splitlines()
    assert done.returncode == 1
    assert progress.startswith("agentify: installing what requirements.txt lists")
    assert trouble.startswith(
        "agentify: cannot install requirements.txt: is there a network and a Python package index?"
    )


def test_a_named_browser_that_is_not_there_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHROMIUM_PATH", "/nowhere/chromium")
    with pytest.raises(BrowserProblem, match=r"^CHROMIUM_PATH names /nowhere/chromium, which is not a browser"):
        make_sure_of_browser(tmp_path, python=Path(sys.executable), home=tmp_path)


def test_a_browser_named_in_the_settings_file_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CHROMIUM_PATH", raising=False)
    (tmp_path / ".env").write_text("# CHROMIUM_PATH=/no\nCHROMIUM_PATH='/nowhere/else'\n")
    with pytest.raises(BrowserProblem, match="/nowhere/else"):
        make_sure_of_browser(tmp_path, python=Path(sys.executable), home=tmp_path)


def test_no_browser_and_no_way_to_get_one_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("CHROMIUM_PATH", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    with pytest.raises(BrowserProblem, match=r"^found no Chromium and could not install one: apt-get install"):
        make_sure_of_browser(tmp_path, python=tmp_path / "no-python", home=tmp_path)
    assert len(capsys.readouterr().err.splitlines()) == 8  # four ways, each tried and said
