"""The warm Chromium of one browser thread: started when needed, recycled, replaced when it died."""

import os
import signal
import subprocess
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Error, Playwright

from recipes_app.browser.errors import BrowserLost
from recipes_app.browser.launch import LaunchOptions, find_browser, launch_flags
from recipes_app.browser.looking import look_once
from recipes_app.browser.policy import Policy
from recipes_app.browser.proxy import PolicyProxy
from recipes_app.browser.session import BrowserSession, ContextOptions, ContextShape


@dataclass(frozen=True, slots=True)
class Limits:
    """A browser past one of these is replaced between jobs."""

    jobs: int = 100
    memory_mb: int = 2000


class Chromium:
    """Everything but kill() is called on the browser thread."""

    def __init__(self, launch: LaunchOptions, proxy: PolicyProxy, limits: Limits) -> None:
        self.launch = launch
        self.limits = limits
        self.playwright: Playwright | None = None
        self.driver_is_lost = False
        self._proxy = proxy
        self._browser: Browser | None = None
        self._pid: int | None = None
        self._driver_pid: int | None = None
        self.is_opening = False
        self._jobs = 0
        self._shapes: Counter[ContextShape] = Counter()
        self._spare: tuple[ContextShape, BrowserSession] | None = None
        self._retired: BrowserSession | None = None

    def kill(self) -> None:
        """End the browser process at once, from any thread: what waits for it raises within some 50 ms.

        Not what waits for a new page: Playwright then waits for ever, and only kill_driver() helps.
        """
        _kill(self._pid)

    def kill_driver(self) -> None:
        """End Playwright's own process, and the browser with it: whatever waits for either raises."""
        _kill(self._driver_pid)
        _kill(self._pid)

    def open(self, options: ContextOptions) -> BrowserSession:
        """A fresh context, the one made ahead if it fits; a browser that died meanwhile is replaced once."""
        self._close_retired()
        self._shapes[options.shape] += 1
        session = self._fitting_spare(options) or self._fresh(options.shape)
        try:
            session.prepare(options)
        except Error:
            session.close()
            raise
        return session

    def expect(self, shape: ContextShape) -> None:
        """Which kind of context to make ahead from now on."""
        self._shapes[shape] += 1

    def make_spare(self) -> None:
        """For the commonest options so far; called while nothing else is to be done."""
        if not self._shapes:
            self._ensure()
            return
        shape = self._shapes.most_common(1)[0][0]
        if self._spare is None or self._spare[0] != shape:
            self._drop_spare()
            self._spare = (shape, self._fresh(shape))
            look_once(self._spare[1].main)

    def look_for_driver(self) -> None:
        """Whether Playwright's own process is still there: a browser can be replaced without another driver or not."""
        self.driver_is_lost = not self._driver_answers()

    def retire(self, session: BrowserSession) -> None:
        """Closed once nobody waits for it; there is never more than one."""
        self._close_retired()
        session.shut()
        self._retired = session

    def after_job(self) -> None:
        self._jobs += 1
        self._close_retired()
        if self._jobs >= self.limits.jobs or self._memory_mb() > self.limits.memory_mb:
            self.close()

    def close(self) -> None:
        self._drop_spare()
        browser, self._browser, self._pid, self._jobs = self._browser, None, None, 0
        if browser is not None:
            with suppress(Error):
                browser.close()

    def _fitting_spare(self, options: ContextOptions) -> BrowserSession | None:
        if self._spare is None or self._spare[0] != options.shape:
            return None
        session, self._spare = self._spare[1], None
        try:
            session.raise_if_lost()
        except BrowserLost:
            self.close()
            return None
        return session

    def _close_retired(self) -> None:
        if self._retired is not None:
            self._retired.close()
            self._retired = None

    def _drop_spare(self) -> None:
        if self._spare is not None:
            self._spare[1].close()
            self._spare = None

    def _fresh(self, shape: ContextShape) -> BrowserSession:
        try:
            return self._new_session(self._ensure(), shape)
        except Error:
            # is_connected() is still true of a browser that died while nobody spoke to it.
            self.close()
        try:
            return self._new_session(self._ensure(), shape)
        except Error as error:
            self.close()
            raise BrowserLost(f"No page could be opened: {_first_line(error)}") from error

    def _new_session(self, browser: Browser, shape: ContextShape) -> BrowserSession:
        port = self._proxy.open(Policy())
        try:
            context = browser.new_context(
                viewport={"width": shape.viewport[0], "height": shape.viewport[1]},
                locale=shape.locale,
                timezone_id=shape.time_zone,
                user_agent=shape.user_agent,
                ignore_https_errors=shape.ignore_https_errors,
                device_scale_factor=shape.scale,
                # What a service worker fetches and keeps is seen by nobody who watches the pages.
                service_workers="block",
                # Without this Chromium goes to the machine it runs on by itself, past the proxy.
                proxy={"server": port.server_url, "bypass": "<-loopback>"},
            )
            return BrowserSession(context, port, lambda: self._proxy.close(port), block_media=shape.block_media)
        except Error:
            self._proxy.close(port)
            raise

    def _ensure(self) -> Browser:
        if self._browser is None or not self._browser.is_connected():
            self.close()
            self._browser = self._start()
            self._pid = next(iter(_processes(self._browser, "browser")), None)
            self._driver_pid = _child_above(self._pid)
        return self._browser

    def _start(self) -> Browser:
        if self.playwright is None:
            raise BrowserLost("The browser thread has ended.")
        path = self.launch.executable or find_browser()
        try:
            return self.playwright.chromium.launch(
                executable_path=path,
                headless=self.launch.headless,
                slow_mo=self.launch.slow_mo,
                args=launch_flags(),
            )
        except Error as error:
            self.driver_is_lost = not self._driver_answers()
            raise BrowserLost(f"{path} could not be started: {_first_line(error)}") from error

    def _driver_answers(self) -> bool:
        if self.playwright is None:
            return False
        try:
            self.playwright.request.new_context().dispose()
        except Error:
            return False
        return True

    def _memory_mb(self) -> float:
        if self._browser is None:
            return 0
        with suppress(Error):
            return sum(map(_resident_mb, _processes(self._browser)))
        return 0


def _processes(browser: Browser, kind: str = "") -> list[int]:
    session = browser.new_browser_cdp_session()
    found = session.send("SystemInfo.getProcessInfo")["processInfo"]
    session.detach()
    return [int(process["id"]) for process in found if kind in ("", process["type"])]


def _kill(pid: int | None) -> None:
    if pid is not None:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _child_above(pid: int | None) -> int | None:
    """The child of ours that pid descends from, through whatever wrappers."""
    while pid:
        shown = subprocess.run(["ps", "-o", "ppid=", "-p", str(pid)], capture_output=True, text=True, check=False)
        parent = int(shown.stdout.strip() or 0)
        if parent == os.getpid():
            return pid
        pid = parent if parent > 1 else None
    return None


def _resident_mb(pid: int) -> float:
    """0 for a process that has ended."""
    try:
        if Path("/proc/self/statm").exists():
            pages = Path(f"/proc/{pid}/statm").read_text().split()[1]
            return int(pages) * os.sysconf("SC_PAGE_SIZE") / 2**20
        shown = subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=False)
        return int(shown.stdout or 0) / 1024
    except (OSError, ValueError):
        return 0


def _first_line(error: Error) -> str:
    return error.message.strip().splitlines()[0] if error.message.strip() else type(error).__name__
