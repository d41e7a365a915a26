"""A browser with a window, for a person at this machine: which one, and whether there is a screen for it."""

import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from recipes_app.browser.errors import BrowserMissing
from recipes_app.browser.launch import MAC_APPLICATIONS, ON_PATH_LAST, playwrights_own

NO_SCREEN = (
    "There is no screen to show a browser on: DISPLAY (or WAYLAND_DISPLAY) is not set. Use a desktop session, "
    "`ssh -X`, or a virtual screen (`apt-get install xvfb`, then `xvfb-run ./agentify record …`); "
    "or record in the page of a running ./agentify up, which needs no screen."
)
NO_BROWSER = (
    "Recording by hand needs a browser with a window; a headless shell has none. Install one of these, or name one in "
    "CHROMIUM_PATH: `apt-get install chromium` (Debian, Ubuntu), `brew install --cask chromium` (macOS)."
)


def find_windowed(env: Mapping[str, str] = os.environ) -> str:
    """The path of a full Chromium; BrowserMissing where there is none, or no screen."""
    if sys.platform != "darwin" and not (env.get("DISPLAY") or env.get("WAYLAND_DISPLAY")):
        raise BrowserMissing(NO_SCREEN)
    for path in _candidates(env):
        return path
    raise BrowserMissing(NO_BROWSER)


def _candidates(env: Mapping[str, str]) -> Iterator[str]:
    named = shutil.which(env.get("CHROMIUM_PATH", "").strip() or "-", path=env.get("PATH"))
    if named and "headless" not in Path(named).name:
        yield named
    for name in ON_PATH_LAST:
        if found := shutil.which(name, path=env.get("PATH")):
            yield found
    yield from (path for path in playwrights_own(env) if "headless" not in path)
    yield from (path for path in MAC_APPLICATIONS if Path(path).exists())
