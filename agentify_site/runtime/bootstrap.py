"""First use: a virtual environment, the packages, a browser. Standard library only, any Python from 3.11 on.

Safe to interrupt: `.venv/agentify/packages` is written last, and a `.venv` left half installed is made anew.
Called by the `agentify` script when its quick look finds something missing.
"""

import fcntl
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from agentify_site.runtime.browser_install import make_sure_of_browser
from agentify_site.runtime.errors import RuntimeProblem, SetupProblem
from agentify_site.runtime.terminal import say

ROOT = Path(__file__).resolve().parents[2]
NETWORK_SIGNS = ("connection", "name resolution", "no matching distribution", "could not find a version", "retries")


@dataclass(frozen=True, slots=True)
class Place:
    """Where the set-up of one folder lives."""

    root: Path

    @property
    def venv(self) -> Path:
        return self.root / ".venv"

    @property
    def python(self) -> Path:
        return self.venv / "bin" / "python"

    @property
    def marks(self) -> Path:
        return self.venv / "agentify"

    @property
    def log(self) -> Path:
        return self.marks / "setup.log"

    @property
    def unfinished(self) -> Path:
        return self.marks / "unfinished"


def main(wants: list[str]) -> int:
    place = Place(ROOT)
    try:
        with only_one(place):
            install_packages(place, dev="dev" in wants)
            if "browser" in wants:
                make_sure_of_browser(place.root, python=place.python, home=place.marks)
    except RuntimeProblem as problem:
        say(str(problem))
        return 1
    except KeyboardInterrupt:
        say("interrupted; the next use goes on from here.")
        return 130
    return 0


@contextmanager
def only_one(place: Place) -> Iterator[None]:
    """Hold the folder: a second first use waits for the first one. The lock goes with the process, however it ends."""
    try:
        lock = (place.root / ".venv.lock").open("a")
    except OSError as error:
        raise SetupProblem(
            f"cannot write in {place.root} ({error.strerror}): make the folder writable, or copy it to one that is."
        ) from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("another ./agentify is setting this folder up; waiting for it.")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def install_packages(place: Place, *, dev: bool) -> None:
    lists = [("packages", "requirements.txt"), *([("dev", "requirements-dev.txt")] if dev else [])]
    missing = [(mark, name) for mark, name in lists if not is_current(place, mark, name)]
    if not missing:
        return
    make_venv(place)
    for mark, name in missing:
        place.unfinished.touch()
        say(f"installing what {name} lists (once; about a minute).")
        pip_install(place, name)
        write_whole(place.marks / mark, checksum(place.root / name))
        place.unfinished.unlink()


def is_current(place: Place, mark: str, name: str) -> bool:
    try:
        kept = (place.marks / mark).read_text().strip()
    except OSError:
        return False
    return place.python.exists() and not place.unfinished.exists() and kept == checksum(place.root / name)


def make_venv(place: Place) -> None:
    """Make `.venv`, or make it anew where an interrupted installation may have left half a package."""
    if place.unfinished.exists() or not can_run_pip(place.python):
        done = subprocess.run(
            [sys.executable, "-m", "venv", "--clear", str(place.venv)], capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            raise SetupProblem(explain_venv_failure(place, done.stdout + done.stderr))
    place.marks.mkdir(exist_ok=True)


def explain_venv_failure(place: Place, output: str) -> str:
    if "ensurepip" in output:
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        return f"{sys.executable} cannot make virtual environments: apt-get install python{version}-venv"
    last = (output.strip().splitlines() or ["no reason given"])[-1]
    return f"cannot make {place.venv}: {last}"


def can_run_pip(python: Path) -> bool:
    if not python.exists():
        return False
    return subprocess.run([str(python), "-c", "import pip"], capture_output=True, check=False).returncode == 0


def pip_install(place: Place, name: str) -> None:
    command = [str(place.python), "-m", "pip", "install", "--disable-pip-version-check", "--retries", "2"]
    command += ["--requirement", str(place.root / name)]
    with place.log.open("a") as log:
        done = subprocess.run(command, stdout=log, stderr=subprocess.STDOUT, env=clean_environment(), check=False)
    if done.returncode != 0:
        raise SetupProblem(explain_pip_failure(place, name))


def clean_environment() -> dict[str, str]:
    """The environment without our PYTHONPATH, which pip's own processes must not see."""
    return {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}


def explain_pip_failure(place: Place, name: str) -> str:
    lines = [line for line in place.log.read_text().splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR")] or lines or ["no reason given"]
    text = errors[-1].removeprefix("ERROR:").strip()[:200]
    if any(sign in "\n".join(lines[-12:]).lower() for sign in NETWORK_SIGNS):
        return f"cannot install {name}: is there a network and a Python package index? ({text}; log: {place.log})"
    return f"cannot install {name}: {text} (log: {place.log})"


def checksum(path: Path) -> str:
    """What `cksum` prints for the file, so that the script can compare without starting Python."""
    with path.open("rb") as file:
        return subprocess.run(["cksum"], stdin=file, capture_output=True, text=True, check=True).stdout.strip()


def write_whole(path: Path, text: str) -> None:
    draft = path.with_suffix(".new")
    draft.write_text(text + "\n")
    draft.replace(path)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
