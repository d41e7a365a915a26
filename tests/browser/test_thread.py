import gc
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from recipes_app.browser.chromium import Limits
from recipes_app.browser.errors import Aborted, BlockedByPolicy, BrowserLost, BrowserMissing
from recipes_app.browser.launch import LaunchOptions, find_browser
from recipes_app.browser.session import BrowserSession, ContextOptions
from recipes_app.browser.thread import BrowserThread, Desk
from tests.browser.site import LittleSite

HOME = "<title>Home</title><h1>Home</h1>"


@dataclass(frozen=True)
class Said:
    text: str
    needs_ack: bool = False


@pytest.fixture
def at_home(site: LittleSite) -> Callable[[Callable[[BrowserSession], object]], Callable[[Desk], object]]:
    """Wraps work on a session of the little site into work at a desk."""
    site.pages["/"] = HOME

    def wrap(work: Callable[[BrowserSession], object]) -> Callable[[Desk], object]:
        def at_desk(desk: Desk) -> object:
            with desk.session(ContextOptions(policy=site.policy)) as session:
                session.goto(site.url + "/")
                return work(session)

        return at_desk

    return wrap


def drive(
    thread: BrowserThread,
    work: Callable[[Desk], object],
    *,
    deadline_s: float = 30,
    cancelled: Callable[[], bool] = lambda: False,
    on_tick: Callable[[], None] = lambda: None,
    tick_s: float = 1,
) -> Generator[Any, None, object]:
    return thread.drive(work, deadline_s=deadline_s, cancelled=cancelled, on_tick=on_tick, tick_s=tick_s)


def title(session: BrowserSession) -> str:
    return session.page.title()


def spin(session: BrowserSession) -> object:
    return session.page.evaluate("() => { while (true) {} }")


def test_events_arrive_in_order_and_the_value_comes_last(browser: BrowserThread) -> None:
    def work(desk: Desk) -> str:
        for text in "abc":
            desk.emit(Said(text))
        return "done"

    events = drive(browser, work)
    assert [next(events).text for _ in range(3)] == ["a", "b", "c"]
    with pytest.raises(StopIteration) as end:
        next(events)
    assert end.value.value == "done"


def test_an_event_that_needs_it_is_acknowledged_only_when_the_caller_comes_back(browser: BrowserThread) -> None:
    acted = threading.Event()

    def work(desk: Desk) -> None:
        desk.emit(Said("about to write", needs_ack=True))
        acted.set()

    events = drive(browser, work)
    assert next(events).text == "about to write"
    assert not acted.wait(0.2)
    assert list(events) == []
    assert acted.is_set()


def test_a_caller_that_fails_before_it_acknowledges_keeps_the_step_from_acting(browser: BrowserThread) -> None:
    acted = threading.Event()

    def work(desk: Desk) -> None:
        desk.emit(Said("about to write", needs_ack=True))
        acted.set()

    events = drive(browser, work)
    next(events)
    with pytest.raises(ZeroDivisionError):
        events.throw(ZeroDivisionError())
    assert not acted.is_set()
    assert browser.call(lambda desk: "next") == "next"


def test_what_the_work_raises_is_raised_to_the_caller(browser: BrowserThread) -> None:
    def work(desk: Desk) -> None:
        raise LookupError("nothing there")

    with pytest.raises(LookupError, match="nothing there"):
        browser.call(work)


@pytest.mark.parametrize("how", ["a server that never answers", "an endless loop", "an alert nobody answers"])
def test_work_past_its_deadline_is_ended_wherever_it_hangs(
    how: str, browser: BrowserThread, site: LittleSite, at_home: Any
) -> None:
    def hang(session: BrowserSession) -> None:
        if how == "a server that never answers":
            session.goto(site.url + "/hang", timeout_ms=0)
        elif how == "an endless loop":
            spin(session)
        else:
            session.page.remove_listener("dialog", session.dialogs.answer)
            session.page.on("dialog", lambda dialog: None)
            session.page.evaluate("alert('Are you there?')")

    with pytest.raises(Aborted) as aborted:
        list(drive(browser, at_home(hang), deadline_s=1))
    assert aborted.value.reason == "deadline"
    assert browser.call(at_home(title)) == "Home"


def test_a_cancel_is_seen_on_wake_long_before_the_next_tick(browser: BrowserThread, at_home: Any) -> None:
    stop, spinning = threading.Event(), threading.Event()

    def work(session: BrowserSession) -> None:
        spinning.set()
        spin(session)

    def cancel() -> None:
        spinning.wait(20)
        stop.set()
        browser.wake()

    threading.Thread(target=cancel).start()
    with pytest.raises(Aborted) as aborted:
        list(drive(browser, at_home(work), cancelled=stop.is_set, tick_s=60, deadline_s=60))
    assert aborted.value.reason == "cancelled"
    assert browser.call(at_home(title)) == "Home"


def test_a_tick_that_raises_stops_the_work(browser: BrowserThread, at_home: Any) -> None:
    def lease_is_gone() -> None:
        raise Aborted("lost_lease")

    with pytest.raises(Aborted) as aborted:
        list(drive(browser, at_home(spin), on_tick=lease_is_gone, tick_s=0.5))
    assert aborted.value.reason == "lost_lease"
    assert browser.call(at_home(title)) == "Home"


def test_ticks_come_while_events_come_thick_and_fast(browser: BrowserThread) -> None:
    enough = threading.Event()

    def work(desk: Desk) -> None:
        while not enough.is_set():
            desk.emit(Said("again", needs_ack=True))

    list(drive(browser, work, on_tick=enough.set, tick_s=0.2))
    assert enough.is_set()


def test_closing_the_generator_early_ends_the_work(browser: BrowserThread) -> None:
    ended = threading.Event()

    def work(desk: Desk) -> None:
        try:
            while True:
                desk.emit(Said("again", needs_ack=True))
        finally:
            ended.set()

    events = drive(browser, work)
    next(events)
    events.close()
    assert ended.is_set()
    assert browser.call(lambda desk: 1) == 1


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
            states.append(session.storage_state())

    def load(desk: Desk) -> object:
        with desk.session(ContextOptions(policy=site.policy, storage_state=states[0])) as session:
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
        children = subprocess.run(["pgrep", "-P", str(os.getpid()), "node"], capture_output=True, text=True, check=True)
        os.kill(max(map(int, children.stdout.split())), signal.SIGKILL)
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
