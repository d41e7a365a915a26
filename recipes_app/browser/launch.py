"""Which browser is started, and how."""

import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from recipes_app.browser.errors import BrowserMissing

ON_PATH_FIRST = ("chromium-headless-shell",)
ON_PATH_LAST = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MAC_APPLICATIONS = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
HOW_TO_INSTALL = (
    "No Chromium was found. Install one of these, or set CHROMIUM_PATH to a browser you have: "
    "`apt-get install chromium-headless-shell` (Debian, Ubuntu), "
    "`brew install --cask chromium` (macOS), "
    "`python -m playwright install chromium-headless-shell` (anywhere)."
)

FLAGS = (
    # WebRTC would go round the proxy that holds the policy.
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    # Names are looked up by the proxy; a page that wants the browser itself to (dns-prefetch) asks nobody.
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-quic",
    "--no-pings",
)


@dataclass(frozen=True, slots=True)
class LaunchOptions:
    """executable None means find_browser(); slow_mo is in milliseconds per action."""

    executable: str | None = None
    headless: bool = True
    slow_mo: float = 0


def find_browser(env: Mapping[str, str] = os.environ) -> str:
    """The path of the Chromium to start: CHROMIUM_PATH, a headless shell, Playwright's own, any other."""
    named = env.get("CHROMIUM_PATH", "").strip()
    if named:
        found = shutil.which(named, path=env.get("PATH"))
        if found is None:
            raise BrowserMissing(f"CHROMIUM_PATH is {named}, which is not a program that can be run.")
        return found
    for candidate in _candidates(env):
        return candidate
    raise BrowserMissing(HOW_TO_INSTALL)


def launch_flags() -> list[str]:
    """Chromium's own sandbox cannot be used by root, so a container that runs as root goes without."""
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return [*FLAGS, *(["--no-sandbox"] if is_root else [])]


def _candidates(env: Mapping[str, str]) -> Iterator[str]:
    yield from _on_path(ON_PATH_FIRST, env)
    yield from playwrights_own(env)
    yield from _on_path(ON_PATH_LAST, env)
    yield from (path for path in MAC_APPLICATIONS if Path(path).exists())


def _on_path(names: tuple[str, ...], env: Mapping[str, str]) -> Iterator[str]:
    for name in names:
        found = shutil.which(name, path=env.get("PATH"))
        if found:
            yield found


def playwrights_own(env: Mapping[str, str]) -> Iterator[str]:
    """Browsers that `playwright install` left in its cache, newest first, headless shells before the rest."""
    for pattern in (
        "chromium_headless_shell-*/*/*headless*shell*",
        "chromium-*/*/chrome",
        "chromium-*/*/*.app/*/MacOS/*",
    ):
        for path in sorted(_playwright_cache(env).glob(pattern), reverse=True):
            if path.is_file() and os.access(path, os.X_OK):
                yield str(path)


def _playwright_cache(env: Mapping[str, str]) -> Path:
    named = env.get("PLAYWRIGHT_BROWSERS_PATH", "")
    if named and named != "0":
        return Path(named)
    home = Path(env.get("HOME", "") or Path.home())
    mac = home / "Library" / "Caches" / "ms-playwright"
    return mac if mac.exists() else home / ".cache" / "ms-playwright"
