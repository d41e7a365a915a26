"""Browsers, drivers and threads that die, and contexts: what the next job finds."""

import gc
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from recipes_app.browser.chromium import Limits
from recipes_app.browser.errors import Aborted, BlockedByPolicy, BrowserLost, BrowserMissing
from recipes_app.browser.launch import LaunchOptions, find_browser
from recipes_app.browser.session import BrowserSession, ContextOptions
from recipes_app.browser.thread import BrowserThread, Desk
from tests.browser.driving import drive, spin, title
from tests.browser.site import LittleSite

HOME = "<title>Home</title><h1>Home</h1>"


def test_five_kills_in_a_row_leave_a_thread_that_works(browser: BrowserThread, at_home: Any) -> None:
    for _ in range(5):
        with pytest.raises(Aborted):
            list(drive(browser, at_home(spin), deadline_s=0.6))
    assert browser.call(at_home(title)) == "Home"


def test_a_browser_that_dies_by_itself_is_a_browser_lost_and_is_replaced(browser: BrowserThread, at_home: Any) -> None:
    def die(session: BrowserSession) -> None:
        browser._chromium.kill()
        session.page.evaluate("new Promise(() => 0)")

    with pytest.raises(BrowserLost):
        browser.call(at_home(die))
    assert browser.call(at_home(title)) == "Home"


def test_a_browser_that_dies_between_jobs_is_not_noticed_by_the_next(browser: BrowserThread, at_home: Any) -> None:
    browser.call(at_home(title))
    browser._chromium.kill()
    assert browser.call(at_home(title)) == "Home"


def test_a_crashed_page_is_a_browser_lost(browser: BrowserThread, at_home: Any) -> None:
    def crash(session: BrowserSession) -> object:
        assert session.context.browser is not None
        target = session.context.browser.new_browser_cdp_session()
        for process in target.send("SystemInfo.getProcessInfo")["processInfo"]:
            if process["type"] == "renderer":
                os.kill(process["id"], signal.SIGKILL)
        return session.page.evaluate("new Promise(() => 0)")

    with pytest.raises(BrowserLost):
        browser.call(at_home(crash))
    assert browser.call(at_home(title)) == "Home"


def test_each_session_begins_without_the_cookies_and_storage_of_the_last(browser: BrowserThread, at_home: Any) -> None:
    def leave(session: BrowserSession) -> object:
        return session.page.evaluate("() => { document.cookie = 'a=1'; localStorage.a = 1; return document.cookie }")

    def look(session: BrowserSession) -> object:
        return session.page.evaluate("() => [document.cookie, localStorage.length]")

    assert browser.call(at_home(leave)) == "a=1"
    assert browser.call(at_home(look)) == ["", 0]


def test_a_saved_login_comes_back_with_cookies_and_storage(browser: BrowserThread, site: LittleSite) -> None:
    site.pages["/"] = HOME
    states: list[Any] = []

    def save(desk: Desk) -> None:
        with desk.session(ContextOptions(policy=site.policy)) as session:
            session.goto(site.url + "/")
            session.page.evaluate("() => { document.cookie = 'a=1; max-age=600'; localStorage.b = 2 }")
            states.append(session.state())

    def load(desk: Desk) -> object:
        with desk.session(ContextOptions(policy=site.policy, state=states[0])) as session:
            session.goto(site.url + "/")
            return session.page.evaluate("() => [document.cookie, localStorage.b]")

    browser.call(save)
    assert browser.call(load) == ["a=1", "2"]


def test_a_browser_is_recycled_after_its_number_of_jobs(site: LittleSite, at_home: Any) -> None:
    thread = BrowserThread(limits=Limits(jobs=2)).start()
    try:
        pids = []
        for _ in range(4):
            thread.call(at_home(title))
            pids.append(thread.call(lambda desk: thread._chromium._pid))
        assert len(set(pids)) >= 2
    finally:
        assert thread.stop()


def test_a_missing_browser_says_what_to_install(tmp_path: Any) -> None:
    with pytest.raises(BrowserMissing, match="apt-get install chromium-headless-shell"):
        find_browser({"PATH": str(tmp_path), "HOME": str(tmp_path)})
    with pytest.raises(BrowserMissing, match="CHROMIUM_PATH"):
        find_browser({"PATH": str(tmp_path), "CHROMIUM_PATH": "/nowhere/chromium"})


def test_a_browser_that_cannot_be_started_fails_the_job_and_not_the_thread(site: LittleSite) -> None:
    thread = BrowserThread(LaunchOptions(executable="/bin/false")).start()

    def work(desk: Desk) -> None:
        with desk.session(ContextOptions()):
            raise AssertionError("There should be no session.")

    try:
        for _ in range(2):
            with pytest.raises(BrowserLost, match="could not be started"):
                thread.call(work)
        assert thread.call(lambda desk: "alive") == "alive"
    finally:
        assert thread.stop()


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["thread.stop()", "pass", "raise SystemExit(0)"])
def test_the_interpreter_ends_cleanly_with_and_without_a_stop(ending: str) -> None:
    program = f"""
from recipes_app.browser.session import ContextOptions
from recipes_app.browser.thread import BrowserThread
thread = BrowserThread().start()
def work(desk):
    with desk.session(ContextOptions()) as session:
        return session.page.evaluate("1 + 1")
print(thread.call(work))
{ending}
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=30, cwd=Path.cwd(), check=False
    )
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "2", "")


# Playwright leaves a coroutine behind that its dead driver never took.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore:coroutine:RuntimeWarning")
def test_a_driver_that_dies_is_replaced(site: LittleSite, at_home: Any) -> None:
    thread = BrowserThread().start()

    def die(session: BrowserSession) -> object:
        assert thread._chromium._driver_pid
        os.kill(thread._chromium._driver_pid, signal.SIGKILL)
        return session.page.evaluate("new Promise(() => 0)")

    try:
        with pytest.raises(BrowserLost):
            thread.call(at_home(die))
        assert thread.call(at_home(title)) == "Home"
    finally:
        assert thread.stop()
        gc.collect()


# Playwright leaves a coroutine behind that its dead driver never took.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore:coroutine:RuntimeWarning")
def test_a_job_that_waits_when_the_driver_dies_gets_a_new_one(at_home: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also when the next job is there before the thread had a moment to look around."""
    thread = BrowserThread().start()
    monkeypatch.setattr(thread, "_be_ready", lambda: None)

    def die(session: BrowserSession) -> object:
        assert thread._chromium._driver_pid
        os.kill(thread._chromium._driver_pid, signal.SIGKILL)
        return session.page.evaluate("new Promise(() => 0)")

    try:
        with pytest.raises(BrowserLost):
            thread.call(at_home(die))
        assert thread.call(at_home(title)) == "Home"
    finally:
        assert thread.stop()
        gc.collect()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_thread_that_died_is_told_and_replaced(at_home: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    thread = BrowserThread().start()
    thread.call(at_home(title))

    def broken() -> None:
        raise SystemExit

    monkeypatch.setattr(thread._chromium, "after_job", broken)
    try:
        thread.call(lambda desk: None)
        monkeypatch.undo()
        assert thread._thread is not None
        thread._thread.join(10)
        assert thread.call(at_home(title)) == "Home"
    finally:
        assert thread.stop()


def test_a_context_made_ahead_is_used_and_takes_on_the_policy_of_its_job(site: LittleSite, at_home: Any) -> None:
    thread = BrowserThread().start()
    options = ContextOptions(viewport=(900, 700))
    thread.warm(options)

    def look(desk: Desk) -> tuple[bool, int]:
        spare = thread._chromium._spare
        with desk.session(ContextOptions(viewport=(900, 700), policy=site.policy)) as session:
            session.goto(site.url + "/")
            width: int = session.page.evaluate("innerWidth")
            return spare is not None and spare[1] is session, width

    try:
        site.pages["/"] = HOME
        pause = threading.Event()
        while thread._chromium._spare is None:
            pause.wait(0.02)
        assert thread.call(look) == (True, 900)
        with pytest.raises(BlockedByPolicy):
            thread.call(lambda desk: go(desk, options, site.url))
    finally:
        assert thread.stop()


def go(desk: Desk, options: ContextOptions, url: str) -> None:
    with desk.session(options) as session:
        session.goto(url)


@pytest.mark.slow
def test_an_abort_at_any_moment_of_opening_a_page_leaves_a_thread_that_works(
    browser: BrowserThread, at_home: Any
) -> None:
    for deadline in (0.02, 0.05, 0.1, 0.15, 0.2, 0.3):
        with pytest.raises(Aborted):
            list(drive(browser, at_home(spin), deadline_s=deadline))
    assert browser.call(at_home(title)) == "Home"


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore:coroutine:RuntimeWarning")
def test_a_browser_thread_that_hangs_in_playwright_is_freed_through_its_driver(
    at_home: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    thread = BrowserThread().start()
    monkeypatch.setattr(thread._chromium, "kill", lambda: None)
    try:
        with pytest.raises(Aborted):
            list(drive(thread, at_home(spin), deadline_s=1))
        monkeypatch.undo()
        assert thread.call(at_home(title)) == "Home"
    finally:
        assert thread.stop()
        gc.collect()
