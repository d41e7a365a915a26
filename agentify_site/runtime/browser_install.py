"""Find a Chromium, or install one: by Playwright, by apt as root, else into the folder without root.

Standard library only: this runs before any package can be counted on.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from agentify_site.runtime.browser_rootless import unpack_from_apt, unpack_from_npm
from agentify_site.runtime.dotenv import setting
from agentify_site.runtime.errors import BrowserProblem
from agentify_site.runtime.terminal import say

DEBIAN_PACKAGE = "chromium-headless-shell"
ON_PATH_FIRST = ("chromium-headless-shell",)
ON_PATH_LAST = ("chromium", "google-chrome", "google-chrome-stable")
PLAYWRIGHT_LIMIT_S = 60
APT_LIMIT_S = 600


def make_sure_of_browser(root: Path, *, python: Path, home: Path) -> str:
    """Return the path of a Chromium that starts; note in `home`/browser one that is not on PATH."""
    named = setting(root, "CHROMIUM_PATH")
    if named:
        if starts(named):
            return named
        raise BrowserProblem(f"CHROMIUM_PATH names {named}, which is not a browser that starts: correct or remove it.")
    found = find_browser(home) or install_browser(python, home)
    if not found:
        raise BrowserProblem(
            "found no Chromium and could not install one: apt-get install chromium-headless-shell "
            "(or chromium, or Chrome), or name one in CHROMIUM_PATH."
        )
    if shutil.which(Path(found).name) != found:
        (home / "browser").write_text(found + "\n")
    return found


def find_browser(home: Path) -> str | None:
    """The first of: chromium-headless-shell, one of our own or Playwright's, chromium, google-chrome."""
    first = [path for name in ON_PATH_FIRST if (path := shutil.which(name))]
    last = [path for name in ON_PATH_LAST if (path := shutil.which(name))]
    own = [str(path) for path in (home / "chromium" / "chromium",) if path.exists()]
    return next((path for path in [*first, *playwright_browsers(), *own, *last] if starts(path)), None)


def playwright_browsers() -> list[str]:
    """Browsers that `playwright install` left in its cache, the newest first."""
    default = Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache") / "ms-playwright"
    cache = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or default)
    shells = sorted(cache.glob("chromium_headless_shell-*/*/*headless*shell"), reverse=True)
    full = sorted(cache.glob("chromium-*/*/chrome"), reverse=True)
    return [str(path) for path in [*shells, *full]]


def starts(path: str) -> bool:
    """True where the program is there with all its libraries."""
    try:
        done = subprocess.run([path, "--version"], capture_output=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def install_browser(python: Path, home: Path) -> str | None:
    ways: list[tuple[str, Callable[[], object]]] = [
        ("playwright install", lambda: install_by_playwright(python)),
        ("apt-get install", install_by_apt),
        (
            "Debian's packages, unpacked without root",
            lambda: unpack_from_apt((DEBIAN_PACKAGE, "chromium-common"), home / "chromium"),
        ),
        ("the npm package @sparticuz/chromium", lambda: unpack_from_npm(home / "chromium")),
    ]
    for name, install in ways:
        say(f"no browser yet; trying {name}.")
        try:
            install()
        except (OSError, subprocess.SubprocessError) as error:
            say(f"  that did not work ({short(error)}).")
        if found := find_browser(home):
            return found
    return None


def short(error: Exception) -> str:
    if isinstance(error, subprocess.TimeoutExpired):
        return f"no end after {error.timeout:.0f} s"
    if isinstance(error, subprocess.CalledProcessError):
        return f"exit status {error.returncode}"
    return str(error).splitlines()[0][:120] if str(error) else type(error).__name__


def install_by_playwright(python: Path) -> None:
    command = [str(python), "-P", "-m", "playwright", "install", "chromium-headless-shell"]
    subprocess.run(command, capture_output=True, timeout=PLAYWRIGHT_LIMIT_S, check=True)


def install_by_apt() -> None:
    """Debian's package, where we are root or may become it without a password."""
    prefix = become_root()
    quiet = {"capture_output": True, "timeout": APT_LIMIT_S}
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run([*prefix, "apt-get", "update", "-qq"], env=environment, check=False, **quiet)  # type: ignore[call-overload]
    install = [*prefix, "apt-get", "install", "-y", "-qq", "--no-install-recommends", DEBIAN_PACKAGE]
    subprocess.run(install, env=environment, check=True, **quiet)  # type: ignore[call-overload]


def become_root() -> list[str]:
    if not shutil.which("apt-get"):
        raise FileNotFoundError("this system has no apt-get")
    if os.geteuid() == 0:
        return []
    if not shutil.which("sudo"):
        raise PermissionError("not root, and no sudo")
    if subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False).returncode != 0:
        raise PermissionError("not root, and sudo asks for a password")
    return ["sudo", "-n"]
